"""The page of a draw: the round as it would open, what changed since, and what a swap would do."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.text import get_text_list
from django.utils.translation import gettext, ngettext

from tracker.draws.logic.saved import round_from_json
from tracker.draws.queries.coming import ComingRound
from tracker.draws.queries.question import account_of, question_of
from tracker.draws.queries.shown import ShownRound, shown_round, summary_of
from tracker.models import (
    Draw,
    Entrant,
    Format,
    Player,
    RankedBy,
    RoundState,
    SeatingWish,
    Sitting,
    Tournament,
    WishKind,
)
from tracker.seating.logic.movements.catalogue import MOVEMENTS
from tracker.seating.logic.movements.seam import RoundSeating
from tracker.tournaments.games import rankings_for


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
            template % {"names": get_text_list(names, gettext("and"))}
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
    """Say where what decides does not suit the tables of the last of these rounds."""
    known = rankings_for(tournament.rules, tournament.house_rules)
    ranked_by = RankedBy(tournament.ranked_by)
    sizes = {len(table.units) for round_ in rounds for table in round_.tables}
    words = {"figure": gettext(tournament.ranking(ranked_by)[0].label)}
    if len(sizes) > 1 and RankedBy.SHARE in known and ranked_by != RankedBy.SHARE:
        return (
            gettext("The standings go by %(figure)s, and tables are not all of one size.") % words
        )
    has_choice = len(known) > 1 and ranked_by in known
    if len(rounds[-1].tables) > 1 and ranked_by == RankedBy.GAME and has_choice:
        return gettext("The standings go by %(figure)s, which suits a single table.") % words
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
        gettext("Table %(number)d: %(now)s deals first (was %(was)s).")
        % {"number": number, "now": named[opener], "was": named[openers[0][number]]}
        for number, opener in openers[1].items()
        if opener != openers[0][number]
    ]
    if len(says) == 1:
        says.append(gettext("The same people deal first."))
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
            gettext(
                "%(name)s’s table %(table)d is taken by %(tournament)s. Draw again once that round"
                " is closed, or promise another table."
            )
            if table in taken
            else gettext(
                "%(name)s is promised table %(table)d, and this draw says table %(now)d. Draw"
                " again, or promise another table."
            )
        )
        % {"name": name, "table": table, "now": now, "tournament": taken.get(table)}
        for name, table, now in missed
    )
