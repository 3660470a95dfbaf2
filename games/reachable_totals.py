"""Reachable totals: what a 120-point pack can be shared out to, exactly and for all sides at once.

Albastini and Briscola count the same cards: four each of 11, 10, 4, 3 and 2. A
number of cards of each value is written as one *heap*: a whole number with four
bits a value, so that heaps add up like numbers and compare in one step.
"""

from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import product

VALUES = (11, 10, 4, 3, 2)
OF_EACH = 4
ALL_POINTS = OF_EACH * sum(VALUES)

_ONE = {value: 1 << 4 * place for place, value in enumerate(VALUES)}
_WHOLE = OF_EACH * sum(_ONE.values())
_BORROWS = 8 * sum(_ONE.values())  # the top bit of each value's four: cards never need it


def are_reachable(totals: Sequence[int], left_out: int = 0) -> bool:
    """Say whether the counting cards can be shared out among the sides with these totals.

    The whole split is decided, from the cards and not from tricks (Albastini R14, R18,
    Briscola R7). A side on 1 is the only hindrance (Albastini R16), but with five sides
    there are others (Albastini R17). *left_out* is the value of a card that nobody
    takes. Totals that do not add up are never reachable.

    >>> are_reachable([61, 59]), are_reachable([60, 59, 1]), are_reachable([8, 9, 9, 9, 85])
    (True, False, False)
    """
    if sum(totals) != ALL_POINTS - left_out or min(totals) < 0:
        return False
    # The smallest first: few cards make them, so a dead end shows itself at once.
    return _shared_out(_WHOLE - (_ONE[left_out] if left_out else 0), tuple(sorted(totals)))


@lru_cache(maxsize=1 << 16)
def _shared_out(left: int, totals: tuple[int, ...]) -> bool:
    """Say whether the heap *left* can be parted into these totals, their sum being its worth."""
    if len(totals) == 1:
        return True
    smallest, *others = totals
    rest = tuple(others)
    return any(
        ((left | _BORROWS) - heap) & _BORROWS == _BORROWS and _shared_out(left - heap, rest)
        for heap in _heaps().get(smallest, ())
    )


@cache
def _heaps() -> dict[int, tuple[int, ...]]:
    """List the heaps worth each total, those of few and high cards first."""
    heaps: dict[int, list[tuple[int, int]]] = {}
    for counts in product(range(OF_EACH + 1), repeat=len(VALUES)):
        worth = sum(count * value for count, value in zip(counts, VALUES, strict=True))
        heap = sum(count * _ONE[value] for count, value in zip(counts, VALUES, strict=True))
        heaps.setdefault(worth, []).append((sum(counts), heap))
    return {worth: tuple(heap for _, heap in sorted(made)) for worth, made in heaps.items()}
