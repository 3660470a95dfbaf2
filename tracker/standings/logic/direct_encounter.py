"""Direct encounter: who is first of entrants who are level, by their own meetings (FIDE C.07, 6)."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Generic

from tracker.criteria.results import H, Number, Results, mean


@dataclass(frozen=True, slots=True, kw_only=True)
class SeparateStanding(Generic[H]):
    """The standing of entrants who are level, from their meetings alone (6.2).

    ``complete``: each of them met every other.
    """

    scores: Mapping[H, Number]
    complete: bool


def direct_encounter(
    tied: Sequence[H], results: Results[H]
) -> tuple[list[list[H]], list[SeparateStanding[H]]]:
    """Return *tied* in groups, the best first, and the separate standings that were made.

    If all have met, those who are level again are compared by their own meetings alone, and so on
    (6.2). If not, an entrant is first if no missing result could change that, then a second, and
    so on; then the others are compared anew (6.3).
    """
    meetings = _mean_of_meetings(tied, results)
    encounters: list[SeparateStanding[H]] = []

    def groups_of(level: Sequence[H]) -> Iterator[list[H]]:
        if len(level) == 1:
            yield [*level]
            return
        met = {
            each: [meetings[each, other] for other in level if (each, other) in meetings]
            for each in level
        }
        scores: dict[H, Number] = {each: sum(points) for each, points in met.items()}
        missing = {each: len(level) - 1 - len(points) for each, points in met.items()}
        complete = not any(missing.values())
        encounters.append(
            SeparateStanding(
                scores={each: -own if results.fewest else own for each, own in scores.items()},
                complete=complete,
            )
        )
        ordered = sorted(level, key=scores.__getitem__, reverse=True)
        if complete:
            parts = [[*part] for _, part in groupby(ordered, key=scores.__getitem__)]
        else:
            sure = _surely_ahead(ordered, scores, missing, results.win)
            parts = [[each] for each in ordered[:sure]] + [ordered[sure:]]
        for part in parts:
            if len(part) == len(level):
                yield part
            elif part:
                yield from groups_of(part)

    return [*groups_of(tied)], encounters


def _mean_of_meetings(tied: Sequence[H], results: Results[H]) -> dict[tuple[H, H], Number]:
    """Return what each has against each other, on average if they met several times (6.1.2).

    Where the fewest points are best, it is negative.
    """
    among = set(tied)
    points: dict[tuple[H, H], list[Number]] = defaultdict(list)
    for entrant in tied:
        for record in results.of(entrant):
            if results.counts_as_played(record):
                own = -record.points if results.fewest else record.points
                for opponent in among.intersection(record.opponents):
                    points[entrant, opponent].append(own)
    return {pair: mean(each) for pair, each in points.items()}


def _surely_ahead(
    ordered: Sequence[H],
    scores: Mapping[H, Number],
    missing: Mapping[H, int],
    win: Number | None,
) -> int:
    """Return how many of the first in *ordered* stay ahead whatever the *missing* results are.

    *win* is the most that a result can bring, ``None`` if there is no most.
    """
    if win is None:
        return 0
    best = {each: scores[each] + win * missing[each] for each in ordered}
    for sure, each in enumerate(ordered):
        if any(best[other] >= scores[each] for other in ordered[sure + 1 :]):
            return sure
    return len(ordered)
