"""The rounds played in a tournament, with seats and results, in the form that movements read.

A *movement* is the way to find who sits where. It seats *units*: here entrants, which are players,
or fixed teams, each on a whole side of a table. A *merit* is the result of a unit at a table: its
figures by the criteria of the tournament, the most important first, the larger the better.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from operator import attrgetter
from typing import Any, TypeAlias

from django.db.models import F

from games.game import FirstDealer
from games.mode import Mode
from tracker.criteria.ranking_criteria import criteria_at_a_table
from tracker.models import Format, Rest, Round, Seat, Tournament
from tracker.models.progress import is_level
from tracker.movements.types import RoundSeating, TableSeating, TableShape
from tracker.standings.logic.ranking import Merit
from tracker.standings.queries.match_points import is_over
from tracker.standings.queries.sums import sums_by_round

# Keyed by tournament, then by the number of a round, then by entrant.
_Merits: TypeAlias = Mapping[int, Mapping[int, Mapping[int, Merit]]]

# The columns of a table (a ``Sitting``) that are read with each of its seats; three count results.
_TABLE_COLUMNS = ("number", "mode", "first_dealer", "hands_standing", "games_over", "not_played")
# More of them: only a match of a bracket has ``side_points``. If these were equal, ``decided_side``
# is the side that won by a decision, and ``decided_by`` says which: by lot or by the organiser.
_MATCH_COLUMNS = ("side_points", "decided_side", "decided_by")


def shape_of(mode: Mode, *, fixed: bool) -> TableShape:
    """Return the shape of a table in this mode; a *fixed* team takes one place, that of its side.

    >>> from games.mode import teams
    >>> four = teams(4, 2, "")
    >>> shape_of(four, fixed=False).sides, shape_of(four, fixed=True).sides
    (((0, 2), (1, 3)), ((0,), (1,)))
    """
    if fixed:
        return TableShape(mode.code, tuple((side,) for side in range(len(mode.sides))))
    return TableShape(mode.code, mode.sides)


def played_rounds(
    tournament: Tournament, *, before: int | None = None, with_merits: bool = False
) -> tuple[RoundSeating, ...]:
    """Return the rounds of a tournament that are not undone, open ones too, in three queries.

    *before* leaves out the round of that number and all later ones. A place belongs to the entrant
    who took it over last. *with_merits*, in one query more, tables that are over have merits.
    """
    return rounds_by_tournament([tournament], before=before, with_merits=with_merits)[tournament.pk]


def rounds_by_tournament(
    tournaments: Collection[Tournament], *, before: int | None = None, with_merits: bool = False
) -> Mapping[int, tuple[RoundSeating, ...]]:
    """Return the ``played_rounds`` keyed by tournament, in as many queries as for one.

    If some play in teams and others do not, merits take one query more.
    """
    tournament_by = {tournament.pk: tournament for tournament in tournaments}
    not_undone = Round.objects.filter(tournament__in=tournaments).not_undone()
    if before is not None:
        not_undone = not_undone.filter(number__lt=before)
    rounds = list(not_undone.order_by("number").defer("published_standing"))
    for round_ in rounds:
        round_.tournament = tournament_by[round_.tournament_id]  # saves a query for each round
    merits = _merits_by_round(tournaments) if with_merits else None
    tables = _tables_by_round(rounds, merits)
    resting: dict[int, list[int]] = defaultdict(list)  # keyed by round
    rests = Rest.objects.sat_out().filter(round__in=rounds)
    for round_id, entrant in rests.order_by("pk").values_list("round_id", "entrant_id"):
        resting[round_id].append(entrant)
    played: dict[int, list[RoundSeating]] = {key: [] for key in tournament_by}
    for round_ in rounds:
        seating = RoundSeating(
            tables=tuple(sorted(tables[round_.pk], key=lambda table: table.number or 0)),
            resting=tuple(resting[round_.pk]),
        )
        played[round_.tournament_id].append(seating)
    return {tournament: tuple(seatings) for tournament, seatings in played.items()}


def _tables_by_round(
    rounds: Collection[Round], merits: _Merits | None
) -> Mapping[int, Sequence[TableSeating]]:
    """Return the tables as they were seated, keyed by round, in one query.

    Without *merits*, which are those of ``_merits_by_round``, no table has merits.
    """
    round_by = {round_.pk: round_ for round_ in rounds}
    columns = {name: F(f"sitting__{name}") for name in (*_TABLE_COLUMNS, *_MATCH_COLUMNS)}
    running = Seat.objects.running().filter(round__in=rounds).annotate(**columns)
    rows = running.order_by("sitting_id", "place").values_list(
        "round_id", "sitting_id", "place", "side", "entrant_id", *columns, named=True
    )
    tables: dict[int, list[TableSeating]] = {round_.pk: [] for round_ in rounds}
    for _, group in groupby(rows, key=attrgetter("sitting_id")):
        seats = list(group)  # of one table
        round_ = round_by[seats[0].round_id]
        # Tables are stored, and so read, in the order of the draw, which gave them labels. Those
        # that joined later come after them, and have no label.
        drawn = round_.seating_plan.get("seating", {}).get("tables", ())
        position = len(tables[round_.pk])
        label = drawn[position]["label"] if position < len(drawn) else ""
        tables[round_.pk].append(_table_seating(seats, round_, label, merits))
    return tables


def _table_seating(
    seats: Sequence[Any], round_: Round, label: str, merits: _Merits | None
) -> TableSeating:
    """Return a table from the rows of its seats; each row has the columns of the table too."""
    table, tournament = seats[0], round_.tournament
    mode = tournament.rules.mode(table.mode, tournament.house_rules)
    # A unit has the number of its place, or of its side if it is a fixed team.
    fixed = tournament.format == Format.TEAMS
    unit_at = {seat.side if fixed else seat.place: seat.entrant_id for seat in seats}
    units = tuple(unit_at[number] for number in sorted(unit_at))
    first_dealer = mode.side_of(table.first_dealer) if fixed else table.first_dealer
    cards_decide = tournament.rules.first_dealer is FirstDealer.DRAWN  # at the table
    merit_of = None if merits is None else _merits_at_table(seats, round_, merits)
    return TableSeating(
        shape=shape_of(mode, fixed=fixed),
        units=units,
        opener=None if cards_decide else first_dealer,
        number=table.number,
        label=label,
        merits=None if merit_of is None else tuple(merit_of.get(unit, ()) for unit in units),
        decided_by=table.decided_by,
    )


def _merits_at_table(
    seats: Sequence[Any], round_: Round, merits: _Merits
) -> Mapping[int, Merit] | None:
    """Return the merits at a table, keyed by entrant; ``None`` if it is not over.

    In a bracket a merit is (points, 1 if a level match was decided for the side, else 0). Otherwise
    it is one of *merits*, and the result is ``None`` also if the whole round has none.
    """
    table, tournament = seats[0], round_.tournament
    level = is_level(table.side_points, table.decided_side)
    if not is_over(round_, round_.state, table, level=level):
        return None
    if table.side_points is None:
        return merits[tournament.pk].get(round_.number)
    criterion = tournament.rules.match_points(tournament.house_rules, in_games=bool(round_.games))
    # Stored points are whole numbers of parts: if a point has two parts, 7½ is stored as 15.
    return {
        seat.entrant_id: (
            Fraction(table.side_points[seat.side], criterion.parts),
            int(seat.side == table.decided_side),
        )
        for seat in seats
    }


def _merits_by_round(tournaments: Collection[Tournament]) -> _Merits:
    """Return the merit of every entrant in each round, to compare those at one table."""
    sums = sums_by_round(tournaments)
    merits: dict[int, dict[int, dict[int, Merit]]] = {}
    for tournament in tournaments:
        criteria = criteria_at_a_table(tournament)
        merits[tournament.pk] = {
            number: {
                entrant: tuple(
                    -criterion.value(marks) if criterion.fewest else criterion.value(marks)
                    for criterion in criteria
                )
                for entrant, marks in of_entrants.items()
            }
            for number, of_entrants in sums.get(tournament.pk, {}).items()
        }
    return merits
