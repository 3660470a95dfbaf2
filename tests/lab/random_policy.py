"""Random policies of Dalmuti's playouts: whatever is allowed by lot, always or now and then."""

from games.dalmuti.play.kernel import CardCounts, Policy
from tests.lab.dice import Dice


class RandomPolicy:
    """Everything that may be done is as likely."""

    def __init__(self, dice: Dice) -> None:
        self._dice = dice

    def lead(self, hand: CardCounts) -> tuple[int, int]:
        """Lead any number of cards of any value."""
        ways = [
            (count, value) for value, held in enumerate(hand.counts) for count in range(1, held + 1)
        ]
        return ways[int(self._dice() * len(ways))]

    def answer(self, _hand: CardCounts, _count: int, able: int) -> int:
        """Answer with any value that will do, or skip."""
        ways = [0, *(value for value in range(able.bit_length()) if able >> value & 1)]
        return ways[int(self._dice() * len(ways))]


class WaveringPolicy:
    """A policy that is not always kept to: so large a *share* of the choices is by lot."""

    def __init__(self, policy: Policy, dice: Dice, share: float) -> None:
        self._policy, self._random = policy, RandomPolicy(dice)
        self._dice, self._share = dice, share

    def lead(self, hand: CardCounts) -> tuple[int, int]:
        """Lead by the policy, or any cards of one value."""
        return self._chosen().lead(hand)

    def answer(self, hand: CardCounts, count: int, able: int) -> int:
        """Answer by the policy, or by lot."""
        return self._chosen().answer(hand, count, able)

    def _chosen(self) -> Policy:
        return self._random if self._dice() < self._share else self._policy
