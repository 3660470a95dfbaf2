"""Fair turns at resting, and at sitting at the odd table."""

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations


@dataclass(frozen=True, slots=True)
class Turns:
    """Who had how many turns, and how many it would have been had those present shared alike.

    Nobody has a second turn before everybody has had a first. After that, whoever came
    late need not make up for the turns the others had before.
    """

    times: Counter[int] = field(default_factory=Counter)
    share: dict[int, Fraction] = field(default_factory=dict)
    last: dict[int, int] = field(default_factory=dict)
    together: Counter[frozenset[int]] = field(default_factory=Counter)

    def give(self, turn: Collection[int], among: Collection[int], number: int) -> None:
        """Let it have been their turn, *among* all who could, in the round of this number."""
        for unit in among:
            self.share[unit] = self.share.get(unit, Fraction()) + Fraction(len(turn), len(among))
        self.times.update(turn)
        self.last.update(dict.fromkeys(turn, number))
        self.together.update(map(frozenset, combinations(sorted(turn), 2)))

    def order(self, unit: int, seen: Collection[int]) -> tuple[bool, Fraction, bool]:
        """Return what sorts those first whose turn it is, before all else need decide."""
        times = self.times[unit]
        return times > 0, times - self.share.get(unit, Fraction()), unit not in seen

    def since(self, unit: int) -> float:
        """Return the round of the last turn, less than any if there was none."""
        return self.last.get(unit, float("-inf"))

    def company(self, unit: int, others: Iterable[int]) -> int:
        """Return how often the unit had its turn together with these."""
        return sum(self.together[frozenset((unit, other))] for other in others)
