"""The rounds played in a tournament, with seats and results, in the form that movements read.

A *movement* is the way to find who sits where. It seats *units*: here entrants, which are players,
or fixed teams, each on a whole side of a table. A *merit* is the result of a unit at a table: its
figures by the criteria of the tournament, the most important first, the larger the better.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple, TypeAlias

from games.game import FirstDealer
from games.mode import Mode
from tracker.models import Entrant, Format, Rest, Round, Seat, Tournament
from tracker.models.progress import is_level
from tracker.movements.types import RoundSeating, TableSeating, TableShape
from tracker.standings.logic.ranking import Merit
from tracker.standings.queries.match_points import is_over
from tracker.standings.queries.ranking_criteria import criteria_at_a_table
from tracker.standings.queries.sums import sums_by_round

# Keyed by tournament, then by the number of a round, then by entrant.
_Merits: TypeAlias = Mapping[int, Mapping[int, Mapping[int, Merit]]]


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
    who took it over last. *with_merits*, in two queries more, tables that are over have merits.
    """
    return rounds_by_tournament([tournament], before=before, with_merits=with_merits)[tournament.pk]


def rounds_by_tournament(
    tournaments: Collection[Tournament], *, before: int | None = None, with_merits: bool = False
) -> Mapping[int, tuple[RoundSeating, ...]]:
    """Return the ``played_rounds`` keyed by tournament, in as many queries as for one.

    If some play in teams and others do not, merits take one query more.
    """
    not_undone = Round.objects.filter(tournament__in=tournaments).not_undone()
    if before is not None:
        not_undone = not_undone.filter(number__lt=before)
    rounds = list(not_undone.order_by("number").defer("published_standing"))
    merits = _merits_by_round(tournaments) if with_merits else None
    tables = _tables_by_round(tournaments, rounds, merits)
    resting: dict[int, list[int]] = defaultdict(list)  # keyed by round
    rests = Rest.objects.sat_out().filter(round__in=rounds)
    for round_id, entrant in rests.order_by("pk").values_list("round_id", "entrant_id"):
        resting[round_id].append(entrant)
    played: dict[int, list[RoundSeating]] = {tournament.pk: [] for tournament in tournaments}
    for round_ in rounds:
        seated = tables.get(round_.pk, ())
        drawn = round_.seating_plan.get("seating", {}).get("tables", ())
        # The tables of the draw come first, in its order, with the labels that it gave them. Tables
        # that joined later come after them, without a label: ``zip`` drops what is left over.
        labels = [*(table["label"] for table in drawn), *([""] * len(seated))]
        labelled = [replace(table, label=name) for table, name in zip(seated, labels, strict=False)]
        seating = RoundSeating(
            tables=tuple(sorted(labelled, key=lambda table: table.number or 0)),
            resting=tuple(resting[round_.pk]),
        )
        played[round_.tournament_id].append(seating)
    return {tournament: tuple(seatings) for tournament, seatings in played.items()}


class _Table(NamedTuple):
    """What is stored of a table: who deals first, its mode, how much was played, and the result.

    Only a match of a bracket has ``side_points``. If these were equal, ``decided_side`` is the side
    that won by a decision, and ``decided_by`` says which: by lot or by the organiser.
    """

    sitting: int
    round: int
    number: int | None
    first_dealer: int
    mode: str
    hands_standing: int
    games_over: int
    not_played: int
    side_points: list[int] | None
    decided_side: int | None
    decided_by: str


# The fields of a ``_Table`` as lookups from a ``Seat``, which has the first two itself.
_TABLE_FIELDS = ("sitting_id", "round_id", *(f"sitting__{name}" for name in _Table._fields[2:]))


def _tables_by_round(
    tournaments: Collection[Tournament], rounds: Collection[Round], merits: _Merits | None
) -> Mapping[int, Sequence[TableSeating]]:
    """Return the tables as they were seated, keyed by round, in one query.

    *merits* are those of ``_merits_by_round``, or ``None`` for tables without merits. A match of a
    bracket has merits by its stored points instead.
    """
    tournament_by = {tournament.pk: tournament for tournament in tournaments}
    options = {tournament.pk: tournament.house_rules for tournament in tournaments}
    round_by = {round_.pk: round_ for round_ in rounds}
    seats = Seat.objects.running().filter(round__in=rounds).order_by("sitting_id", "place")
    rows = seats.values_list(*_TABLE_FIELDS, "place", "side", "entrant_id")
    tables: dict[int, list[TableSeating]] = defaultdict(list)
    # The rows of one table follow each other and begin with the same fields.
    for fields, seat_rows in groupby(rows, key=itemgetter(slice(len(_TABLE_FIELDS)))):
        table = _Table._make(fields)
        seated = [row[len(_TABLE_FIELDS) :] for row in seat_rows]  # place, side, entrant
        round_ = round_by[table.round]
        tournament = tournament_by[round_.tournament_id]
        mode = tournament.rules.mode(table.mode, options[tournament.pk])
        # A unit has the number of its place, or of its side if it is a fixed team.
        fixed = tournament.format == Format.TEAMS
        unit_at = {side if fixed else place: entrant for place, side, entrant in seated}
        units = tuple(unit_at[number] for number in sorted(unit_at))
        # The number of the unit that deals first; ``None`` if cards drawn at the table decide it.
        opener: int | None = None
        if tournament.rules.first_dealer is not FirstDealer.DRAWN:
            opener = mode.side_of(table.first_dealer) if fixed else table.first_dealer
        merit_of: Mapping[int, Merit] | None = None  # keyed by entrant
        level = is_level(table.side_points, table.decided_side)
        if merits is not None and is_over(round_, round_.state, table, level=level):
            merit_of = merits.get(tournament.pk, {}).get(round_.number)
            if table.side_points is not None:
                side_of = {entrant: side for _place, side, entrant in seated}
                merit_of = _merits_in_bracket(table, table.side_points, side_of, round_, tournament)
        seating = TableSeating(
            shape=shape_of(mode, fixed=fixed),
            units=units,
            opener=opener,
            number=table.number,
            merits=None if merit_of is None else tuple(merit_of.get(unit, ()) for unit in units),
            decided_by=table.decided_by,
        )
        tables[table.round].append(seating)
    return tables


def _merits_in_bracket(
    table: _Table,
    side_points: Sequence[int],
    side_of: Mapping[int, int],
    round_: Round,
    tournament: Tournament,
) -> Mapping[int, Merit]:
    """Return {entrant: (points, 1 if a level match was decided for its side, else 0)}."""
    criterion = tournament.rules.match_points(tournament.house_rules, in_games=bool(round_.games))
    # Stored points are whole numbers of parts: if a point has two parts, 7½ is stored as 15.
    return {
        entrant: (Fraction(side_points[side], criterion.parts), int(side == table.decided_side))
        for entrant, side in side_of.items()
    }


def seeds_of(tournament: Tournament) -> tuple[int, ...]:
    """Return all entrants by seed, then those without one in the order of entry, in one query."""
    entered = Entrant.objects.filter(tournament=tournament).entered_by_seed()
    return tuple(entered.values_list("pk", flat=True))


def _merits_by_round(tournaments: Collection[Tournament]) -> _Merits:
    """Return the merit of every entrant in each round, to compare those at one table.

    Head-to-head tie-breaks are left out: at one table all entrants meet each other.
    """
    sums = sums_by_round(tournaments)
    merits: dict[int, dict[int, dict[int, Merit]]] = {}
    for tournament in tournaments:
        criteria = [each for each in criteria_at_a_table(tournament) if not each.head_to_head]
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
