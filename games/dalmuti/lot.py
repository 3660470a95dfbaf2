"""To play by lot whatever is allowed, always or now and then, in playouts."""

from collections.abc import Callable

from games.dalmuti.kernel import Habit, Holding


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


class Wavering:
    """A habit that is not always kept: so large a *share* of the choices is left to the lot."""

    def __init__(self, habit: Habit, dice: Callable[[], float], share: float) -> None:
        self._habit, self._lot = habit, Lot(dice)
        self._dice, self._share = dice, share

    def lead(self, hand: Holding) -> tuple[int, int]:
        """Lead by the habit, or any cards of one value."""
        return self._who().lead(hand)

    def answer(self, hand: Holding, count: int, able: int) -> int:
        """Answer by the habit, or by lot."""
        return self._who().answer(hand, count, able)

    def _who(self) -> Habit:
        return self._lot if self._dice() < self._share else self._habit
