"""Determinization: the worlds a seat may be in, what it does not know dealt out by lot.

Whoever has had turns has seen cards come and go, and held on to the best: such a hand is
taken for the best four of so many.
"""

from random import Random

from games.mambassa.hand_values import BITS, heap_of
from games.mambassa.kernel import DealPosition, lay_out
from games.mambassa.playout_policy import TurnPolicy
from games.mambassa.showdown import HAND_SIZE
from games.mambassa.state import DealStage
from games.mambassa.view import View

_AMONG = (4, 8, 9, 9)  # of how many cards a hand is the best four, after no turn, one, two, ...
_KNOCKED = 11  # and of how many, if its holder has knocked


class Determinizer:
    """What one seat knows of a deal."""

    def __init__(self, view: View, policy: TurnPolicy) -> None:
        self._view, self._policy = view, policy
        # A card that perhaps was discarded is in that hand, or nowhere it matters.
        perhaps = {card for cards in view.perhaps for card in cards}
        self._unseen = [BITS[card] for card in view.unseen() if card not in perhaps]
        self._hands = [0] * view.mode.seats
        self._hands[view.seat] = heap_of(view.hand)
        blind = bool(view.offer)
        self._others = [
            (seat, self._among(seat), *self._known(seat))
            for seat in view.playing
            if seat != view.seat or blind
        ]
        self._table = lay_out(view, view.seat, [], heap_of(view.offer or view.monte), [])
        self._table.fresh = view.stage in {DealStage.CHOICE, DealStage.TURN}

    def world(self, rng: Random) -> DealPosition:
        """Return one of the ways the hidden cards may lie."""
        unseen = rng.sample(self._unseen, len(self._unseen))
        position = self._table.copy()
        position.hands = self._hands[:]
        for seat, among, shown, perhaps, sure in self._others:
            number = HAND_SIZE - len(shown)
            drawn = unseen[: max(number, among - len(shown) - len(perhaps))]
            held = self._likely(shown, perhaps, sure, drawn)
            position.hands[seat] = sum(held)
            unseen = [bit for bit in unseen if bit not in held]
        position.stock = unseen[len(unseen) - self._view.stock :]
        return position

    def _likely(
        self, shown: list[int], perhaps: list[int], sure: int, drawn: list[int]
    ) -> list[int]:
        """Return a hand with what was shown, the best of the rest, and enough of *perhaps*."""
        keep = self._policy.plan(sum(shown) + sum(perhaps) + sum(drawn), draw=False)[1]
        likely = sorted(perhaps, key=lambda bit: not keep & bit)
        others = sorted([*likely[sure:], *drawn], key=lambda bit: not keep & bit)
        return [*shown, *likely[:sure], *others][:HAND_SIZE]

    def _among(self, seat: int) -> int:
        """Return of about how many cards this seat is likely to hold the best four."""
        view = self._view
        if seat == view.knocker:
            return _KNOCKED
        round_table = sorted(
            view.playing, key=lambda other: (other - view.dealer - 1) % view.mode.seats
        )
        had = (view.turns - 1 - round_table.index(seat)) // len(round_table) + 1
        return _AMONG[min(had, len(_AMONG) - 1)]

    def _known(self, seat: int) -> tuple[list[int], list[int], int]:
        """Return what this seat holds, what it may hold, the latest first, and how many of those.

        It cannot have discarded more cards than it did.
        """
        view = self._view
        perhaps = [BITS[card] for card in reversed(view.perhaps[seat])]
        sure = max(len(perhaps) - view.discarded[seat], 0)
        return [BITS[card] for card in view.shown[seat]], perhaps, sure
