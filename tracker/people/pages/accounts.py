"""The pages of a user account: sign in, first owner, join by invitation, name, password, claim.

The *first owner* sets up a new site. A *claim* says that a user is a player of the club.
"""

import re
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth import login, views
from django.contrib.auth.forms import AuthenticationForm, PasswordChangeForm, SetPasswordForm
from django.contrib.auth.password_validation import validate_password
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.contrib.messages.views import SuccessMessageMixin
from django.core.exceptions import ValidationError
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse_lazy
from django.utils.translation import gettext, gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from tracker.common.errors import Refused
from tracker.common.forms import add_refusal, refusal_text, refusals_on
from tracker.common.names import tidy
from tracker.common.web import access, devices
from tracker.models import Club, Invitation, Membership, Player, Role, User
from tracker.people.services.claims import claim_player
from tracker.people.services.clubs import check_first_owner, make_first_owner
from tracker.people.services.invitations import join, join_as_new_user, valid_invitation
from tracker.people.services.members import rename_user

# Attributes of a field in which a phone must not change capitals or words.
AS_TYPED = {"autocapitalize": "none", "autocorrect": "off", "spellcheck": "false"}
# The backend that signs users in; the site's other one only locks out after wrong passwords.
BACKEND = "django.contrib.auth.backends.ModelBackend"
LONGEST_LOGIN = 40
METHODS = ["GET", "HEAD", "POST"]


class SignInForm(AuthenticationForm):
    error_messages = {
        "invalid_login": _(
            "This user name and password do not go together."
            " In a password capital letters count: please try once more."
        ),
        "inactive": _("This account is closed. The club’s owner can open it again."),
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].label = _("User name")
        self.fields["username"].widget.attrs.update(AS_TYPED)

    def clean_username(self) -> str:
        """Return the only stored user name that differs at most in capitals, or else the typed."""
        typed: str = self.cleaned_data["username"]
        stored = User.objects.filter(username__iexact=typed).values_list("username", flat=True)[:2]
        return stored[0] if len(stored) == 1 else typed


def login_name(name: str) -> str:
    """Return a user name made from a name: "zuhura" for "Zuhura Ali". It may be taken."""
    first = (tidy(name).split() or [""])[0].casefold()
    return re.sub(r"[^\w.+-]", "", first)[:LONGEST_LOGIN] or "owner"


class _NewPersonForm(forms.Form):
    """Name and password of a new user. The password is asked only once: the page can show it."""

    name = forms.CharField(
        label=_("Your name"),
        error_messages={"required": _("Tell us your name.")},
        max_length=Player.name.field.max_length,
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
    )
    password = forms.CharField(
        label=_("Choose a password"),
        help_text=_("Eight letters or more. A few words in a row are good, and easy to remember."),
        strip=False,
        error_messages={"required": _("Choose a password.")},
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}, render_value=True),
    )

    def clean(self) -> dict[str, Any]:
        cleaned = self.cleaned_data
        if password := cleaned.get("password"):
            # The password must not resemble the user name, which a first owner is not asked for.
            username = cleaned.get("username") or login_name(cleaned.get("name", ""))
            try:
                validate_password(password, User(username=username))
            except ValidationError as error:
                self.add_error("password", error)
        return cleaned


class NewLoginForm(_NewPersonForm):
    username = forms.CharField(
        label=_("User name"),
        help_text=_("A short word to sign in with."),
        max_length=User.username.field.max_length,
        error_messages={"required": _("Choose a word to sign in with.")},
        validators=[
            UnicodeUsernameValidator(message=_("Letters, digits and @ . + - _ only, no spaces."))
        ],
        widget=forms.TextInput(attrs={"autocomplete": "username", **AS_TYPED}),
    )
    field_order = ("name", "username", "password")


class FirstOwnerForm(_NewPersonForm):
    """The first user of the site, whose user name is made from their name, and the first club."""

    club_name = forms.CharField(
        label=_("What is your club called?"),
        error_messages={"required": _("Your club needs a name; it can be changed later.")},
        max_length=Club.name.field.max_length,
        widget=forms.TextInput(attrs={"autofocus": True, "autocomplete": "organization"}),
    )
    field_order = ("club_name", "name", "password")


class AccountForm(forms.Form):
    name = forms.CharField(
        label=_("Your name"),
        help_text=_("The organisers see it in the log."),
        max_length=Player.name.field.max_length,
        error_messages={"required": _("Tell us your name.")},
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
    )


class NewPasswordForm(SetPasswordForm):  # type: ignore[type-arg]
    error_messages = {"password_mismatch": _("These two differ. Please write it once more.")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        password, repeated = self.fields["new_password1"], self.fields["new_password2"]
        password.label, repeated.label = _("New password"), _("The same password again")
        password.help_text = _NewPersonForm.base_fields["password"].help_text
        repeated.help_text = ""


class ChangePasswordForm(NewPasswordForm, PasswordChangeForm):
    error_messages = {
        **NewPasswordForm.error_messages,
        "password_incorrect": _("That is not your password. Please try once more."),
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["old_password"].label = _("Your password now")


class ClaimForm(forms.Form):
    """A user claims a player of the club who has no login."""

    player = forms.ModelChoiceField(
        Player.objects.none(),
        label=_("Which of these players are you?"),
        empty_label=_("Choose…"),
        error_messages={"required": _("Please choose your name.")},
    )

    def __init__(self, club: Club, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        without_login = Player.objects.present().filter(club=club, user=None).order_by("name_key")
        self.fields["player"].queryset = without_login  # type: ignore[attr-defined]


# Django's own views would take a PUT for a POST.
sign_in = require_http_methods(METHODS)(
    views.LoginView.as_view(
        template_name="people/accounts/sign_in.html",
        authentication_form=SignInForm,
        redirect_authenticated_user=True,
    )
)
sign_out = views.LogoutView.as_view()


@sensitive_post_parameters("password")
@never_cache
@require_http_methods(METHODS)
def first_owner(request: HttpRequest, token: str) -> HttpResponse:
    """Make the first owner and the club, with the link that the command ``serve`` printed."""
    by = devices.visitor(request)
    form = FirstOwnerForm(request.POST or None)
    try:
        check_first_owner(token, now=by.at)
        if form.is_valid():
            username = login_name(form.cleaned_data["name"])
            user, club = make_first_owner(
                token=token, username=username, by=by, **form.cleaned_data
            )
            login(request, user, backend=BACKEND)
            welcome = gettext("Karibu, %(name)s! The club is yours. You sign in as “%(username)s”.")
            names = {"name": user.first_name, "username": user.username}
            messages.success(request, welcome % names)
            return redirect(club)
    except Refused as refused:
        # A refusal's question is the field at fault; without one, it is about the link itself.
        if refused.question is None:
            has_owner = refused.code == "first-owner-there"
            return _invalid_link(request, refused, was_valid=has_owner, offer_sign_in=has_owner)
        add_refusal(form, refused)
    return render(request, "people/accounts/first_owner.html", {"form": form})


def _invalid_link(
    request: HttpRequest, refused: Refused, *, was_valid: bool, offer_sign_in: bool
) -> HttpResponse:
    """Return the page that says why a link does not work, with status 410 if it once did."""
    context = {"sentence": refusal_text(refused), "offer_sign_in": offer_sign_in}
    status = 410 if was_valid else 404
    return render(request, "people/accounts/no_first_owner.html", context, status=status)


@sensitive_post_parameters("password")
@never_cache
@require_http_methods(METHODS)
def join_club(request: HttpRequest, token: str) -> HttpResponse:
    """Join a club by invitation, as the signed-in user or with a new login."""
    by = devices.visitor(request)
    form = NewLoginForm(request.POST or None)
    try:
        invitation = valid_invitation(token, now=by.at)
        if request.method == "POST" and request.user.pk is not None:
            join(token=token, by=by)
            return _welcome(request, invitation)
        if form.is_valid():
            user, _membership = join_as_new_user(token=token, by=by, **form.cleaned_data)
            login(request, user, backend=BACKEND)
            return _welcome(request, invitation)
    except Refused as refused:
        if refused.question is None:
            was_valid, anonymous = refused.code != "invitation-unknown", request.user.pk is None
            return _invalid_link(request, refused, was_valid=was_valid, offer_sign_in=anonymous)
        add_refusal(form, refused)
    context = {"form": form, "invitation": invitation, "role": Role(invitation.role).in_a_sentence}
    return render(request, "people/members/join.html", context)


def clubs_of(user_id: int) -> list[tuple[Membership, Player | None, Player | None]]:
    """Return a user's memberships, each with the linked and the claimed player, in two queries."""
    memberships = Membership.objects.filter(user_id=user_id).select_related("club")
    players = Player.objects.present().filter(Q(user=user_id) | Q(claimed_by=user_id))
    linked = {player.club_id: player for player in players if player.user_id == user_id}
    claimed = {player.club_id: player for player in players if player.user_id != user_id}
    return [
        (membership, linked.get(membership.club_id), claimed.get(membership.club_id))
        for membership in memberships.order_by("club__name", "club_id")
    ]


@access.page
@require_http_methods(METHODS)
def account(request: HttpRequest) -> HttpResponse:
    """Show users their own account, and let them change it."""
    user_id = access.signed_in(request)
    user = User.objects.get(pk=user_id)
    form = AccountForm(request.POST or None, initial={"name": user.first_name})
    if form.is_valid():
        with refusals_on(form):
            rename_user(name=form.cleaned_data["name"], by=access.actor(request))
            messages.success(request, gettext("Saved."))
            return redirect("account")
    return render(request, "people/members/account.html", {"form": form, "mine": clubs_of(user_id)})


@access.page
@require_http_methods(METHODS)
def claim(request: HttpRequest, club_id: int) -> HttpResponse:
    """Let a member claim a player; an organiser confirms or denies the claim."""
    club = access.club(request, club_id, Role.MEMBER)
    form = ClaimForm(club, request.POST or None)
    if form.is_valid():
        player = form.cleaned_data["player"]
        with refusals_on(form):
            claim_player(player_id=player.pk, by=access.actor(request))
            thanks = gettext("You say you are %(name)s. An organiser of the club will confirm it.")
            messages.success(request, thanks % {"name": player.name})
            return redirect("account")
    return render(request, "people/members/claim.html", access.context(request, club, form=form))


class _ChangePassword(SuccessMessageMixin, views.PasswordChangeView):  # type: ignore[type-arg]
    form_class = ChangePasswordForm
    template_name = "people/accounts/password.html"
    success_url = reverse_lazy("account")
    success_message = _("Your new password is saved.")


class _NewPassword(SuccessMessageMixin, views.PasswordResetConfirmView):  # type: ignore[type-arg]
    form_class = NewPasswordForm
    template_name = "people/accounts/password_new.html"
    success_url = reverse_lazy("home")
    success_message = _("Your new password is saved, and you are signed in.")
    post_reset_login = True
    post_reset_login_backend = BACKEND

    def render_to_response(self, context: dict[str, Any], **more: Any) -> HttpResponse:
        status = 200 if self.validlink else 404
        return super().render_to_response(context, status=status, **more)


password = require_http_methods(METHODS)(_ChangePassword.as_view())
password_new = require_http_methods(METHODS)(_NewPassword.as_view())


def _welcome(request: HttpRequest, invitation: Invitation) -> HttpResponse:
    sentence = gettext("Karibu! You are now in %(club)s.")
    messages.success(request, sentence % {"club": invitation.club.name})
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
