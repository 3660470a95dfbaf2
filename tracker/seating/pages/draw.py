"""The draw of the coming round: looked at, changed, published, opened."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import SystemRandom
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils import timezone
from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods
from django.views.decorators.vary import vary_on_headers

from games.errors import RuleError
from tracker.common.names import split_names
from tracker.common.refusals import refusing, sentence
from tracker.common.web import access
from tracker.common.web.htmx import HtmxHttpRequest
from tracker.common.web.parameters import key_in, number_in
from tracker.common.web.returning import FROM_NIGHT, came_from_night, way_back
from tracker.common.wording import together
from tracker.models import (
    Draw,
    Entrant,
    Format,
    Player,
    RankedBy,
    Role,
    RoundState,
    SeatingWish,
    Sitting,
    Tournament,
    WishKind,
)
from tracker.movements.catalogue import MOVEMENTS
from tracker.movements.types import RoundSeating
from tracker.seating.forms.draw import DrawForm
from tracker.seating.logic.saved_draws import round_from_json
from tracker.seating.queries.coming_round import ComingRound, coming_round
from tracker.seating.queries.drawn_round import ShownRound, shown_round, summary_of
from tracker.seating.queries.movement_question import account_of, question_of
from tracker.seating.services.drawing import (
    discard_draws,
    draw_rounds,
    lock_table,
    mend_draw,
    publish_draws,
    redraw,
    swap,
    swapped_plan,
)
from tracker.seating.services.opening import open_draw
from tracker.tournaments.queries.games import rankings_for

DICE = SystemRandom()
_LONGEST_LINE = 500  # of names that are added at once


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
            swapping["refusal"] = sentence(error)
        if request.htmx:
            return render(request, "seating/draws/draw.html#effect", swapping)
    elif do == "set":
        if form.is_valid():
            with refusing(form):
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
            messages.warning(request, sentence(error))
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
            return way_back(request, open_draw(tournament_id=pk, by=by, rng=DICE))
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


def promises_missed(
    tournament: Tournament, seating: RoundSeating, night_id: int | None
) -> tuple[str, ...]:
    """Return a sentence for each player not seated at the promised table, with a remedy.

    It takes a query, and one more where a promise is missed.
    """
    seated = seating.table_of
    team = "teams__" if tournament.format == Format.TEAMS else ""
    entrant = f"player__{team}entrants"
    wishes = SeatingWish.objects.filter(
        kind=WishKind.KEEPS_TABLE, **{f"{entrant}__in": list(seated)}
    )
    promised = wishes.order_by("pk").values_list(entrant, "player__name", "table")
    missed = [(name, table, seated[unit]) for unit, name, table in promised if unit in seated]
    missed = [(name, table, now) for name, table, now in missed if table != now]
    if not missed:
        return ()
    # Trap: ``None`` would be every round of the site without a night, of other clubs too.
    elsewhere = Sitting.objects.filter(
        round__night__in=[night_id] if night_id is not None else [],
        round__state=RoundState.OPEN,
        number__in=[table for _name, table, _now in missed],
    ).exclude(round__tournament=tournament)
    taken = dict(elsewhere.values_list("number", "round__tournament__name"))
    return tuple(
        (
            _(
                "%(name)s’s table %(table)d is taken by %(tournament)s. Draw again once that round"
                " is closed, or promise another table."
            )
            if table in taken
            else _(
                "%(name)s is promised table %(table)d, and this draw says table %(now)d. Draw"
                " again, or promise another table."
            )
        )
        % {"name": name, "table": table, "now": now, "tournament": taken.get(table)}
        for name, table, now in missed
    )


urlpatterns = [
    path("tournaments/<int:tournament_id>/draw/", draw, name="draw"),
]
