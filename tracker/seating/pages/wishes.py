"""Page of seating wishes, called requests in its text; only organisers may read it."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.contrib import messages
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.translation import gettext as _, gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from tracker.common.forms import CountField, refusals_on
from tracker.common.web import access
from tracker.common.web.requests import key_in
from tracker.models import Club, Role, SeatingWish, WishKind
from tracker.seating.queries.players import players_to_choose
from tracker.seating.services.wishes import HIGHEST_TABLE, drop_wish, keep_apart, keep_table


class KeepTableForm(forms.Form):
    """A player who is promised a table: every draw seats the player there."""

    player = forms.TypedChoiceField(label=gettext_lazy("Who"), coerce=int)
    table = CountField(label=gettext_lazy("Which table?"), most=HIGHEST_TABLE)

    def __init__(self, *args: Any, people: Sequence[tuple[int, str]], **kwargs: Any) -> None:
        super().__init__(*args, **{"prefix": "keeps", **kwargs})
        self.fields["player"].choices = [("", "–"), *people]  # type: ignore[attr-defined]


class KeepApartForm(forms.Form):
    player = forms.TypedChoiceField(label=gettext_lazy("Who"), coerce=int)
    other = forms.TypedChoiceField(label=gettext_lazy("and who"), coerce=int)
    kind = forms.TypedChoiceField(
        label=gettext_lazy("How far apart?"),
        choices=[
            (WishKind.NOT_MEET, gettext_lazy("never at one table")),
            (WishKind.NOT_PARTNERS, gettext_lazy("never partners, but the same table is fine")),
        ],
        coerce=WishKind,
        initial=WishKind.NOT_MEET,
        widget=forms.RadioSelect,
    )

    def __init__(self, *args: Any, people: Sequence[tuple[int, str]], **kwargs: Any) -> None:
        super().__init__(*args, **{"prefix": "apart", **kwargs})
        for name in ("player", "other"):
            self.fields[name].choices = [("", "–"), *people]  # type: ignore[attr-defined]


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def wishes(request: HttpRequest, club_id: int) -> HttpResponse:
    """List the seating wishes; add one, or remove one."""
    club = access.club(request, club_id, Role.ORGANISER)
    if "drop" in request.POST:
        wish_id = key_in(request.POST["drop"])
        if drop_wish(wish_id=wish_id, club_id=club.pk, by=access.actor(request)):
            messages.success(request, _("The request is removed."))
        return redirect("wishes", club.pk)
    people, do, by = players_to_choose(club), request.POST.get("do"), access.actor(request)
    table_form = KeepTableForm(request.POST if do == "table" else None, people=people)
    apart_form = KeepApartForm(request.POST if do == "apart" else None, people=people)
    saved = _("It holds from the next draw on.")
    if table_form.is_valid():  # only if it was sent
        wish = table_form.cleaned_data
        with refusals_on(table_form):
            keep_table(club_id=club.pk, player_id=wish["player"], table=wish["table"], by=by)
            messages.success(request, saved)
            return redirect("wishes", club.pk)
    if apart_form.is_valid():
        wish = apart_form.cleaned_data
        pair = {"player_id": wish["player"], "other_id": wish["other"]}
        with refusals_on(apart_form):
            keep_apart(club_id=club.pk, kind=wish["kind"], by=by, **pair)
            messages.success(request, saved)
            return redirect("wishes", club.pk)
    values = {"wishes": wishes_by_name(club), "table_form": table_form, "apart_form": apart_form}
    return render(request, "seating/wishes.html", access.context(request, club, **values))


def wishes_by_name(club: Club) -> dict[str, list[SeatingWish]]:
    """Return a club's promised ``tables`` and pairs to keep ``apart``, by name, in one query."""
    # A wish of a player who was merged into another one is not shown.
    present = Q(player__merged_into=None) & (Q(other=None) | Q(other__merged_into=None))
    of_club = SeatingWish.objects.filter(present, club=club).select_related("player", "other")
    wish_lists: dict[str, list[SeatingWish]] = {"tables": [], "apart": []}
    for wish in of_club.order_by("player__name_key", "other__name_key", "kind"):
        wish_lists["tables" if wish.kind == WishKind.KEEPS_TABLE else "apart"].append(wish)
    return wish_lists


urlpatterns = [path("clubs/<int:club_id>/wishes/", wishes, name="wishes")]
