"""Page of a user's tokens for programs in one club: make one, which is shown once, or withdraw it."""

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path
from django.utils.translation import gettext, gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from tracker.common.forms import refusals_on
from tracker.common.web import access
from tracker.common.web.requests import key_in
from tracker.models import ApiToken, Role, TokenScope
from tracker.people.services.api_tokens import make_token, withdraw_token


class TokenForm(forms.Form):
    name = forms.CharField(
        label=_("What is it for?"),
        help_text=_("Such as “our website”: you see later which one to withdraw."),
        max_length=ApiToken.name.field.max_length,
        error_messages={"required": _("Say what it is for.")},
    )
    scope = forms.TypedChoiceField(
        label=_("It may"), coerce=TokenScope, initial=TokenScope.READ, widget=forms.RadioSelect
    )

    def __init__(self, role: Role, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        allowed = [(each.value, each.label) for each in TokenScope if each.role.rank >= role.rank]
        self.fields["scope"].choices = allowed  # type: ignore[attr-defined]


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def api_tokens(request: HttpRequest, club_id: int) -> HttpResponse:
    """Show a member their tokens; ``withdraw`` is the key of one that they withdraw."""
    club = access.club(request, club_id, Role.MEMBER)
    by = access.actor(request)
    if "withdraw" in request.POST:
        withdraw_token(token_id=key_in(request.POST["withdraw"]), by=by)
        messages.success(request, gettext("That token no longer works."))
        return redirect("api-tokens", club.pk)
    role = access.role_in(request, club) or Role.MEMBER  # ``access.club`` has found it
    form, made = TokenForm(role, request.POST or None), ""
    if form.is_valid():
        with refusals_on(form):
            made = make_token(club_id=club.pk, by=by, **form.cleaned_data)
    tokens = ApiToken.objects.filter(membership__club=club, membership__user=by.user_id)
    context = {"form": form, "made": made, "tokens": tokens.order_by("-made_at", "-pk")}
    return access.render(request, "people/accounts/api_tokens.html", club, **context)


urlpatterns = [path("clubs/<int:club_id>/tokens/", api_tokens, name="api-tokens")]
