"""A beginner: plays what is allowed, beats what can be beaten, and thinks no further."""

from random import Random

from games.dalmuti.moves import Move, PlayCards
from games.dalmuti.view import View
from games.playing import Budget


def beginner(view: View, rng: Random, _budget: Budget) -> Move:
    """Mostly play all cards of some value; otherwise anything will do."""
    whole = [
        move
        for move in view.legal
        if isinstance(move, PlayCards)
        and (view.last is not None or move.count == view.hand.count(move.value))
    ]
    if whole and rng.random() < 0.7:
        return rng.choice(whole)
    return rng.choice(view.legal)
