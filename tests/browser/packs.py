"""Hands from real packs: what a table counts after them, made without the games under test.

A pack is shuffled, dealt into tricks, and every trick is taken by a side. So every
count is one that cards can make, and what a spoilt one lacks is known exactly.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

# rules.md, Albastini R1 and R2; Briscola R1 and R7.
ALBASTINI = {"A": 11, "7": 10, "K": 4, "J": 3, "Q": 2, "6": 0, "5": 0, "4": 0, "3": 0}
BRISCOLA = {1: 11, 3: 10, 13: 4, 12: 3, 11: 2, 7: 0, 6: 0, 5: 0, 4: 0, 2: 0}
SUITS = 4


@dataclass(frozen=True, slots=True)
class Way:
    """How people sit: their sides by place, and under what a side's loss costs 2 (R3)."""

    code: str
    sides: tuple[tuple[int, ...], ...]
    threshold: int = 0

    @property
    def seats(self) -> int:
        return sum(map(len, self.sides))


def _alone(seats: int) -> tuple[tuple[int, ...], ...]:
    return tuple((seat,) for seat in range(seats))


WAYS = {
    way.code: way
    for way in (
        Way("4t2", ((0, 2), (1, 3)), 20),
        Way("5i", _alone(5), 10),
        Way("6t2", ((0, 3), (1, 4), (2, 5)), 20),
        Way("6t3", ((0, 2, 4), (1, 3, 5)), 30),
    )
}
PAIRS = WAYS["4t2"]


@dataclass(frozen=True, slots=True)
class Count:
    """What the sides counted after a hand; of five players also the rank left over."""

    eaten: tuple[int, ...]
    left_over: str | None = None

    @property
    def top(self) -> int | None:
        """Return the side that ate most, if one did (A-9)."""
        most = max(self.eaten)
        return self.eaten.index(most) if self.eaten.count(most) == 1 else None


def albastini(rng: Random, way: Way) -> Count:
    """Deal a pack, let every trick go to somebody, and count."""
    pack = [rank for rank in ALBASTINI for _ in range(SUITS)]
    rng.shuffle(pack)
    # With five players one card is never drawn.
    left_over = pack.pop() if way.seats == 5 else None
    eaten = _tricks([ALBASTINI[rank] for rank in pack], way, rng)
    return Count(eaten, left_over)


def albastini_where(rng: Random, way: Way, wanted: Callable[[Count], bool]) -> Count:
    """Deal until a hand is as wanted."""
    while not wanted(count := albastini(rng, way)):
        pass
    return count


def by_two(way: Way, side: int) -> Callable[[Count], bool]:
    """Want a hand that this side wins for 2 points (R10)."""
    return lambda count: count.top == side and min(count.eaten) < way.threshold


def by_one(way: Way, side: int) -> Callable[[Count], bool]:
    """Want a hand that this side wins for 1 point (R10)."""
    return lambda count: count.top == side and min(count.eaten) >= way.threshold


def without(count: Count, points: int) -> tuple[int, ...]:
    """Return the totals of a table that overlooked a card of so many points: they are refused."""
    richest = count.eaten.index(max(count.eaten))
    return tuple(
        total - points if side == richest else total for side, total in enumerate(count.eaten)
    )


def briscola(rng: Random, way: Way) -> tuple[int, ...]:
    """Deal a pack of forty, let every trick go to somebody, and return the card points."""
    pack = [value for value in BRISCOLA.values() for _ in range(SUITS)]
    rng.shuffle(pack)
    return _tricks(pack, way, rng)


def going_out(rng: Random, players: Sequence[str]) -> list[str]:
    """Return an order in which players of the Great Dalmuti went out."""
    order = list(players)
    rng.shuffle(order)
    return order


def _tricks(cards: list[int], way: Way, rng: Random) -> tuple[int, ...]:
    luck = [rng.random() ** 2 + 0.05 for _ in way.sides]
    eaten = [0] * len(way.sides)
    for first in range(0, len(cards), way.seats):
        (side,) = rng.choices(range(len(way.sides)), luck)
        eaten[side] += sum(cards[first : first + way.seats])
    return tuple(eaten)
