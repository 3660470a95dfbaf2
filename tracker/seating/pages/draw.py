"""The draw of the coming round: looked at, changed, published, opened."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import SystemRandom
from typing import Any

from django import forms
from django.contrib import messages
from django.forms.boundfield import BoundField
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils import timezone
from django.utils.text import get_text_list
from django.utils.translation import gettext, gettext_lazy, ngettext
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods
from django.views.decorators.vary import vary_on_headers

from games.errors import RuleError
from tracker.common.forms import CountField, LinesField, TapField, refusal_text, refusals_on
from tracker.common.names import split_names
from tracker.common.web import access
from tracker.common.web.requests import (
    FROM_NIGHT,
    HtmxHttpRequest,
    came_from_night,
    key_in,
    number_in,
    return_page,
)
from tracker.common.wording import together
from tracker.models import (
    Draw,
    Entrant,
    Format,
    Movement,
    Player,
    RankedBy,
    Role,
    Tournament,
)
from tracker.movements.catalogue import MOVEMENTS
from tracker.movements.types import RoundSeating
from tracker.seating.logic.saved_draws import Settings, round_from_json
from tracker.seating.queries.coming_round import ComingRound, coming_round, entrants_by_name
from tracker.seating.queries.drawn_round import ShownRound, shown_round, summary_of
from tracker.seating.queries.movement_plans import account_of, modes_of, question_of
from tracker.seating.queries.players import waiting_players
from tracker.seating.queries.wishes import promises_missed
from tracker.seating.services.draws import (
    discard_draws,
    draw_rounds,
    lock_table,
    mend_draw,
    publish_draws,
    redraw,
    swap,
    swapped_plan,
)
from tracker.seating.services.round_opening import open_draw
from tracker.tournaments.forms.tournaments import A_NAME_A_LINE, A_TEAM_A_LINE
from tracker.tournaments.queries.games import rankings_for
from tracker.tournaments.queries.tournaments import newcomers
from tracker.tournaments.services.seating_terms import movements_for

DICE = SystemRandom()
_LONGEST_LINE = 500  # of names that are added at once
_PREFIX = "place_"


class DrawForm(forms.Form):
    """The settings of a draw, and the entrants who may play in it.

    Where people sit in the order of their numbers, everybody has a field for a number;
    otherwise everybody is tapped who plays.
    """

    movement = forms.ChoiceField(label=gettext_lazy("Who sits where?"))
    mode = forms.ChoiceField(label=gettext_lazy("How do people sit?"))
    odd_tables = forms.ChoiceField(
        label=gettext_lazy("Whoever is left over"),
        choices=[
            ("", gettext_lazy("sits out, in turn")),
            ("yes", gettext_lazy("sits at an odd-sized table, in turn")),
        ],
        required=False,
    )
    length = CountField(most=Tournament.LONGEST_ROUND)
    minutes = CountField(
        label=gettext_lazy("How many minutes?"),
        help_text=gettext_lazy(
            "The clock starts with the round. Leave empty to start one later, or none."
        ),
        required=False,
        most=Tournament.MOST_MINUTES,
    )
    rounds = CountField(
        label=gettext_lazy("How many rounds to draw?"),
        help_text=gettext_lazy("Drawn ahead, rounds repeat less than one by one."),
        required=False,
        most=Tournament.MOST_ROUNDS,
    )
    playing = TapField(label=gettext_lazy("Who plays this round?"))
    more = TapField()
    names = LinesField(label=gettext_lazy("Who plays?"), rows=4)

    def __init__(
        self,
        *args: Any,
        coming: ComingRound,
        **kwargs: Any,
    ) -> None:
        """Start as the round was drawn, or as is usual."""
        tournament, settings, present = coming.tournament, coming.settings(), coming.present()
        here = waiting_players(coming.night)
        self.entrants, self.others = entrants_by_name(tournament), newcomers(tournament)
        kwargs["initial"] = {
            "movement": settings.movement,
            "mode": settings.mode,
            "odd_tables": "yes" if settings.odd_tables else "",
            "length": settings.length or tournament.rules.usual_length,
            "minutes": settings.minutes,
            "rounds": coming.rounds(settings.movement),
            "playing": present,
            "more": [player for player, _name in self.others if player in here],
        }
        super().__init__(*args, **kwargs)
        modes = [(mode.code, gettext(mode.name)) for mode in modes_of(tournament)]
        self._offer("mode", modes)
        movements = movements_for(tournament.format, of_two=tournament.table_mode.seats == 2)
        self._offer("movement", [(each.value, str(each.label)) for each in movements])
        self._offer("playing", self.entrants)
        self._offer("more", self.others)
        self._speak_of(tournament)
        self.by_number = settings.movement == Movement.IN_ORDER
        if self.by_number:
            del self.fields["playing"]
            number_of = {entrant: number for number, entrant in enumerate(present, start=1)}
            for entrant, name in self.entrants:
                self.fields[_PREFIX + str(entrant)] = CountField(
                    label=name, required=False, most=999, initial=number_of.get(entrant)
                )

    def _offer(self, field: str, choices: Sequence[tuple[Any, str]]) -> None:
        self.fields[field].choices = choices  # type: ignore[attr-defined]

    def _speak_of(self, tournament: Tournament) -> None:
        """Say what a round is counted in, who can be new, and what odd-sized tables mean."""
        rules = tournament.rules
        many = gettext("games") if rules.round_in_games else gettext(rules.unit.many)
        self.fields["length"].label = gettext("How many %(units)s?") % {"units": many}
        self.fields["odd_tables"].help_text = (
            gettext(
                "Careful: at a larger table everybody wins less often, and the standings do not make"
                " up for it."
            )
            if rules.across is None
            else gettext("Such tables are compared by the share of the table everybody beat.")
            if tournament.ranked_by == RankedBy.SHARE
            else gettext("Careful: larger tables give more points. Let the share decide instead.")
        )
        if tournament.format == Format.TEAMS:
            self.fields["more"].label = gettext("Teams of the club")
            self.fields["names"].help_text = A_TEAM_A_LINE
        else:
            self.fields["more"].label = gettext("Players of the club")
            self.fields["names"].help_text = A_NAME_A_LINE
        if self.entrants:
            self.fields["names"].label = gettext("Who is new?")

    @property
    def places(self) -> list[BoundField]:
        """Return the number fields of the entrants, in the order of the numbers."""
        fields = [self[_PREFIX + str(entrant)] for entrant, _name in self.entrants]
        return sorted(fields, key=lambda field: (field.initial is None, field.initial or 0))

    @property
    def settings(self) -> Settings:
        asked = self.cleaned_data
        return Settings(
            movement=asked["movement"],
            mode=asked["mode"],
            odd_tables=bool(asked["odd_tables"]),
            length=asked["length"],
            minutes=asked["minutes"],
        )

    @property
    def order(self) -> list[int]:
        """Return who plays: by their numbers, equal ones as listed, or as they are listed."""
        if not self.by_number:
            playing = set(self.cleaned_data["playing"])
            return [entrant for entrant, _name in self.entrants if entrant in playing]
        numbers = [
            (self.cleaned_data[_PREFIX + str(entrant)], at, entrant)
            for at, (entrant, _name) in enumerate(self.entrants)
        ]
        return [entrant for number, _at, entrant in sorted(filter(lambda row: row[0], numbers))]


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@vary_on_headers("HX-Request")
def draw(request: HtmxHttpRequest, tournament_id: int) -> HttpResponse:
    """Show the coming round as it would open, and take changes to it."""
    tournament = access.tournament(request, tournament_id, Role.ORGANISER)
    coming = coming_round(tournament, now=timezone.now())
    do = request.POST.get("do", "")
    form = DrawForm(request.POST if do == "set" else None, coming=coming)
    swapping: dict[str, object] = {}
    if do == "look" and coming.draw:
        swapping["tapped"] = units = _two_tapped(request)
        try:
            swapping["effect"] = swap_effect(coming.draw, units, swapped_plan(coming.draw, units))
        except RuleError as error:
            swapping["refusal"] = refusal_text(error)
        if request.htmx:
            return render(request, "seating/draws/draw.html#effect", swapping)
    elif do == "set":
        if form.is_valid():
            with refusals_on(form):
                draw_rounds(
                    tournament_id=tournament.pk,
                    by=access.actor(request),
                    rng=DICE,
                    settings=form.settings,
                    entrants=form.order,
                    newcomers=form.cleaned_data["more"],
                    new_names=form.cleaned_data["names"],
                    rounds=form.cleaned_data["rounds"],
                )
        if form.is_valid():
            return redirect(_draw_address(request, tournament))
    elif do:
        try:
            return redirect(_act(request, coming, do))
        except RuleError as error:
            messages.warning(request, refusal_text(error))
        return redirect(_draw_address(request, tournament))
    context = access.context(
        request,
        tournament.club,
        tournament=tournament,
        round=coming.last,
        number=coming.number,
        form=form,
        page=draw_page(coming),
        **swapping,
    )
    return render(request, "seating/draws/draw.html", context)


def _act(request: HttpRequest, coming: ComingRound, pressed: str) -> str:
    """Do what the pressed button says, and return the address to go to.

    A button may name a table, as ``lock:3``.

    :raises RuleError: why not, if it cannot be done.
    """
    do, _colon, table = pressed.partition(":")
    by, pk = access.actor(request), coming.tournament.pk
    match do:
        case "draw" if not coming.drawn:
            draw_rounds(tournament_id=pk, newcomers=coming.arrivals(), by=by, rng=DICE)
        case "redraw":
            redraw(tournament_id=pk, by=by, rng=DICE)
        case "open" if not coming.changes():
            return return_page(request, open_draw(tournament_id=pk, by=by, rng=DICE))
        case "mend" | "open":  # where people came or went, the draw is shown before it opens
            mend_draw(tournament_id=pk, newcomers=coming.arrivals(), by=by, rng=DICE)
            messages.success(request, _("The draw is updated. Have another look."))
        case "add":
            _add(request, coming)
        case "swap":
            swap(tournament_id=pk, units=_two_tapped(request), by=by)
        case "lock" | "free":
            number = number_in(table) or 0
            lock_table(tournament_id=pk, number=number, locked=do == "lock", by=by)
        case "publish":
            publish_draws(tournament_id=pk, by=by)
            messages.success(request, _("Everybody can see it now, on phones and on the display."))
        case "discard":
            discard_draws(tournament_id=pk, by=by)
            return reverse("desk", args=[pk])
    return _draw_address(request, coming.tournament)


def _draw_address(request: HttpRequest, tournament: Tournament) -> str:
    """Return the address of the page, with the way back from it."""
    back = FROM_NIGHT if came_from_night(request) else ""
    return reverse("draw", args=[tournament.pk]) + back


def _two_tapped(request: HttpRequest) -> tuple[int, int]:
    """Return the keys of the two who are tapped; 0 and 0 if they are not two."""
    tapped = [key_in(unit) for unit in request.POST.getlist("unit")]
    return (tapped[0], tapped[1]) if len(tapped) == 2 else (0, 0)


def _add(request: HttpRequest, coming: ComingRound) -> None:
    """Enter people by name alone, and seat them in the coming round."""
    names = split_names(request.POST.get("names", "")[:_LONGEST_LINE])
    if not names:
        messages.warning(request, _("Type the name of whoever has arrived."))
        return
    before = {unit for draw in coming.drawn[:1] for unit in draw.question["present"]}
    drawn = mend_draw(
        tournament_id=coming.tournament.pk,
        new_names=names,
        by=access.actor(request),
        rng=DICE,
    )
    plan = round_from_json(drawn[0].plan)
    people = {each.pk: str(each) for each in coming.tournament.entrants.select_related("player")}
    says = [
        _("%(name)s plays at table %(number)d.") % {"name": people[unit], "number": table.number}
        for table in plan.tables
        for unit in table.units
        if unit not in before
    ]
    resting = ngettext(
        "%(names)s sits out this round.", "%(names)s sit out this round.", len(plan.resting)
    )
    if plan.resting:
        says.append(resting % {"names": together([people[unit] for unit in plan.resting])})
    messages.success(request, " ".join(says))


# What the page shows -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawPage:
    """A draw with names; ``changes`` says who came or went since, ``later`` are rounds planned on."""

    draw: Draw
    round: ShownRound
    changes: tuple[str, ...]
    later: tuple[int, ...]
    bracket: bool  # those in no match are out, or have a bye
    missed: tuple[str, ...]  # sentences about promised tables
    ranking: str  # what the standings go by, where these tables do not suit it


@dataclass(frozen=True, slots=True, kw_only=True)
class SwapEffect:
    """What the exchange of two entrants does, in words, before it is done."""

    names: tuple[str, str]
    says: tuple[str, ...]


def draw_page(coming: ComingRound) -> DrawPage | None:
    """Return the coming round as it is drawn, if it is, in a fixed number of queries."""
    if not coming.drawn:
        return None
    draw, *later = coming.drawn
    changes = coming.changes()
    came, left = [], []
    if changes:
        arrived = Player.objects.filter(pk__in=changes.arrived).order_by("name_key")
        came = [*map(str, Entrant.objects.filter(pk__in=changes.new).by_name()), *map(str, arrived)]
        left = list(map(str, Entrant.objects.filter(pk__in=changes.gone).by_name()))
    seating = round_from_json(draw.plan)
    question = question_of(draw)
    seen = account_of(draw, question, seating)
    mode = draw.question["settings"]["mode"]
    shown = shown_round(draw.tournament, draw.number, draw.plan, mode, seen)
    return DrawPage(
        draw=draw,
        round=shown,
        changes=tuple(
            template % {"names": get_text_list(names, _("and"))}
            for names, template in (
                (came, ngettext("%(names)s has arrived.", "%(names)s have arrived.", len(came))),
                (
                    left,
                    ngettext("%(names)s has gone home.", "%(names)s have gone home.", len(left)),
                ),
            )
            if names
        ),
        later=tuple(each.number for each in later),
        bracket=MOVEMENTS[draw.question["settings"]["movement"]].bracket,
        missed=promises_missed(draw.tournament, seating, coming.night_id),
        ranking=_ranking(draw.tournament, [*question.played, seating]),
    )


def _ranking(tournament: Tournament, rounds: Sequence[RoundSeating]) -> str:
    """Return a warning if the ranking does not suit the tables of the last of these rounds."""
    known = rankings_for(tournament.rules, tournament.house_rules)
    ranked_by = RankedBy(tournament.ranked_by)
    sizes = {len(table.units) for round_ in rounds for table in round_.tables}
    words = {"figure": _(tournament.ranking(ranked_by)[0].label)}
    if len(sizes) > 1 and RankedBy.SHARE in known and ranked_by != RankedBy.SHARE:
        return _("The standings go by %(figure)s, and tables are not all of one size.") % words
    has_choice = len(known) > 1 and ranked_by in known
    if len(rounds[-1].tables) > 1 and ranked_by == RankedBy.GAME and has_choice:
        return _("The standings go by %(figure)s, which suits a single table.") % words
    return ""


def swap_effect(draw: Draw, units: tuple[int, int], plan: Mapping[str, Any]) -> SwapEffect:
    """Say how many have met before and who deals first once two have changed places, as in *plan*."""
    before, after = round_from_json(draw.plan), round_from_json(plan)
    question = question_of(draw)
    # By table, where that is settled before they sit down.
    openers = [
        {
            table.number or 0: table.units[table.opener]
            for table in seating.tables
            if table.opener is not None
        }
        for seating in (before, after)
    ]
    concerned = {*units, *openers[0].values(), *openers[1].values()}
    named = Entrant.objects.filter(pk__in=concerned).names()
    says = [summary_of(account_of(draw, question, after), draw.tournament)]
    says += [
        _("Table %(number)d: %(now)s deals first (was %(was)s).")
        % {"number": number, "now": named[opener], "was": named[openers[0][number]]}
        for number, opener in openers[1].items()
        if opener != openers[0][number]
    ]
    if len(says) == 1:
        says.append(_("The same people deal first."))
    return SwapEffect(names=(named[units[0]], named[units[1]]), says=tuple(says))


urlpatterns = [
    path("tournaments/<int:tournament_id>/draw/", draw, name="draw"),
]
