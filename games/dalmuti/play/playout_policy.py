"""Playout policy: a way to play by a few weights, quick enough for thousands of games.

How much is played and kept back depends on how many different values are still held.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from games.dalmuti.cards import HIGHEST
from games.dalmuti.play.kernel import ANY, CardCounts


@dataclass(frozen=True, slots=True)
class SetWeights:
    """Weights by how many different values a hand holds, from 1; the last is for all above.

    A set is led by what it promises: ``by_value`` for each step of its value and
    ``by_count`` for each card in it. An answer that takes all of a value is given from
    ``keep`` on, one that breaks a set from ``broken`` on: lower cards stay in the hand.
    """

    by_value: tuple[float, ...]
    by_count: tuple[float, ...]
    keep: tuple[int, ...]
    broken: tuple[int, ...]


class SetPolicy:
    """Weights, worked out for every hand."""

    def __init__(self, weights: SetWeights) -> None:
        self._leads = [
            [
                [
                    _at(weights.by_value, sets) * value + _at(weights.by_count, sets) * count
                    for count in range(ANY)
                ]
                for value in range(ANY)
            ]
            for sets in range(ANY)
        ]
        self._keep = [_from(_at(weights.keep, sets)) for sets in range(ANY)]
        self._broken = [_from(_at(weights.broken, sets)) for sets in range(ANY)]

    def lead(self, hand: CardCounts) -> tuple[int, int]:
        """Lead all cards of the value that promises most."""
        left = hand.least[1]
        counts, promises = hand.counts, self._leads[left.bit_count()]
        best, chosen = float("-inf"), 0
        while left:
            value = left.bit_length() - 1
            left ^= 1 << value
            promise = promises[value][counts[value]]
            if promise > best:
                best, chosen = promise, value
        return counts[chosen], chosen

    def answer(self, hand: CardCounts, count: int, able: int) -> int:
        """Answer with the highest that need not be broken, or break a set of high cards."""
        sets = hand.least[1].bit_count()
        more = hand.least[count + 1]
        values = able & ~more & self._keep[sets] or able & more & self._broken[sets]
        return values.bit_length() - 1 if values else 0


def _at(numbers: Sequence[float], sets: int) -> float:
    return numbers[min(sets, len(numbers)) - 1]


def _from(value: float) -> int:
    """Return the bits of this value and all above."""
    return -1 << int(value)


_NEVER = HIGHEST + 1
# Found by tables of weights playing each other, thousands of times.
POLICY = SetPolicy(
    SetWeights(
        by_value=(1.0, 0.1, 0.7, 1.5, 0.2),
        by_count=(0.0, 1.7, 0.0, -0.9, -0.4),
        keep=(1, 1, 1, 1, 1, 1, 1, 1, 3),
        broken=(1, 10, _NEVER),
    )
)
