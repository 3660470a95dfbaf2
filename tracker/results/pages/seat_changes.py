"""Page that changes the seats of a round: swap two players, replace a wrong one, or substitute.

A ``Seat`` is one player at one *place* (chair) of a table, from one hand to another. A *shared*
place has several seats, as a substitute took over. A *side* is players who score together.
"""

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from itertools import groupby
from operator import attrgetter
from typing import Any

from django import forms
from django.contrib import messages
from django.db.models import Exists, OuterRef
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.html import format_html
from django.utils.translation import gettext as _, gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from tracker.audit.queries.lines import act_of
from tracker.audit.queries.lookup import Lookup
from tracker.common.forms import CountField, TapField, refusals_on
from tracker.common.web import access
from tracker.common.web.requests import return_page
from tracker.models import LogEntry, Player, Round, RoundState, Seat, Tournament
from tracker.results.forms.reason import SEAT_REASONS, ReasonForm
from tracker.results.queries.effect import Effect
from tracker.results.services.preview import APPLY_STEP, StalePreviewError, apply, preview
from tracker.seating.pages.rounds import round_context, round_of
from tracker.seating.services.player_replacement import Reach, replace_player
from tracker.seating.services.seat_swaps import substitute, swap_seats

WHOLE, TOGETHER = "whole", "together"  # what ``ExchangeForm`` swaps


@dataclass(frozen=True, slots=True)
class SeatNow:
    """A seat with its player and table."""

    seat: Seat
    shared: bool  # others sat at its place before or after
    letter: str  # of the side; empty where everybody plays alone

    @property
    def called(self) -> str:
        """Return the player's name; at a shared place, with the hands they played."""
        seat = self.seat
        if not self.shared:
            return seat.player.name
        params = {"who": seat.player.name, "first": seat.from_hand, "last": seat.to_hand}
        if seat.to_hand is None:
            return _("%(who)s, from hand %(first)d") % params
        if seat.from_hand == seat.to_hand:
            return _("%(who)s, hand %(first)d") % params
        return _("%(who)s, hands %(first)d to %(last)d") % params


def seats_of(round_: Round) -> list[SeatNow]:
    """Return all seats of a round, former ones too, by table and place, in one query."""
    rules = round_.tournament.rules
    seats = (
        Seat.objects.filter(round=round_)
        .select_related("player", "sitting")
        .order_by("sitting__number", "place", "from_hand")
    )
    modes = {
        seat.sitting_id: rules.mode(seat.sitting.mode, rules.resume_options(seat.sitting.options))
        for seat in seats
    }
    seats_at_place = Counter((seat.sitting_id, seat.place) for seat in seats)
    return [
        SeatNow(
            seat,
            shared=seats_at_place[seat.sitting_id, seat.place] > 1,
            letter=modes[seat.sitting_id].letters[seat.side],
        )
        for seat in seats
    ]


def players_of(club_id: int) -> list[tuple[int, str, bool]]:
    """Return (key, name, whether at no table now) of each player of a club, in one query."""
    active_seats = Seat.objects.active().filter(player=OuterRef("pk"))
    players = Player.objects.present().filter(club=club_id).annotate(free=~Exists(active_seats))
    return list(players.order_by("name_key").values_list("pk", "name", "free"))


def by_table(seats: Sequence[SeatNow]) -> list[tuple[str, list[SeatNow]]]:
    """Return for each table its name and its seats, in the order of *seats*."""
    groups = groupby(seats, key=lambda seat_now: seat_now.seat.sitting.number)
    return [(_("Table %(number)d") % {"number": number}, [*group]) for number, group in groups]


def seat_choices(seats: Sequence[SeatNow]) -> list[Any]:
    """Return the choices of a form field for seats, grouped by table."""
    tables = by_table(seats)
    return [(name, [(now.seat.pk, now.called) for now in at_table]) for name, at_table in tables]


class ExchangeForm(forms.Form):
    """Form for two players who swap seats."""

    seats = TapField(label=gettext_lazy("Tap the two"))
    who = forms.ChoiceField(
        label=gettext_lazy("Who changes?"),
        choices=[
            (WHOLE, gettext_lazy("both seats, with their substitutes")),
            (TOGETHER, gettext_lazy("only these two, for what both of them played")),
        ],
        initial=WHOLE,
        required=False,  # a page opened before a substitute came does not ask for it
        widget=forms.RadioSelect,
    )

    def __init__(self, *args: Any, seats: Sequence[SeatNow], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # With partners beside each other, for the template.
        self.tables = [
            (name, sorted(at_table, key=attrgetter("letter"))) for name, at_table in by_table(seats)
        ]
        self.fields["seats"].choices = seat_choices(seats)  # type: ignore[attr-defined]
        if not any(seat.shared for seat in seats):
            del self.fields["who"]

    def clean(self) -> None:
        """Refuse any number of seats but two, with an error above the form."""
        tapped = self.cleaned_data.get("seats")
        if tapped is not None and len(tapped) != 2:
            why = gettext_lazy("Tap the two who change seats.")
            raise forms.ValidationError(why, code="seats-two")

    @property
    def only_together(self) -> bool:
        return self.cleaned_data.get("who") == TOGETHER


class _ChoicesForm(forms.Form):
    def __init__(self, *args: Any, choices: Mapping[str, Sequence[Any]], **kwargs: Any) -> None:
        """Offer these *choices*, keyed by field, each field with a blank one first."""
        super().__init__(*args, **kwargs)
        for name, offered in choices.items():
            self.fields[name].choices = [("", "–"), *offered]  # type: ignore[attr-defined]


class ReplaceForm(_ChoicesForm):
    """Form for a player entered by mistake, the right one, and how far the replacement reaches."""

    wrong = forms.TypedChoiceField(label=gettext_lazy("Wrong name"), coerce=int)
    right = forms.TypedChoiceField(label=gettext_lazy("Who really played"), coerce=int)
    reach = forms.TypedChoiceField(
        label=gettext_lazy("For how much?"),
        choices=[
            (Reach.ROUND, gettext_lazy("this whole round")),
            (Reach.HANDS, gettext_lazy("this seat, from one hand on")),
            (Reach.TOURNAMENT, gettext_lazy("every round: the other was never here")),
        ],
        coerce=Reach,
        initial=Reach.ROUND,
        widget=forms.RadioSelect,
    )
    from_hand = CountField(
        label=gettext_lazy("From which hand on?"),
        most=Tournament.LONGEST_ROUND,
        required=False,
        help_text=gettext_lazy("Only if it is this seat from one hand on."),
    )


class SubstituteForm(_ChoicesForm):
    """Form for a substitute who plays from the coming hand on."""

    seat = forms.TypedChoiceField(label=gettext_lazy("Who leaves"), coerce=int)
    player = forms.TypedChoiceField(label=gettext_lazy("Who plays instead"), coerce=int)


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def round_seats(request: HttpRequest, round_id: int) -> HttpResponse:
    """Swap two seats, replace a wrong player, or seat a substitute."""
    round_ = round_of(request, round_id)
    change = _SeatChange(request, round_)
    if request.method == "POST" and change.apply_or_preview():
        return redirect(return_page(request, round_))
    context = round_context(request, round_, **change.context())
    return render(request, "results/changes/seats.html", context)


class _SeatChange:
    """One request of the page: its three forms, the preview of a change, and applying it.

    The form of a substitute, offered only while the round runs, is applied without a preview.
    """

    def __init__(self, request: HttpRequest, round_: Round) -> None:
        self.request, self.round = request, round_
        # Which form was sent: "exchange", "replace" or "substitute".
        self.sent_form = request.POST.get("do", "")
        self.applies = request.POST.get("step") == APPLY_STEP
        seats, players = seats_of(round_), players_of(round_.tournament.club_id)
        self.exchange_form = ExchangeForm(
            self._sent("exchange"), seats=seats, initial={"seats": request.GET.getlist("seats")}
        )
        self.replace_form = ReplaceForm(
            self._sent("replace"),
            choices={
                "wrong": seat_choices(seats),
                "right": [(player, name) for player, name, _free in players],
            },
            initial=request.GET.dict(),
        )
        self.substitute_form: SubstituteForm | None = None
        if round_.state == RoundState.OPEN or self.sent_form == "substitute":
            self.substitute_form = SubstituteForm(
                self._sent("substitute"),
                choices={
                    "seat": seat_choices([seat for seat in seats if seat.seat.to_hand is None]),
                    "player": [(player, name) for player, name, free in players if free],
                },
            )
        self.reason = ReasonForm(request.POST if self.applies else None, offered=SEAT_REASONS)
        self.effect: Effect | None = None
        self.seen = ""  # the fingerprint of what is previewed

    def _sent(self, form_name: str) -> QueryDict | None:
        return self.request.POST if self.sent_form == form_name else None

    def apply_or_preview(self) -> bool:
        """Apply the requested change, or preview it first; return whether it was applied."""
        by = access.actor(self.request)
        match self.sent_form:
            case "exchange" if self.exchange_form.is_valid():
                first, second = self.exchange_form.cleaned_data["seats"]
                together = self.exchange_form.only_together
                change = partial(swap_seats, seats=(first, second), only_together=together, by=by)
                return self._apply_or_preview(self.exchange_form, change)
            case "replace" if self.replace_form.is_valid():
                answers = self.replace_form.cleaned_data
                replacement = partial(
                    replace_player,
                    seat_id=answers["wrong"],
                    player_id=answers["right"],
                    reach=answers["reach"],
                    from_hand=answers["from_hand"] or 1,
                    by=by,
                )
                return self._apply_or_preview(self.replace_form, replacement)
            case "substitute" if self.substitute_form and self.substitute_form.is_valid():
                answers = self.substitute_form.cleaned_data
                with refusals_on(self.substitute_form):
                    seat = substitute(seat_id=answers["seat"], player_id=answers["player"], by=by)
                    sentence = _("%(name)s takes over.") % {"name": seat.player.name}
                    messages.success(self.request, sentence)
                return self.substitute_form.is_valid()  # false after a refusal, added to the form
        return False

    def _apply_or_preview(self, form: forms.Form, change: Callable[..., LogEntry]) -> bool:
        """Apply a change that was previewed and has a reason, and return true; else preview it."""
        with refusals_on(form):
            if self.applies and self.reason.is_valid():
                with suppress(StalePreviewError):
                    entry = apply(
                        partial(change, reason=self.reason.cleaned_data["reason"]),
                        tournament_id=self.round.tournament_id,
                        seen=self.request.POST.get("seen", ""),
                        fingerprint=self._fingerprint,
                    )
                    messages.success(self.request, self._message(entry))
                    return True
            # Before the preview: seats may change while it runs.
            self.seen = self._fingerprint()
            self.effect = preview(change, tournament_id=self.round.tournament_id)
        return False

    @property
    def chosen(self) -> list[tuple[str, str]]:
        """Return (name, value) of each field of the sent form, to be sent again to apply it."""
        others = {"csrfmiddlewaretoken", "step", "seen", "why", "reason"}
        lists = self.request.POST.lists()
        return [(name, value) for name, values in lists if name not in others for value in values]

    def _fingerprint(self) -> str:
        """Return a digest of the choice and of the present seats, to notice a stale preview."""
        stints = [
            (seat.pk, seat.sitting_id, seat.place, seat.player_id, seat.from_hand, seat.to_hand)
            for seat in (seat_now.seat for seat_now in seats_of(self.round))
        ]
        return sha256(json.dumps([sorted(self.chosen), stints]).encode()).hexdigest()

    def _message(self, entry: LogEntry) -> str:
        """Return the message after a change of seats, with a link that undoes it."""
        if self.sent_form == "exchange":
            player, other = entry.on["players"]
            sentence = _("%(one)s and %(other)s have changed seats, for all that was played.")
            if self.exchange_form.only_together:
                sentence = _(
                    "%(one)s and %(other)s have changed seats, for the hands that both were there."
                )
        else:
            player, other = entry.on["came"], entry.on["left"]
            match Reach(entry.numbers["reach"]):
                case Reach.HANDS:
                    sentence = _("It was %(one)s, and not %(other)s, from hand %(first)d on.")
                case Reach.ROUND:
                    sentence = _("It was %(one)s, and not %(other)s, in this round.")
                case Reach.TOURNAMENT:
                    sentence = _("It was %(one)s, and not %(other)s, in the whole tournament.")
        lookup = Lookup(self.round.tournament.club_id, [entry])
        names = {"one": lookup.player(player), "other": lookup.player(other)}
        return format_html(
            '{} <a href="{}">{}</a>',
            sentence % {**names, "first": entry.numbers.get("from_hand")},
            act_of(entry, lookup).undo_url,
            _("Change it back"),
        )

    def context(self) -> dict[str, Any]:
        return {
            "swap": self.exchange_form,
            "replace": self.replace_form,
            "take": self.substitute_form,
            "reason": self.reason,
            "effect": self.effect,
            "chosen": self.chosen,
            "seen": self.seen,
        }


urlpatterns = [path("rounds/<int:round_id>/seats/", round_seats, name="round-seats")]
