"""A steady player of the club: swaps when it pays, and plays by the rules of thumb."""

from random import Random

from games.briscola.cards import Card
from games.briscola.moves import Move, PlayCard, Swap
from games.briscola.view import View
from games.playing import Budget
from games.thumbs import thumb_card


def steady(view: View, _rng: Random, _budget: Budget) -> Move:
    """Move by the rules of thumb; nothing is left to chance."""
    return good_swap(view) or PlayCard(thumb_card(view, view.trump))


def good_swap(view: View) -> Swap | None:
    """Return the swap this seat may make now, if it brings a higher trump."""
    for move in view.legal:
        if isinstance(move, Swap):
            left = Card(move.number, view.trump)
            return move if view.face_up.strength > left.strength else None
    return None
