"""From those who are here to people on chairs: order, tables, an open round."""

from collections.abc import Sequence
from datetime import datetime
from itertools import islice
from random import Random
from typing import Any

from django.db import transaction

from games.errors import gettext_noop
from games.mode import Mode, individuals
from tracker.logic.movements import Unit, at_a_table, fit
from tracker.logic.movements.catalogue import IN_ORDER, MOVEMENTS
from tracker.logic.movements.in_order import in_order
from tracker.logic.movements.mixed import mixed
from tracker.models import Entrant, Format, Round, Tournament
from tracker.queries.nights import going_on
from tracker.queries.rounds import lineups, rests
from tracker.services.clocks import start_clock
from tracker.services.entering import enter_players, enter_teams
from tracker.services.errors import Refused
from tracker.services.opening import TablePlan
from tracker.services.players import add_players
from tracker.services.rounds import open_round
from tracker.services.tournaments import in_units, kept_length


@transaction.atomic
def seat_round(
    *,
    tournament_id: int,
    entrants: Sequence[int],
    now: datetime,
    rng: Random,
    mode: str | None = None,
    hands: int | None = None,
    games: int | None = None,
    movement: str = IN_ORDER,
    everybody: bool = False,
    night_id: int | None = None,
    user_id: int | None = None,
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
    drawn = _drawn(movement, tournament_id, entrants, rng)
    units = [
        Unit(key=entrant, rested=times)
        for entrant, times in zip(entrants, drawn["rested"], strict=True)
    ]
    # Where nobody rests the movement lays them all out in one row.
    row = individuals(len(units), "") if everybody else modes[0]
    seating = MOVEMENTS[movement].seat(units, row, fixed and not everybody, Random(drawn["seed"]))
    tables = _cut(seating.tables[0], modes, fixed=fixed) if everybody else seating.tables
    return open_round(
        tournament_id=tournament_id,
        tables=_plans(tournament, tables, modes, fixed=fixed),
        now=now,
        rng=rng,
        user_id=user_id,
        hands=hands,
        games=games,
        plan={
            "movement": movement,
            "mode": mode or tournament.mode,
            "everybody": everybody,
            "order": list(entrants),
            "resting": list(seating.resting),
            **(drawn if movement != IN_ORDER else {}),
        },
        night_id=night_id,
    )


@transaction.atomic
def seat_next_round(
    *,
    tournament_id: int,
    entrants: Sequence[int],
    newcomers: Sequence[int] = (),
    new_names: Sequence[str] = (),
    now: datetime,
    rng: Random,
    mode: str | None = None,
    length: int | None = None,
    minutes: int | None = None,
    movement: str = IN_ORDER,
    everybody: bool = False,
    user_id: int | None = None,
) -> Round:
    """Enter whoever is new, and seat them after the others; all or nothing.

    In the order given nobody rests in their first round while others can: for somebody
    new to sit down, the one rests whose turn it is.

    If the club has a night going on, it is a round of that night. With *minutes* its
    clock starts at once.

    *newcomers* are players of the club, or its teams where fixed teams play; only
    players can be new to the club by name.

    :raises Refused: on the terms of ``seat_round``, ``enter_players``, ``add_players`` and
        ``start_clock``.
    """
    tournament = Tournament.objects.get(pk=tournament_id)
    if tournament.format == Format.TEAMS:
        new = enter_teams(tournament_id=tournament_id, teams=newcomers, now=now, user_id=user_id)
    else:
        added = add_players(club_id=tournament.club_id, names=new_names, user_id=user_id, now=now)
        here = dict.fromkeys([*newcomers, *(player.pk for player in added.players)])
        new = enter_players(
            tournament_id=tournament_id, players=list(here), now=now, user_id=user_id
        )
    # Whoever is written anew although they have a number already keeps the number.
    order = list(dict.fromkeys([*entrants, *(entrant.pk for entrant in new)]))
    if movement == IN_ORDER and not everybody and len(order) > len(entrants):
        order = _newcomers_sit(tournament, order, len(entrants), mode or tournament.mode)
    units = in_units(tournament.rules, kept_length(length)) if length is not None else {}
    night = going_on(tournament.club_id, now)
    round_ = seat_round(
        tournament_id=tournament_id,
        entrants=order,
        mode=mode,
        now=now,
        rng=rng,
        movement=movement,
        everybody=everybody,
        night_id=night.pk if night else None,
        user_id=user_id,
        **units,
    )
    if minutes is None:
        return round_
    return start_clock(round_id=round_.pk, minutes=minutes, now=now, user_id=user_id)


def _modes(tournament: Tournament, units: int, mode: str, *, everybody: bool) -> tuple[Mode, ...]:
    """Return how the tables are played: of each one its mode.

    :raises Refused: ``too-few``, or ``tables-unfit`` if *everybody* cannot have a place.
    """
    options = tournament.rules.complete_options(tournament.options)
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


def _cut(row: Sequence[int], modes: Sequence[Mode], *, fixed: bool) -> list[tuple[int, ...]]:
    """Cut a row of units into tables."""
    left = iter(row)
    return [tuple(islice(left, at_a_table(mode, fixed))) for mode in modes]


def _newcomers_sit(tournament: Tournament, order: Sequence[int], old: int, mode: str) -> list[int]:
    """Return *order*, of whom all but the first *old* are new, with those last who then rest."""
    played = tournament.rules.mode(mode, tournament.rules.complete_options(tournament.options))
    fixed = tournament.format == Format.TEAMS
    shown = old - fit(old, played, fixed).resting  # from here on people were told that they rest
    times = rests(tournament.pk)
    most = max(times.values(), default=0) + 1

    def rested(position: int) -> int:
        if position >= old:
            return most
        return times[order[position]] if position < shown else -1

    units = [Unit(key=key, rested=rested(position)) for position, key in enumerate(order)]
    seating = in_order(units, played, fixed, Random(0))
    return [*(entrant for table in seating.tables for entrant in table), *seating.resting]


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


def _plans(
    tournament: Tournament, tables: Sequence[Sequence[int]], modes: Sequence[Mode], *, fixed: bool
) -> list[TablePlan]:
    """Return who takes which place: players in order, or of each team its first people."""
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
    return [
        _plan(table, mode, entered, people, fixed=fixed)
        for table, mode in zip(tables, modes, strict=True)
    ]


def _plan(
    table: Sequence[int],
    mode: Mode,
    entered: dict[int, Entrant],
    people: dict[int, tuple[int, ...]],
    *,
    fixed: bool,
) -> TablePlan:
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
    return TablePlan(mode=mode.code, players=tuple(players), entrants=tuple(entrants))
