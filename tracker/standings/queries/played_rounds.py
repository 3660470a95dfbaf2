"""The rounds played in a tournament, with seats and results, in the form that movements read."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import groupby
from operator import itemgetter
from typing import TypeAlias

from games.game import FirstDealer
from games.mode import Mode
from tracker.models import Entrant, Format, Rest, Round, RoundState, Seat, Tournament
from tracker.models.progress import is_level
from tracker.movements.types import RoundSeating, TableSeating, TableShape
from tracker.standings.logic.ranking import Merit
from tracker.standings.queries.match_points import is_over
from tracker.standings.queries.ranking_criteria import criteria_at_a_table
from tracker.standings.queries.sums import sums_by_round

# By tournament, by the number of a round, by entrant.
_Merits: TypeAlias = Mapping[int, Mapping[int, Mapping[int, Merit]]]
_SITTING = (
    "sitting_id",
    "round_id",
    "sitting__number",
    "sitting__first_dealer",
    "sitting__mode",
    "sitting__hands_standing",
    "sitting__games_over",
    "sitting__not_played",
    "sitting__side_points",
    "sitting__decided_side",
    "sitting__decided_by",
)


def shape_of(mode: Mode, *, fixed: bool) -> TableShape:
    """Return the shape of a table in this mode: one unit a place, or with *fixed* teams a side.

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

    *before* leaves out the round of that number and all later ones. A seat belongs to the
    entrant who took it over last. With merits, which take two queries more, tables tell what
    every entrant got there.
    """
    return rounds_by_tournament([tournament], before=before, with_merits=with_merits)[tournament.pk]


def rounds_by_tournament(
    tournaments: Collection[Tournament], *, before: int | None = None, with_merits: bool = False
) -> Mapping[int, tuple[RoundSeating, ...]]:
    """Return the ``played_rounds`` by tournament, in as many queries as for one.

    If some play in teams and others do not, merits take one query more.
    """
    not_undone = Round.objects.filter(tournament__in=tournaments).exclude(state=RoundState.UNDONE)
    if before is not None:
        not_undone = not_undone.filter(number__lt=before)
    rounds = list(not_undone.order_by("number").defer("published_standing"))
    merits = _merits(tournaments) if with_merits else None
    tables = _tables(tournaments, rounds, merits)
    resting: dict[int, list[int]] = defaultdict(list)
    rests = Rest.objects.sat_out().filter(round__in=rounds)
    for round_id, entrant in rests.order_by("pk").values_list("round_id", "entrant_id"):
        resting[round_id].append(entrant)
    played: dict[int, list[RoundSeating]] = {tournament.pk: [] for tournament in tournaments}
    for round_ in rounds:
        seated = tables.get(round_.pk, ())
        drawn = round_.seating_plan.get("seating", {}).get("tables", ())
        # Tables were stored in the order of the draw; tables that joined later come after them.
        labels = [table["label"] for table in drawn] + [""] * len(seated)
        labelled = [replace(table, label=each) for table, each in zip(seated, labels, strict=False)]
        seating = RoundSeating(
            tables=tuple(sorted(labelled, key=lambda table: table.number or 0)),
            resting=tuple(resting[round_.pk]),
        )
        played[round_.tournament_id].append(seating)
    return {tournament: tuple(seatings) for tournament, seatings in played.items()}


def _tables(
    tournaments: Collection[Tournament], rounds: Collection[Round], merits: _Merits | None
) -> Mapping[int, Sequence[TableSeating]]:
    """Return the tables by round, as they were seated, in one query.

    A table that still plays has no merits. Those of a match of a bracket are the points of each
    side, and then whether the match was decided for it.
    """
    tournament_of = {tournament.pk: tournament for tournament in tournaments}
    options = {tournament.pk: tournament.house_rules for tournament in tournaments}
    round_by = {round_.pk: round_ for round_ in rounds}
    seats = Seat.objects.running().filter(round__in=rounds).order_by("sitting_id", "place")
    rows = seats.values_list(*_SITTING, "place", "side", "entrant_id")
    tables: dict[int, list[TableSeating]] = defaultdict(list)
    for sitting, grouped in groupby(rows, key=itemgetter(slice(len(_SITTING)))):
        seated = list(grouped)
        _, round_id, number, dealer, code, hands, games, idle, points, decided, how = sitting
        round_ = round_by[round_id]
        tournament = tournament_of[round_.tournament_id]
        fixed = tournament.format == Format.TEAMS
        rules = tournament.rules
        mode = rules.mode(code, options[tournament.pk])
        by_place = {side if fixed else place: entrant for *_, place, side, entrant in seated}
        units = tuple(by_place[place] for place in sorted(by_place))
        opener = mode.side_of(dealer) if fixed else dealer
        if rules.first_dealer is FirstDealer.DRAWN:
            opener = None  # cards drawn at the table decide it
        over = is_over(
            round_,
            round_.state,
            hands_standing=hands,
            games_over=games,
            not_played=idle,
            level=is_level(points, decided),
        )
        by_unit = None
        if merits is not None and over and points is None:
            by_unit = merits.get(tournament.pk, {}).get(round_.number)
        elif merits is not None and over:
            parts = rules.match_points(options[tournament.pk], in_games=bool(round_.games)).parts
            by_unit = {
                entrant: (Fraction(points[side], parts), int(side == decided))
                for *_, side, entrant in seated
            }
        tables[round_id].append(
            TableSeating(
                shape=shape_of(mode, fixed=fixed),
                units=units,
                opener=opener,
                number=number,
                merits=None if by_unit is None else tuple(by_unit.get(unit, ()) for unit in units),
                decided_by=how,
            )
        )
    return tables


def seeds_of(tournament: Tournament) -> tuple[int, ...]:
    """Return all entrants by seed, then those without one in the order of entry, in one query."""
    entered = Entrant.objects.filter(tournament=tournament).entered_by_seed()
    return tuple(entered.values_list("pk", flat=True))


def _merits(tournaments: Collection[Tournament]) -> _Merits:
    """Return the merit of every entrant in each round, to compare those at one table.

    Head-to-head tie-breaks are left out: at one table all entrants meet each other.
    """
    criteria_by = {each.pk: criteria_at_a_table(each) for each in tournaments}
    return {
        tournament: {
            number: {
                entrant: tuple(
                    -criterion.value(marks) if criterion.fewest else criterion.value(marks)
                    for criterion in criteria_by[tournament]
                    if not criterion.head_to_head
                )
                for entrant, marks in sums.items()
            }
            for number, sums in by_round.items()
        }
        for tournament, by_round in sums_by_round(tournaments).items()
    }
