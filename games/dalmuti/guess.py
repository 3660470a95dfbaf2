"""The worlds a seat may be in: its own cards, and the rest dealt out by lot."""

from random import Random

from games.dalmuti.kernel import Holding, Position, lay_out
from games.dalmuti.view import View


class Guess:
    """What one seat knows of a game."""

    def __init__(self, view: View) -> None:
        self._unseen = view.unseen()
        self._held = [0 if seat == view.seat else view.held[seat] for seat in view.order]
        self._mine = Holding(view.hand)
        self._place = view.order.index(view.seat)
        # Which cards they are does not matter yet, only who holds some.
        any_cards = [Holding(self._unseen[: bool(view.held[seat])]) for seat in view.order]
        self._table = lay_out(view, view.seat, any_cards)

    def world(self, rng: Random) -> Position:
        """Return one of the ways the hidden cards may lie, all of them equally likely."""
        cards = rng.sample(self._unseen, len(self._unseen))
        position = self._table.copy()
        hands, start = [], 0
        for held in self._held:
            hands.append(Holding(cards[start : start + held]))
            start += held
        hands[self._place] = self._mine.copy()
        position.hands = hands
        return position
