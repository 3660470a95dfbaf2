"""Season points: the percentage of the field a player beat, and totals over many evenings."""

from collections.abc import Hashable, Mapping, Sequence
from enum import StrEnum
from fractions import Fraction
from typing import TypeVar

from tracker.standings.logic.ranking import Merit, Placed, rank

T = TypeVar("T", bound=Hashable)
LEAST_FIELD = 4  # in a smaller one, a single result is all or nothing
_HALF = Fraction(1, 2)


class Rule(StrEnum):
    """Which scores of a player count."""

    SUM = "sum"
    BEST = "best_n"
    AVERAGE = "average"


def room_beaten(places: Mapping[T, int]) -> dict[T, Fraction]:
    """Return the percentage of the field each player beat; empty if the field is too small.

    Those who finished behind and half of those level, for every hundred others present.

    >>> room_beaten({"Asha": 1, "Juma": 2, "Neema": 2, "Omari": 4, "Zuwena": 5})["Juma"]
    Fraction(125, 2)
    >>> room_beaten({"Asha": 1, "Juma": 2, "Neema": 3})
    {}
    """
    if len(places) < LEAST_FIELD:
        return {}
    everybody = list(places.values())
    others = len(everybody) - 1

    def beaten(place: int) -> Fraction:
        behind = sum(other > place for other in everybody)
        level = everybody.count(place) - 1
        return 100 * (behind + _HALF * level) / others

    return {player: beaten(place) for player, place in places.items()}


def counting(scores: Sequence[Fraction], rule: Rule, best: int | None) -> frozenset[int]:
    """Return which of *scores*, by position, count: all, or the *best* so many.

    Of equal scores the earlier count.

    >>> sorted(counting([Fraction(50), Fraction(75), Fraction(50)], Rule.BEST, 2))
    [0, 1]
    """
    if rule is not Rule.BEST or best is None:
        return frozenset(range(len(scores)))
    by_worth = sorted(range(len(scores)), key=lambda position: (-scores[position], position))
    return frozenset(by_worth[:best])


def season_points(scores: Sequence[Fraction], rule: Rule, best: int | None) -> Fraction:
    """Return what *scores* come to under the rule of a season.

    >>> [season_points([Fraction(50), Fraction(100)], rule, 1) for rule in Rule]
    [Fraction(150, 1), Fraction(100, 1), Fraction(75, 1)]
    """
    together = sum((scores[position] for position in counting(scores, rule, best)), Fraction(0))
    return together / max(1, len(scores)) if rule is Rule.AVERAGE else together


def rank_season(
    scores: Mapping[T, Sequence[Fraction]], rule: Rule, *, best: int | None, least: int
) -> tuple[list[Placed[T]], list[T]]:
    """Return those with a place, and those who have played too little for one; each best first.

    An average asks for the *least* so many scores: whoever came once and won is not ahead of
    all who came often. Equals keep the order they came in.

    >>> scores = {"Asha": [Fraction(100)], "Juma": [Fraction(50)] * 3, "Ali": [Fraction(75)]}
    >>> ranked, unplaced = rank_season(scores, Rule.AVERAGE, best=None, least=3)
    >>> [(placed.place, placed.item) for placed in ranked], unplaced
    ([(1, 'Juma')], ['Asha', 'Ali'])
    """

    def points(player: T) -> Merit:
        return (season_points(scores[player], rule, best),)

    few = {player for player, own in scores.items() if rule is Rule.AVERAGE and len(own) < least}
    ranked = rank((player for player in scores if player not in few), key=points)
    unplaced = rank((player for player in scores if player in few), key=points)
    return ranked, [placed.item for placed in unplaced]
