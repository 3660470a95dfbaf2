"""Signing in and out, and the first owner."""

from django.contrib import messages
from django.contrib.auth import login, views
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from tracker.common.errors import Refused
from tracker.common.refusals import refuse, sentence
from tracker.common.web import access
from tracker.people.forms.sign_in import FirstOwnerForm, SignInForm
from tracker.people.services.owners import check_first_owner, make_first_owner

# Django's view would take a PUT for a POST.
sign_in = require_http_methods(["GET", "HEAD", "POST"])(
    views.LoginView.as_view(
        template_name="people/accounts/sign_in.html",
        authentication_form=SignInForm,
        redirect_authenticated_user=True,
    )
)
sign_out = views.LogoutView.as_view()


@sensitive_post_parameters("password", "again")
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def first_owner(request: HttpRequest, token: str) -> HttpResponse:
    """Make the first owner and the club, by the link that ``serve`` printed."""
    by = access.anybody(request)
    try:
        check_first_owner(token, now=by.at)
    except Refused as refused:
        return _no_first_owner(request, refused)
    form = FirstOwnerForm(request.POST or None)
    if form.is_valid():
        wanted = {key: value for key, value in form.cleaned_data.items() if key != "again"}
        try:
            user, club = make_first_owner(token=token, by=by, **wanted)
        except Refused as refused:
            if refused.question is None:  # somebody else was quicker
                return _no_first_owner(request, refused)
            refuse(form, refused)
        else:
            login(request, user, backend="django.contrib.auth.backends.ModelBackend")
            welcome = _("Karibu, %(name)s! The club is yours.") % {"name": user.first_name}
            messages.success(request, welcome)
            return redirect(club)
    return render(request, "people/accounts/first_owner.html", {"form": form})


def _no_first_owner(request: HttpRequest, refused: Refused) -> HttpResponse:
    known = refused.code == "first-owner-there"
    context = {"sentence": sentence(refused), "has_owner": known}
    return render(
        request, "people/accounts/no_first_owner.html", context, status=410 if known else 404
    )
