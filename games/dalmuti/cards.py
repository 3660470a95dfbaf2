"""Cards: the value says how many of it there are, and low is strong (R1)."""

from typing import TypeGuard

from games.cards import Face
from games.mode import Mode
from games.wording import _

LOWEST, HIGHEST = 1, 12
PACK = tuple(value for value in range(LOWEST, HIGHEST + 1) for _ in range(value))


def is_value(value: object) -> TypeGuard[int]:
    """Say whether the pack has cards of this value.

    >>> is_value(12), is_value(0), is_value(True)
    (True, False, False)
    """
    return isinstance(value, int) and not isinstance(value, bool) and LOWEST <= value <= HIGHEST


def face(code: str) -> Face:
    """Return how a card is drawn, or a set written as it is in a move: ``2x12``.

    :raises ValueError: if there is no such card.
    """
    count, _, value = code.rpartition("x")
    if not is_value(int(value)):
        raise ValueError(f"not a card: {code!r}")
    return set_face(int(value), int(count or 1))


def set_face(value: int, count: int = 1) -> Face:
    """Return how so many cards of one value are drawn, lying on each other."""
    return Face(
        code=str(value),
        rank=str(value),
        name=_("the %(value)d", value=value),
        count=count,
    )


def hand_sizes(mode: Mode, extra_cards: str) -> tuple[int, ...]:
    """Return how many cards each place of the playing order is dealt (D-3).

    >>> from games.mode import individuals
    >>> hand_sizes(individuals(4, ""), "dalmuti_end")
    (20, 20, 19, 19)
    """
    each, over = divmod(len(PACK), mode.seats)
    more, fewer = (each + 1,) * over, (each,) * (mode.seats - over)
    return more + fewer if extra_cards == "dalmuti_end" else fewer + more
