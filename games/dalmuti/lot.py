"""To play by lot whatever is allowed, as a rule for playouts."""

from collections.abc import Callable

from games.dalmuti.kernel import Holding


class Lot:
    """Everything that may be done is as likely; *dice* gives numbers from 0 to 1."""

    def __init__(self, dice: Callable[[], float]) -> None:
        self._dice = dice

    def lead(self, hand: Holding) -> tuple[int, int]:
        """Lead any number of cards of any value."""
        ways = [
            (count, value) for value, held in enumerate(hand.counts) for count in range(1, held + 1)
        ]
        return ways[int(self._dice() * len(ways))]

    def answer(self, _hand: Holding, _count: int, able: int) -> int:
        """Answer with any value that will do, or skip."""
        ways = [0, *(value for value in range(able.bit_length()) if able >> value & 1)]
        return ways[int(self._dice() * len(ways))]
