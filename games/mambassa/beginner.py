"""A beginner: likes a hand better that counts more, and does not look further."""

from random import Random

from games.mambassa.cards import Card
from games.mambassa.moves import Call, Draw, Move, Swap
from games.mambassa.ranking import strength
from games.mambassa.view import View
from games.playing import Budget

_TRIES = 6  # ways to swap that a beginner thinks of
_ENOUGH = (1, 20)  # twenty points look fine


def beginner(view: View, rng: Random, _budget: Budget) -> Move:
    """Take a swap that makes the hand better, if one comes to mind; else draw, or stand."""
    if view.offer:
        return rng.choice([Call.KEEP, Call.LEAVE])
    swaps = [move for move in view.legal if isinstance(move, Swap)]
    now = strength(view.hand, view.options)
    for move in rng.sample(swaps, min(_TRIES, len(swaps))):
        if strength(swapped(view.hand, move), view.options) > now:
            return move
    draws = [move for move in view.legal if isinstance(move, Draw)]
    if draws and now < _ENOUGH:
        return rng.choice(draws)
    return Call.STAND


def swapped(hand: tuple[Card, ...], move: Swap) -> tuple[Card, ...]:
    """Return the hand as it will be after this swap."""
    return (*(card for card in hand if card not in move.give), *move.take)
