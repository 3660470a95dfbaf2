"""The page of a tournament's entrants: enter, withdraw, let return, limit places, seed.

An *entrant* is a player or a team; without a free place it waits on the *reserve* list.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django import forms
from django.contrib import messages
from django.db import transaction
from django.db.models import OuterRef, Subquery
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.text import get_text_list
from django.utils.translation import gettext, gettext_lazy as _, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from tracker.common.forms import CountField, LinesField, TapField, refusals_as_messages, refusals_on
from tracker.common.web import access
from tracker.common.web.requests import key_in
from tracker.models import Entrant, Format, LogEntry, Role, Seat, Tournament
from tracker.tournaments.forms.tournaments import A_NAME_A_LINE, A_TEAM_A_LINE, places_field
from tracker.tournaments.queries import moved_up_sentence, newcomers
from tracker.tournaments.services.entering import (
    MOST_SEEDS,
    Withdrawal,
    come_back,
    limit_places,
    seed_entrants,
    withdraw,
)
from tracker.tournaments.services.entry_lists import enter_newcomers

_SEED = "seed_"  # ``seed_12`` is the name of the field for the seed of the entrant with key 12


class EnterForm(forms.Form):
    """New entrants: ``names`` on lines, and ``known``: the chosen of *newcomers* (key, name)."""

    names = LinesField(label=_("Who joins?"), rows=2)
    known = TapField(label=_("From the club"))

    def __init__(
        self,
        *args: Any,
        tournament: Tournament,
        newcomers: Sequence[tuple[int, str]],
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.newcomers = newcomers
        self.fields["known"].choices = newcomers  # type: ignore[attr-defined]
        self.teams = tournament.format == Format.TEAMS
        self.fields["names"].help_text = A_TEAM_A_LINE if self.teams else A_NAME_A_LINE

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if not self.errors and not (cleaned["names"] or cleaned["known"]):
            self.add_error("names", gettext("Write a name, or tap who plays."))
        return cleaned


class PlacesForm(forms.Form):
    places = places_field()


class SeedsForm(forms.Form):
    def __init__(self, *args: Any, entrants: Iterable[Entrant], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for entrant in entrants:
            self.fields[f"{_SEED}{entrant.pk}"] = CountField(
                label=str(entrant), required=False, most=MOST_SEEDS, initial=entrant.seed
            )

    def seeds(self) -> Mapping[int, int | None]:
        return {int(name.removeprefix(_SEED)): seed for name, seed in self.cleaned_data.items()}


class ExpelForm(forms.Form):
    entrant = forms.TypedChoiceField(label=_("Who?"), coerce=int)
    reason = forms.CharField(
        label=_("Why?"),
        help_text=_("It goes into the log with your name, where the club’s members can read it."),
        max_length=LogEntry.reason.field.max_length,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def __init__(self, *args: Any, entrants: Iterable[Entrant], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = [(entrant.pk, str(entrant)) for entrant in entrants if not entrant.expelled]
        self.fields["entrant"].choices = [("", "–"), *choices]  # type: ignore[attr-defined]


def entrants_by_status(tournament: Tournament) -> dict[str, list[Entrant]]:
    """Return the entrants ``playing``, on the ``reserve`` list and ``withdrawn``, in one query.

    Annotated is the number of the ``table`` at which an entrant sits in a running round.
    """
    seats = Seat.objects.active().filter(entrant=OuterRef("pk"))
    named = Entrant.objects.filter(tournament=tournament).by_name()
    entrants = named.annotate(table=Subquery(seats.values("sitting__number")[:1]))
    playing = [entrant for entrant in entrants if entrant.has_place]
    waiting = [entrant for entrant in entrants if entrant.reserve_since is not None]
    return {
        "playing": sorted(playing, key=lambda entrant: (entrant.seed is None, entrant.seed or 0)),
        "reserve": sorted(waiting, key=lambda entrant: (entrant.reserve_since, entrant.pk)),
        "withdrawn": [entrant for entrant in entrants if entrant.withdrawn_at is not None],
    }


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def entrants(request: HttpRequest, tournament_id: int) -> HttpResponse:
    changing = request.method == "POST"
    tournament = access.tournament(request, tournament_id, Role.ORGANISER if changing else None)
    if changing and {"withdraw", "back"} & request.POST.keys():
        _withdraw_or_return(request, tournament)
        return redirect("entrants", tournament.pk)
    by_status = entrants_by_status(tournament)
    context = access.context(request, tournament.club, tournament=tournament, who=by_status)
    if access.may(request, tournament.club, Role.ORGANISER):
        # One of the four forms of the page was sent: its button ``do`` says which.
        sent = {request.POST.get("do", "enter"): request.POST} if changing else {}
        new, not_withdrawn = newcomers(tournament), [*by_status["playing"], *by_status["reserve"]]
        enter = EnterForm(sent.get("enter"), tournament=tournament, newcomers=new)
        places = PlacesForm(sent.get("places"), initial={"places": tournament.places})
        seeds = SeedsForm(sent.get("seeds"), entrants=not_withdrawn)
        everybody = [*not_withdrawn, *by_status["withdrawn"]]
        expel = ExpelForm(sent.get("expel"), entrants=everybody)
        for form in (enter, places, seeds, expel):
            if form.is_valid() and _apply(request, tournament, form):
                return redirect("entrants", tournament.pk)
        context |= {"enter": enter, "places": places, "seeds": seeds, "expel": expel}
    return render(request, "tournaments/entrants.html", context)


def _apply(request: HttpRequest, tournament: Tournament, form: Form) -> bool:
    """Do what the form asks for, and return whether it was done; a refusal is shown on the form."""
    by = access.actor(request)
    with refusals_on(form):
        match form:
            case PlacesForm():
                places = form.cleaned_data["places"]
                moved = limit_places(tournament_id=tournament.pk, places=places, by=by)
                messages.success(request, gettext("Saved."))
                if moved:
                    messages.success(request, moved_up_sentence(moved))
            case SeedsForm():
                seed_entrants(tournament_id=tournament.pk, seeds=form.seeds(), by=by)
                messages.success(request, gettext("The seeds are saved."))
            case ExpelForm():
                key, reason = form.cleaned_data["entrant"], form.cleaned_data["reason"]
                withdrawal = withdraw(entrant_id=key, expelled=True, reason=reason, by=by)
                _add_withdrawal_messages(request, withdrawal)
            case EnterForm():
                known, names = form.cleaned_data["known"], form.cleaned_data["names"]
                with transaction.atomic():
                    add_entered_message(request, enter_newcomers(tournament, known, names, by))
    return form.is_valid()  # which it no longer is after a refusal


def _withdraw_or_return(request: HttpRequest, tournament: Tournament) -> None:
    """Withdraw the entrant whose key is sent as ``withdraw``; let one sent as ``back`` return."""
    key = key_in(request.POST.get("withdraw") or request.POST.get("back", ""))
    entrant = tournament.entrants.filter(pk=key).first()
    if entrant is None:
        messages.error(request, gettext("That player is not in this tournament."))
        return
    by = access.actor(request)
    if "back" in request.POST:
        with refusals_as_messages(request):
            add_entered_message(request, [come_back(entrant_id=entrant.pk, by=by)])
        return
    # Without being expelled, this is never refused.
    _add_withdrawal_messages(request, withdraw(entrant_id=entrant.pk, by=by))


def _add_withdrawal_messages(request: HttpRequest, withdrawal: Withdrawal) -> None:
    named = {"name": str(withdrawal.entrant)}
    if withdrawal.entrant.expelled:
        messages.success(request, gettext("%(name)s: expelled. What was played stays.") % named)
    elif withdrawal.table is None:
        messages.success(request, gettext("%(name)s has withdrawn. What was played stays.") % named)
    if withdrawal.table is not None:
        words = gettext(
            "%(name)s plays no further, but sits at table %(table)d still: they finish the round"
            " there, or somebody takes over the seat."
        )
        messages.warning(request, words % {**named, "table": withdrawal.table})
    if withdrawal.moved_up:
        messages.success(request, moved_up_sentence(withdrawal.moved_up))


def add_entered_message(request: HttpRequest, entered: Sequence[Entrant]) -> None:
    """Add messages: who plays now, and who is on the reserve list."""
    playing = [str(entrant) for entrant in entered if entrant.reserve_since is None]
    waiting = [str(entrant) for entrant in entered if entrant.reserve_since is not None]
    if playing:
        words = ngettext(
            "%(names)s plays, from the coming round on.",
            "%(names)s play, from the coming round on.",
            len(playing),
        )
        messages.success(request, words % {"names": get_text_list(playing, gettext("and"))})
    if waiting:
        words = ngettext(
            "All places are taken: %(names)s waits on the reserve list.",
            "All places are taken: %(names)s wait on the reserve list.",
            len(waiting),
        )
        messages.warning(request, words % {"names": get_text_list(waiting, gettext("and"))})


urlpatterns = [path("tournaments/<int:tournament_id>/entrants/", entrants, name="entrants")]
