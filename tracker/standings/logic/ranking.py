"""Ranking: places by merit, shared where merits are equal."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from operator import itemgetter
from typing import Generic, TypeAlias, TypeVar

T = TypeVar("T")
H = TypeVar("H", bound=Hashable)
# The most important figure first; in each of them more is better.
Merit: TypeAlias = tuple[Fraction | int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed(Generic[T]):
    """An item with its place, from 1; ``tied`` if it shares that place."""

    place: int
    tied: bool
    item: T


def rank(items: Iterable[T], key: Callable[[T], Merit]) -> list[Placed[T]]:
    """Return the items best first; equals share a place, and the places they fill are skipped.

    Equals keep the order they came in.

    >>> [(placed.place, placed.tied) for placed in rank([7, 9, 7, 3], key=lambda won: (won,))]
    [(1, False), (2, True), (2, True), (4, False)]
    """
    best_first = sorted(((key(item), item) for item in items), key=itemgetter(0), reverse=True)
    placed: list[Placed[T]] = []
    for _, equals in groupby(best_first, key=itemgetter(0)):
        level = [item for _, item in equals]
        place = len(placed) + 1
        placed += [Placed(place=place, tied=len(level) > 1, item=item) for item in level]
    return placed


def settle(placed: Iterable[Placed[H]], orders: Iterable[Sequence[H]]) -> list[Placed[H]]:
    """Return the items with those ties untied that were settled otherwise, best first.

    An order counts only while exactly those stand level whom it puts in order.

    >>> settled = settle(rank("abc", key=lambda name: (int(name < "c"),)), ["ba"])
    >>> [(placed.place, placed.tied, placed.item) for placed in settled]
    [(1, False, 'b'), (2, False, 'a'), (3, False, 'c')]
    """
    known = {frozenset(order): order for order in orders}
    settled: list[Placed[H]] = []
    for place, equals in groupby(placed, key=lambda placed: placed.place):
        level = list(equals)
        order = known.get(frozenset(placed.item for placed in level))
        if order is None:
            settled += level
        else:
            settled += [
                Placed(place=place + later, tied=False, item=item)
                for later, item in enumerate(order)
            ]
    return settled
