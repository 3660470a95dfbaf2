"""What a tournament has played, as a movement reads it: who sat with whom, and what they got."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.db.models import F

from games.mode import Mode
from tracker.models import Entrant, Format, Rest, Round, RoundState, Seat, Tournament
from tracker.models.progress import Progress
from tracker.seating.logic.movements.seam import RoundSeating, Shape, TableSeating
from tracker.standings.logic.ranking import Merit
from tracker.standings.queries.criteria import criteria_of
from tracker.standings.queries.sums import sums_by_round


def shape_of(mode: Mode, *, fixed: bool) -> Shape:
    """Return a mode as a movement seats it: one unit a place, or where teams are fixed, a side.

    >>> from games.mode import teams
    >>> four = teams(4, 2, "")
    >>> shape_of(four, fixed=False).sides, shape_of(four, fixed=True).sides
    (((0, 2), (1, 3)), ((0,), (1,)))
    """
    if fixed:
        return Shape(mode.code, tuple((side,) for side in range(len(mode.sides))))
    return Shape(mode.code, mode.sides)


def history(
    tournament: Tournament, *, before: int | None = None, with_merits: bool = False
) -> tuple[RoundSeating, ...]:
    """Return the rounds of a tournament that stand, open ones too, in two queries.

    *before* leaves out a round and all after it. Whoever took over a seat counts as sitting
    there, and who sat there first as having been at the table in no place. With merits,
    which takes two queries more, tables say what everybody got there.
    """
    rounds = Round.objects.filter(tournament=tournament).exclude(state=RoundState.UNDONE)
    if before is not None:
        rounds = rounds.filter(number__lt=before)
    rounds = rounds.order_by("number").defer("published_standing")
    in_turn = {round_.pk: round_ for round_ in rounds}
    merits = _merits(tournament) if with_merits else {}
    fixed = tournament.format == Format.TEAMS
    options = tournament.house_rules
    seated: dict[int, dict[tuple[int, int, int, str], dict[int, int]]] = {
        round_: defaultdict(dict) for round_ in in_turn
    }
    playing: set[int] = set()
    rows = (
        Seat.objects.running()
        .filter(round__in=list(in_turn))
        .order_by("sitting__number", "place")
        .values_list(
            "round_id",
            "sitting_id",
            "sitting__number",
            "sitting__first_dealer",
            "sitting__mode",
            "place",
            "side",
            "entrant_id",
            "sitting__hands_standing",
            "sitting__games_over",
            "sitting__not_played",
        )
    )
    for round_, sitting, number, dealer, mode, place, side, entrant, hands, games, idle in rows:
        table = seated[round_][sitting, number, dealer, mode]
        table[side if fixed else place] = entrant
        how_far = Progress.of_counts(
            in_turn[round_], hands_standing=hands, games_over=games, not_played=idle
        )
        if in_turn[round_].state == RoundState.OPEN and not how_far.whole:
            playing.add(sitting)
    resting: dict[int, list[int]] = defaultdict(list)
    rests = Rest.objects.sat_out().filter(round__in=list(in_turn))
    for round_, entrant in rests.order_by("pk").values_list("round_id", "entrant_id"):
        resting[round_].append(entrant)

    def table_of(
        round_: int, of: tuple[int, int, int, str], units: Mapping[int, int]
    ) -> TableSeating:
        sitting, number, dealer, code = of
        mode = tournament.rules.mode(code, options)
        by_place = tuple(units[place] for place in sorted(units))
        own = None if sitting in playing else merits.get(in_turn[round_].number)
        return TableSeating(
            shape=shape_of(mode, fixed=fixed),
            units=by_place,
            opener=mode.side_of(dealer) if fixed else dealer,
            number=number,
            merits=None if own is None else tuple(own.get(unit, ()) for unit in by_place),
        )

    return tuple(
        RoundSeating(
            tables=_labelled(
                [table_of(pk, of, units) for of, units in sorted(seated[pk].items())],
                round_.seating_plan,
            ),
            resting=tuple(resting[pk]),
        )
        for pk, round_ in in_turn.items()
    )


def _labelled(tables: Sequence[TableSeating], plan: Mapping[str, Any]) -> tuple[TableSeating, ...]:
    """Return the tables of a round, by their sittings, with the labels they were drawn with.

    They were laid in the order in which they were drawn, and tables that joined came after.
    """
    drawn = plan.get("seating", {}).get("tables", ())
    labels = [table["label"] for table in drawn] + [""] * len(tables)
    labelled = [replace(table, label=label) for table, label in zip(tables, labels, strict=False)]
    return tuple(sorted(labelled, key=lambda table: table.number or 0))


def seeds_of(tournament: Tournament) -> tuple[int, ...]:
    """Return everybody who entered by seed, then those without one as they came; in one query."""
    entrants = Entrant.objects.filter(tournament=tournament, reserve_since=None)
    return tuple(
        entrants.order_by(F("seed").asc(nulls_last=True), "pk").values_list("pk", flat=True)
    )


def _merits(tournament: Tournament) -> dict[int, dict[int, Merit]]:
    """Return by round what every entrant got in it, to be compared at one table.

    Tie-breaks of the tournament part those who are level in points at their table, but for
    those that ask who met whom, which at one table they all did.
    """
    criteria = [each for each in criteria_of(tournament) if not each.head_to_head]
    return {
        number: {
            entrant: tuple(
                -criterion.value(own) if criterion.fewest else criterion.value(own)
                for criterion in criteria
            )
            for entrant, own in sums.items()
        }
        for number, sums in sums_by_round(tournament).items()
    }
