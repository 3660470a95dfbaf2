"""Choosing the card of a trick by trial: in guessed worlds, or, cheating, in the true one."""

from collections.abc import Callable, Sequence
from math import tanh
from random import Random
from typing import Protocol

from games.playing import Budget
from games.search import best_move
from games.swift import Position, play_randomly
from games.thrift import Thrift

_CLEAR = 30  # so far ahead, a few points more hardly issue
_AHEAD = 4  # cards a cheat looks ahead


class Guessing(Protocol):
    """What the seat to move knows, and the worlds it may be in."""

    @property
    def hand(self) -> list[int]: ...
    def world(self, rng: Random, /) -> Position: ...


def prize(points: Sequence[int], side: int) -> float:
    """Return what these totals are good for: from -1 to 1, steepest where the win is decided."""
    others = max(total for place, total in enumerate(points) if place != side)
    return tanh((points[side] - others) / _CLEAR)


def card_by_trial(
    guess: Guessing,
    *,
    finish: Callable[[Position], list[int]],
    rng: Random,
    budget: Budget,
    usual: int,
) -> int:
    """Return the card that does best on average where *finish* plays everything after it."""

    def worth(world: Position, card: int) -> float:
        trial = world.copy()
        side = trial.sides[trial.turn]
        trial.play(card)
        return prize(finish(trial), side)

    return best_move(
        guess.hand, world=guess.world, worth=worth, rng=rng, budget=budget, usual=usual
    )


def finish_by_lot(rng: Random) -> Callable[[Position], list[int]]:
    """Return a way to play to the end in which every card is drawn by lot."""
    return lambda position: play_randomly(position, rng.random)


def card_by_cheating(position: Position, rule: Thrift) -> int:
    """Return the card for whoever is to move and knows where everything lies."""
    side = position.sides[position.turn]

    def promise(card: int) -> float:
        trial = position.copy()
        trial.play(card)
        return _looked_ahead(trial, side, rule, _AHEAD - 1)

    return max(position.hands[position.turn], key=promise)


def _looked_ahead(position: Position, side: int, rule: Thrift, ahead: int) -> float:
    """Return what a position is good for if all play well for a while, then by the rule."""
    hand = position.hands[position.turn]
    if not ahead or not hand:
        return prize(rule.play_out(position.copy()), side)
    results = []
    for card in hand:
        trial = position.copy()
        trial.play(card)
        results.append(_looked_ahead(trial, side, rule, ahead - 1))
    return max(results) if position.sides[position.turn] == side else min(results)
