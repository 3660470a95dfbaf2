"""Accounts: signing in and out, coming in by a link, one's name, password and player."""

from typing import Any

from django.contrib import messages
from django.contrib.auth import login, views
from django.contrib.messages.views import SuccessMessageMixin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from tracker.common.errors import Refused
from tracker.common.refusals import refuse, refusing, sentence
from tracker.common.web import access
from tracker.models import Invitation, Role, User
from tracker.people.forms import (
    AccountForm,
    ChangePasswordForm,
    ClaimForm,
    FirstOwnerForm,
    NewLoginForm,
    NewPasswordForm,
    SignInForm,
)
from tracker.people.queries import clubs_of
from tracker.people.services.claims import claim_player
from tracker.people.services.clubs import check_first_owner, make_first_owner
from tracker.people.services.invitations import join, join_anew, opened
from tracker.people.services.members import rename_user

BACKEND = "django.contrib.auth.backends.ModelBackend"
EITHER = ["GET", "HEAD", "POST"]


# Django's own views would take a PUT for a POST.
sign_in = require_http_methods(EITHER)(
    views.LoginView.as_view(
        template_name="people/accounts/sign_in.html",
        authentication_form=SignInForm,
        redirect_authenticated_user=True,
    )
)
sign_out = views.LogoutView.as_view()


@sensitive_post_parameters("password")
@never_cache
@require_http_methods(EITHER)
def first_owner(request: HttpRequest, token: str) -> HttpResponse:
    """Make the first owner and the club, by the link that ``serve`` printed."""
    by = access.anybody(request)
    form = FirstOwnerForm(request.POST or None)
    try:
        check_first_owner(token, now=by.at)
        if form.is_valid():
            user, club = make_first_owner(token=token, by=by, **form.answers())
            login(request, user, backend=BACKEND)
            welcome = _("Karibu, %(name)s! The club is yours. You sign in as “%(username)s”.")
            names = {"name": user.first_name, "username": user.username}
            messages.success(request, welcome % names)
            return redirect(club)
    except Refused as refused:
        if refused.question is None:  # it may be that somebody else was quicker
            known = refused.code == "first-owner-there"
            return _no_link(request, refused, known=known, sign_in=known)
        refuse(form, refused)
    return render(request, "people/accounts/first_owner.html", {"form": form})


def _no_link(request: HttpRequest, refused: Refused, *, known: bool, sign_in: bool) -> HttpResponse:
    """Say why a link opens nothing; a *known* one did so once."""
    context = {"sentence": sentence(refused), "has_owner": sign_in}
    status = 410 if known else 404
    return render(request, "people/accounts/no_first_owner.html", context, status=status)


@sensitive_post_parameters("password")
@never_cache
@require_http_methods(EITHER)
def join_club(request: HttpRequest, token: str) -> HttpResponse:
    """Join a club by invitation, as the signed-in user or with a new login."""
    by = access.anybody(request)
    form = NewLoginForm(request.POST or None)
    try:
        invitation = opened(token, now=by.at)
        if request.method == "POST" and request.user.pk is not None:
            join(token=token, by=by)
            return _welcome(request, invitation)
        if form.is_valid():
            user, _membership = join_anew(token=token, by=by, **form.cleaned_data)
            login(request, user, backend=BACKEND)
            return _welcome(request, invitation)
    except Refused as refused:
        if refused.question is None:
            known = refused.code != "invitation-unknown"
            return _no_link(request, refused, known=known, sign_in=request.user.pk is None)
        refuse(form, refused)
    role = Role(invitation.role).in_a_sentence
    context = {"form": form, "invitation": invitation, "role": role}
    return render(request, "people/members/join.html", context)


@access.page
@require_http_methods(EITHER)
def account(request: HttpRequest) -> HttpResponse:
    """Show users their own account, and let them change it."""
    user_id = access.signed_in(request)
    user = User.objects.get(pk=user_id)
    form = AccountForm(request.POST or None, initial={"name": user.first_name})
    if form.is_valid():
        with refusing(form):
            rename_user(name=form.cleaned_data["name"], by=access.actor(request))
            messages.success(request, _("Saved."))
            return redirect("account")
    return render(request, "people/members/account.html", {"form": form, "mine": clubs_of(user_id)})


@access.page
@require_http_methods(EITHER)
def claim(request: HttpRequest, club_id: int) -> HttpResponse:
    """Let a member claim a player; an organiser confirms or denies the claim."""
    club = access.club(request, club_id, Role.MEMBER)
    form = ClaimForm(club, request.POST or None)
    if form.is_valid():
        with refusing(form):
            player = claim_player(
                player_id=form.cleaned_data["player"].pk, by=access.actor(request)
            )
            sure = _("You say you are %(name)s. An organiser of the club will confirm it.")
            messages.success(request, sure % {"name": player.name})
            return redirect("account")
    return render(request, "people/members/claim.html", access.context(request, club, form=form))


class _ChangePassword(SuccessMessageMixin, views.PasswordChangeView):  # type: ignore[type-arg]
    form_class = ChangePasswordForm
    template_name = "people/accounts/password.html"
    success_url = reverse_lazy("account")
    success_message = gettext_lazy("Your new password is saved.")


class _NewPassword(SuccessMessageMixin, views.PasswordResetConfirmView):  # type: ignore[type-arg]
    form_class = NewPasswordForm
    template_name = "people/accounts/password_new.html"
    success_url = reverse_lazy("home")
    success_message = gettext_lazy("Your new password is saved, and you are signed in.")
    post_reset_login = True
    post_reset_login_backend = BACKEND

    def render_to_response(self, context: dict[str, Any], **more: Any) -> HttpResponse:
        status = 200 if self.validlink else 404
        return super().render_to_response(context, status=status, **more)


password = require_http_methods(EITHER)(_ChangePassword.as_view())
password_new = require_http_methods(EITHER)(_NewPassword.as_view())


def _welcome(request: HttpRequest, invitation: Invitation) -> HttpResponse:
    messages.success(
        request, _("Karibu! You are now in %(club)s.") % {"club": invitation.club.name}
    )
    return redirect(invitation.club)


urlpatterns = [
    path("first/<str:token>/", first_owner, name="first-owner"),
    path("sign-in/", sign_in, name="sign-in"),
    path("sign-out/", sign_out, name="sign-out"),
    path("join/<str:token>/", join_club, name="join"),
    path("account/", account, name="account"),
    path("password/", password, name="password"),
    path("password/<str:uidb64>/<str:token>/", password_new, name="password-new"),
    path("clubs/<int:club_id>/me/", claim, name="claim"),
]
