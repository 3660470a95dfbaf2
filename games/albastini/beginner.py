"""A beginner: plays what is allowed, takes what can be taken, and thinks no further."""

from random import Random

from games.albastini.moves import Move, Pass, PlayCard
from games.albastini.view import View
from games.playing import Budget
from games.tricks import takes


def beginner(view: View, rng: Random, _budget: Budget) -> Move:
    """Mostly eat with the first card that does; otherwise anything will do."""
    if view.to_bid:
        return Pass() if rng.random() < 0.5 else rng.choice(view.legal)
    eating = [move for move in view.legal if isinstance(move, PlayCard) and _takes(view, move)]
    if eating and rng.random() < 0.7:
        return rng.choice(eating)
    return rng.choice(view.legal)


def _takes(view: View, move: PlayCard) -> bool:
    """Say whether this card would lead the trick already begun."""
    if not view.trick or view.trump is None:
        return False
    return takes(view.trick, move.card, view.trump)
