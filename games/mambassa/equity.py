"""Equity: what the end of a deal is good for, as how many others a seat is likely to outlast."""

from functools import cache
from math import exp

from games.mambassa.hand_values import MAMBASSA
from games.mambassa.kernel import NOBODY, DealPosition
from games.mambassa.playout_policy import chances
from games.mambassa.view import View

# By how much of a chance two hands must differ until it hardly issues who had the luck.
_CLOSE = 0.05


class Equity:
    """What deals at one table are good for to one seat, from 0 to 1."""

    def __init__(self, view: View) -> None:
        self._seat = view.seat
        self._tokens = view.stakes.tokens
        self._others = [seat for seat in view.playing if seat != view.seat]
        self._one_pays = {seat: self._outlasted([seat]) for seat in view.playing}
        self._lower = chances(2)

    def of(self, position: DealPosition) -> float:
        """Return what the end of this deal is good for."""
        value_of, hands = position.house.values.of, position.hands
        if position.declarer != NOBODY:
            aces = value_of(hands[position.declarer]) >= MAMBASSA
            return self._outlasted(position.payers(), NOBODY if aces else position.declarer)
        lowest, payer = min((value_of(hands[seat]), seat) for seat in self._others)
        # A narrow escape is worth less than a safe one: next time it goes the other way.
        ahead = self._lower[value_of(hands[self._seat])] - self._lower[lowest]
        pays = 1 / (1 + exp(ahead / _CLOSE))
        return pays * self._one_pays[self._seat] + (1 - pays) * self._one_pays[payer]

    def _outlasted(self, payers: list[int], gains: int = NOBODY) -> float:
        """Return the share of the others likely to be outlasted once these have paid."""
        left = [held - (seat in payers) + (seat == gains) for seat, held in enumerate(self._tokens)]
        own = left[self._seat]
        return sum(outlasts(own, left[seat]) for seat in self._others) / len(self._others)


@cache
def outlasts(own: int, other: int) -> float:
    """Return the chance of one with so many tokens to outlast another, if luck alone decides.

    >>> outlasts(1, 2)
    0.25
    """
    if own and other:
        return (outlasts(own - 1, other) + outlasts(own, other - 1)) / 2
    return 0.5 if own == other else float(own > other)
