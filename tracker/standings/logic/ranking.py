"""Who stands where: places by merit, shared where merits are equal."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, TypeAlias, TypeVar

T = TypeVar("T")
H = TypeVar("H", bound=Hashable)
# The most important figure first; in each of them more is better.
Merit: TypeAlias = tuple[Fraction | int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed(Generic[T]):
    """An item and the place it stands at, from 1; ``tied`` where it shares that place."""

    place: int
    tied: bool
    item: T


def rank(items: Iterable[T], key: Callable[[T], Merit]) -> list[Placed[T]]:
    """Return the items best first; equals share a place, and the places they fill are skipped.

    Equals keep the order they came in.

    >>> [(placed.place, placed.tied) for placed in rank([7, 9, 7, 3], key=lambda won: (won,))]
    [(1, False), (2, True), (2, True), (4, False)]
    """
    merits = [(key(item), item) for item in items]
    better = sorted((merit for merit, _ in merits), reverse=True)
    place = {merit: position for position, merit in reversed(list(enumerate(better, start=1)))}
    return [
        Placed(place=place[merit], tied=better.count(merit) > 1, item=item)
        for merit, item in sorted(merits, key=lambda pair: place[pair[0]])
    ]


def settle(placed: Iterable[Placed[H]], orders: Iterable[Sequence[H]]) -> list[Placed[H]]:
    """Return the items with those ties untied that were settled otherwise, best first.

    An order counts only while exactly those stand level whom it puts in order.

    >>> settled = settle(rank("abc", key=lambda one: (int(one < "c"),)), ["ba"])
    >>> [(placed.place, placed.tied, placed.item) for placed in settled]
    [(1, False, 'b'), (2, False, 'a'), (3, False, 'c')]
    """
    level: dict[int, list[Placed[H]]] = {}
    for one in placed:
        level.setdefault(one.place, []).append(one)
    known = {frozenset(order): order for order in orders}
    found: list[Placed[H]] = []
    for place, those in level.items():
        order = known.get(frozenset(one.item for one in those))
        if order is None:
            found += those
        else:
            found += [
                Placed(place=place + later, tied=False, item=item)
                for later, item in enumerate(order)
            ]
    return found
