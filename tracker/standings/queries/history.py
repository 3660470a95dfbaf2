"""The rounds played in a tournament, as movements read them: seats and results."""

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
from tracker.models.progress import Progress, is_level
from tracker.movements.types import RoundSeating, TableSeating, TableShape
from tracker.standings.logic.ranking import Merit
from tracker.standings.queries.criteria import criteria_at_a_table
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
    """Return a mode as a movement seats it: one unit a place, or where teams are fixed, a side.

    >>> from games.mode import teams
    >>> four = teams(4, 2, "")
    >>> shape_of(four, fixed=False).sides, shape_of(four, fixed=True).sides
    (((0, 2), (1, 3)), ((0,), (1,)))
    """
    if fixed:
        return TableShape(mode.code, tuple((side,) for side in range(len(mode.sides))))
    return TableShape(mode.code, mode.sides)


def history(
    tournament: Tournament, *, before: int | None = None, with_merits: bool = False
) -> tuple[RoundSeating, ...]:
    """Return the rounds of a tournament that stand, open ones too, in three queries.

    *before* leaves out a round and all after it. Whoever took over a seat counts as sitting
    there, and who sat there first as having been at the table in no place. With merits,
    which takes two queries more, tables say what everybody got there.
    """
    return history_of_each([tournament], before=before, with_merits=with_merits)[tournament.pk]


def history_of_each(
    tournaments: Collection[Tournament], *, before: int | None = None, with_merits: bool = False
) -> Mapping[int, tuple[RoundSeating, ...]]:
    """Return by tournament its ``history``, at the cost of one.

    Where there are teams and others, merits take one query more.
    """
    standing = Round.objects.filter(tournament__in=tournaments).exclude(state=RoundState.UNDONE)
    if before is not None:
        standing = standing.filter(number__lt=before)
    rounds = list(standing.order_by("number").defer("published_standing"))
    merits = _merits(tournaments) if with_merits else None
    tables = _tables(tournaments, rounds, merits)
    resting: dict[int, list[int]] = defaultdict(list)
    rests = Rest.objects.sat_out().filter(round__in=rounds)
    for round_id, entrant in rests.order_by("pk").values_list("round_id", "entrant_id"):
        resting[round_id].append(entrant)
    played: dict[int, list[RoundSeating]] = {tournament.pk: [] for tournament in tournaments}
    for round_ in rounds:
        laid = tables.get(round_.pk, ())
        drawn = round_.seating_plan.get("seating", {}).get("tables", ())
        # They were laid in the order in which they were drawn, and tables that joined came after.
        labels = [table["label"] for table in drawn] + [""] * len(laid)
        labelled = [replace(table, label=label) for table, label in zip(laid, labels, strict=False)]
        seating = RoundSeating(
            tables=tuple(sorted(labelled, key=lambda table: table.number or 0)),
            resting=tuple(resting[round_.pk]),
        )
        played[round_.tournament_id].append(seating)
    return {tournament: tuple(seatings) for tournament, seatings in played.items()}


def _tables(
    tournaments: Collection[Tournament], rounds: Collection[Round], merits: _Merits | None
) -> Mapping[int, Sequence[TableSeating]]:
    """Return by round its tables as they were laid, in one query; who still plays has no merits.

    In a match of a bracket they are its points, and then whether it was decided for that side.
    """
    tournament_of = {tournament.pk: tournament for tournament in tournaments}
    options = {tournament.pk: tournament.house_rules for tournament in tournaments}
    in_turn = {round_.pk: round_ for round_ in rounds}
    seats = Seat.objects.running().filter(round__in=rounds).order_by("sitting_id", "place")
    rows = seats.values_list(*_SITTING, "place", "side", "entrant_id")
    tables: dict[int, list[TableSeating]] = defaultdict(list)
    for sitting, grouped in groupby(rows, key=itemgetter(slice(len(_SITTING)))):
        seated = list(grouped)
        _, round_id, number, dealer, code, hands, games, idle, points, decided, how = sitting
        round_ = in_turn[round_id]
        tournament = tournament_of[round_.tournament_id]
        fixed = tournament.format == Format.TEAMS
        rules = tournament.rules
        mode = rules.mode(code, options[tournament.pk])
        by_place = {side if fixed else place: entrant for *_, place, side, entrant in seated}
        units = tuple(by_place[place] for place in sorted(by_place))
        opener = mode.side_of(dealer) if fixed else dealer
        if rules.first_dealer is FirstDealer.DRAWN:
            opener = None  # the table drew for it
        progress = Progress.of_counts(
            round_,
            hands_standing=hands,
            games_over=games,
            not_played=idle,
            level=is_level(points, decided),
        )
        playing = round_.state == RoundState.OPEN and not (progress.whole or progress.one_more)
        own = None
        if merits is not None and not playing and points is None:
            own = merits.get(tournament.pk, {}).get(round_.number)
        elif merits is not None and not playing:
            parts = rules.match_points(options[tournament.pk], in_games=bool(round_.games)).parts
            own = {
                entrant: (Fraction(points[side], parts), int(side == decided))
                for *_, side, entrant in seated
            }
        tables[round_id].append(
            TableSeating(
                shape=shape_of(mode, fixed=fixed),
                units=units,
                opener=opener,
                number=number,
                merits=None if own is None else tuple(own.get(unit, ()) for unit in units),
                decided_by=how,
            )
        )
    return tables


def seeds_of(tournament: Tournament) -> tuple[int, ...]:
    """Return all entrants by seed, then those without one as they came; in one query."""
    entered = Entrant.objects.filter(tournament=tournament).entered_by_seed()
    return tuple(entered.values_list("pk", flat=True))


def _merits(tournaments: Collection[Tournament]) -> _Merits:
    """Return what every entrant got in each round, to be compared at one table.

    Tie-breaks of the tournament part those who are level in points at their table, but for
    those that ask who met whom, which at one table they all did.
    """
    criteria_by = {each.pk: criteria_at_a_table(each) for each in tournaments}
    return {
        tournament: {
            number: {
                entrant: tuple(
                    -criterion.value(own) if criterion.fewest else criterion.value(own)
                    for criterion in criteria_by[tournament]
                    if not criterion.head_to_head
                )
                for entrant, own in sums.items()
            }
            for number, sums in by_round.items()
        }
        for tournament, by_round in sums_by_round(tournaments).items()
    }
