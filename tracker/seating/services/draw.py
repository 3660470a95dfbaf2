"""From entrants in an order to tables, by a movement, and so to an open round."""

from collections.abc import Mapping, Sequence
from itertools import islice
from random import Random
from typing import Any

from django.db import transaction

from games.errors import gettext_noop
from games.mode import Mode, individuals
from tracker.common.actor import Actor
from tracker.common.errors import Refused
from tracker.models import Format, Round, Tournament
from tracker.seating.logic.movements import Movement, Seating, Unit, at_a_table, fit
from tracker.seating.logic.movements.catalogue import IN_ORDER, MOVEMENTS
from tracker.seating.logic.movements.mixed import mixed
from tracker.seating.queries.rounds import rests
from tracker.seating.services.lineups import table_plans
from tracker.seating.services.rounds import open_round


@transaction.atomic
def seat_round(
    *,
    tournament_id: int,
    entrants: Sequence[int],
    by: Actor,
    rng: Random,
    mode: str | None = None,
    hands: int | None = None,
    games: int | None = None,
    movement: str = IN_ORDER,
    everybody: bool = False,
    night_id: int | None = None,
) -> Round:
    """Seat the entrants by a movement, and open the round.

    In the order given the last may rest; every other movement has dice of its own,
    whose seed is kept with the round, and lets those rest who rested least. Where
    *everybody* is to play, some tables are of another size instead.

    :raises Refused: if the movement is not known, they are too few for a table or no
        tables seat everybody, a team has too few people, or on the terms of ``open_round``.
    :raises ModeError: if the game has no such tables.
    """
    tournament = Tournament.objects.get(pk=tournament_id)
    fixed = tournament.format == Format.TEAMS
    modes = _modes(tournament, len(entrants), mode or tournament.mode, everybody=everybody)
    seat = _movement(movement)
    drawn = _drawn(movement, tournament_id, entrants, rng)
    seating = _seating(seat, entrants, modes, drawn, fixed=fixed, everybody=everybody)
    return open_round(
        tournament_id=tournament_id,
        tables=table_plans(tournament, seating.tables, modes),
        by=by,
        rng=rng,
        hands=hands,
        games=games,
        resting=seating.resting,
        seating_plan={
            "movement": movement,
            "mode": mode or tournament.mode,
            "everybody": everybody,
            "order": list(entrants),
            **(drawn if movement != IN_ORDER else {}),
        },
        night_id=night_id,
    )


def _modes(tournament: Tournament, units: int, mode: str, *, everybody: bool) -> tuple[Mode, ...]:
    """Return how the tables are played: of each one its mode.

    :raises Refused: ``too-few``, or ``tables-unfit`` if *everybody* cannot have a place.
    """
    options = tournament.house_rules
    played = tournament.rules.mode(mode, options)
    fixed = tournament.format == Format.TEAMS
    if not everybody:
        check_enough(units, played, fixed=fixed)
        return (played,) * fit(units, played, fixed).tables
    found = mixed(units, played, tournament.rules.modes(options), fixed)
    if not found:
        raise Refused(
            "tables-unfit",
            gettext_noop("No tables of this game seat all %(here)d: somebody has to rest."),
            question="everybody",
            here=units,
        )
    return found


def _movement(key: str) -> Movement:
    if key not in MOVEMENTS:
        raise Refused(
            "movement-unknown",
            gettext_noop("This site does not know that way to seat people."),
            question="movement",
        )
    return MOVEMENTS[key].seat


def _seating(
    seat: Movement,
    entrants: Sequence[int],
    modes: Sequence[Mode],
    drawn: Mapping[str, Any],
    *,
    fixed: bool,
    everybody: bool,
) -> Seating:
    """Let the movement seat them; where *everybody* plays, cut into tables the row it lays."""
    units = [
        Unit(key=entrant, rested=times)
        for entrant, times in zip(entrants, drawn["rested"], strict=True)
    ]
    dice = Random(drawn["seed"])
    if not everybody:
        return seat(units, modes[0], fixed, dice)
    (row,) = seat(units, individuals(len(units), ""), False, dice).tables
    left = iter(row)
    return Seating(tables=tuple(tuple(islice(left, at_a_table(mode, fixed))) for mode in modes))


def _drawn(
    movement: str, tournament_id: int, entrants: Sequence[int], rng: Random
) -> dict[str, Any]:
    """Return what a movement is handed besides the order: a seed, and who rested how often.

    The order given says itself who rests, so that there nobody's rests are asked for.
    """
    if movement == IN_ORDER:
        return {"seed": 0, "rested": [0] * len(entrants)}
    times = rests(tournament_id)
    return {"seed": rng.getrandbits(32), "rested": [times[entrant] for entrant in entrants]}


def check_enough(units: int, mode: Mode, *, fixed: bool) -> None:
    """Make sure that they fill a table.

    :raises Refused: ``too-few``, saying how many it takes.
    """
    if fit(units, mode, fixed).tables:
        return
    raise Refused(
        "too-few",
        gettext_noop("A table takes %(needed)d teams here, and only %(here)d are chosen.")
        if fixed
        else gettext_noop("A table takes %(needed)d people here, and only %(here)d are chosen."),
        question="people",
        needed=at_a_table(mode, fixed),
        here=units,
    )
