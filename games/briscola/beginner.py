"""A beginner: plays what is allowed, takes what can be taken, and thinks no further."""

from random import Random

from games.briscola.moves import Move, PlayCard
from games.briscola.view import View
from games.playing import Budget
from games.tricks import takes


def beginner(view: View, rng: Random, _budget: Budget) -> Move:
    """Mostly take with the first card that does; otherwise anything will do."""
    taking = [
        move
        for move in view.legal
        if isinstance(move, PlayCard) and view.trick and takes(view.trick, move.card, view.trump)
    ]
    if taking and rng.random() < 0.7:
        return rng.choice(taking)
    return rng.choice(view.legal)
