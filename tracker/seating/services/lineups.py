"""Who takes which place at a table: players in order, or of each team its first people."""

from collections.abc import Sequence

from games.errors import gettext_noop
from games.mode import Mode
from tracker.common.errors import Refused
from tracker.models import Entrant, Format, Tournament
from tracker.seating.queries.rounds import lineups
from tracker.seating.services.opening import TablePlan


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
