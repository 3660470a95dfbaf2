"""From entrants in an order to tables, by a movement, and so to an open round."""

from collections import Counter
from collections.abc import Sequence
from itertools import islice
from random import Random

from django.db import transaction

from games.errors import gettext_noop
from games.mode import Mode, individuals
from tracker.common.actor import Actor
from tracker.common.errors import Refused
from tracker.models import Entrant, Format, Round, Tournament
from tracker.seating.logic.movements import Seating, Unit, at_a_table, fit
from tracker.seating.logic.movements.catalogue import IN_ORDER, MOVEMENTS
from tracker.seating.logic.movements.mixed import mixed
from tracker.seating.queries.rounds import lineups, rests
from tracker.seating.services.opening import TablePlan
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
    if movement not in MOVEMENTS:
        raise Refused(
            "movement-unknown",
            gettext_noop("This site does not know that way to seat people."),
            question="movement",
        )
    # The order given says itself who rests: nobody's rests are asked for there, and nothing drawn.
    in_order = movement == IN_ORDER
    times = Counter[int]() if in_order else rests(tournament_id)
    seed = 0 if in_order else rng.getrandbits(32)
    units = [Unit(key=entrant, rested=times[entrant]) for entrant in entrants]
    seat, dice = MOVEMENTS[movement].seat, Random(seed)
    if everybody:  # the row that the movement lays is cut into tables
        (row,) = seat(units, individuals(len(units), ""), False, dice).tables
        left = iter(row)
        tables = tuple(tuple(islice(left, at_a_table(each, fixed))) for each in modes)
        seating = Seating(tables=tables)
    else:
        seating = seat(units, modes[0], fixed, dice)
    drawn = {} if in_order else {"seed": seed, "rested": [unit.rested for unit in units]}
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
            **drawn,
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
    modes = mixed(units, played, tournament.rules.modes(options), fixed)
    if not modes:
        raise Refused(
            "tables-unfit",
            gettext_noop("No tables of this game seat all %(here)d: somebody has to rest."),
            question="everybody",
            here=units,
        )
    return modes


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


def table_plans(
    tournament: Tournament, tables: Sequence[Sequence[int]], modes: Sequence[Mode]
) -> list[TablePlan]:
    """Return who takes which place at tables of entrants, each played in its mode.

    :raises Refused: ``not-entered``, or ``team-short`` if a team has too few people.
    """
    wanted = [entrant for table in tables for entrant in table]
    entered = {
        entrant.pk: entrant
        for entrant in Entrant.objects.filter(tournament=tournament, pk__in=wanted).select_related(
            "player", "team"
        )
    }
    if len(entered) != len(set(wanted)):
        raise Refused(
            "not-entered", gettext_noop("Somebody at these tables is not in the tournament.")
        )
    people = lineups(entered.values())
    fixed = tournament.format == Format.TEAMS
    plans = []
    for table, mode in zip(tables, modes, strict=True):
        players, entrants = [0] * mode.seats, [0] * mode.seats
        sides = mode.sides if fixed else [(place,) for place in range(mode.seats)]
        for side, entrant in zip(sides, table, strict=True):
            if len(people[entrant]) < len(side):
                raise Refused(
                    "team-short",
                    gettext_noop("%(team)s needs %(needed)d people at the table, but has %(has)d."),
                    team=str(entered[entrant]),
                    needed=len(side),
                    has=len(people[entrant]),
                )
            for place, player in zip(side, people[entrant], strict=False):
                players[place], entrants[place] = player, entrant
        plans.append(TablePlan(mode=mode.code, players=tuple(players), entrants=tuple(entrants)))
    return plans
