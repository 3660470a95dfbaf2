"""Results of tournaments written as lines of text, and the ranking by them."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

from games.sheet import Criterion, criterion
from tracker.criteria.results import H, Kind, Results, RoundRecord
from tracker.standings.logic.ranking import RankedEntrant, rank_entrants

POINTS = criterion("points", "")
HALF = Fraction(1, 2)


def results_of(*rounds: Sequence[str], **more: Any) -> Results[str]:
    """Return results with 1 point for a win and half a point for a draw.

    A line is "Asha 3:1 Juma", "Asha+Juma 3:1 Neema+Omari" with partners, "Asha +:- Juma" if Juma
    did not come and "-:-" if neither did, "Asha bye", or "Asha away 1/2" for a requested bye of
    half a point.
    """
    records: dict[str, list[RoundRecord[str]]] = defaultdict(list)
    for number, lines in enumerate(rounds, start=1):
        for line in lines:
            for entrant, record in _records(number, line.split()):
                records[entrant].append(record)
    scores = {key: sum((each.points for each in own), Fraction()) for key, own in records.items()}
    return Results(records=records, scores=scores, win=Fraction(1), draw=HALF, **more)


def _records(number: int, words: list[str]) -> Iterable[tuple[str, RoundRecord[str]]]:
    if words[1] == "bye":
        yield words[0], RoundRecord(round=number, points=Fraction(1), kind=Kind.BYE, won=True)
    elif words[1] == "away":
        yield words[0], RoundRecord(round=number, points=Fraction(words[2]), kind=Kind.ABSENT)
    else:
        left, got, right = words[0].split("+"), words[1].split(":"), words[2].split("+")
        for own, (mark, other_mark), others in (left, got, right), (right, got[::-1], left):
            if mark in "+-":
                kind = Kind.FORFEIT_WON if mark == "+" else Kind.FORFEIT_LOST
                points, difference = Fraction(mark == "+"), Fraction(0)
            else:
                kind, difference = Kind.PLAYED, Fraction(mark) - Fraction(other_mark)
                points = Fraction(difference > 0) if difference else HALF
            for entrant in own:
                yield (
                    entrant,
                    RoundRecord(
                        round=number,
                        points=points,
                        kind=kind,
                        opponents=tuple(others),
                        partners=tuple(each for each in own if each != entrant),
                        difference=difference,
                        won=points == 1,
                    ),
                )


def ranked_by_results(
    results: Results[H], tie_breaks: Sequence[Criterion], columns: Iterable[Criterion] = ()
) -> list[RankedEntrant[H]]:
    """Return the ranking by the points of all rounds and the *tie_breaks*."""
    return rank_entrants(
        {entrant: {} for entrant in results.records},
        (POINTS, *tie_breaks),
        awards=[
            (key, Fraction(record.points)) for key, own in results.records.items() for record in own
        ],
        results=results,
        columns=columns,
    )


def places(ranked: Iterable[RankedEntrant[H]]) -> list[str]:
    """Return places and names, as "1= Asha" of those who share one."""
    return [f"{each.place}{'=' if each.tied else ''} {each.entrant}" for each in ranked]
