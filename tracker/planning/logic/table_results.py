"""Hands at a simulated table, by a stated model of luck and strength.

A side is as strong as its people are on average. Of two sides whose strengths differ by one, the
stronger wins three hands of five; of more sides each wins, or is ahead of the rest, in proportion
to ``1.5 ** strength`` (Plackett and Luce), which for two comes to the same.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log
from random import Random

from games.game import AnyGame

SKILL = log(1.5)  # three hands of five


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """What a hand, or a game where rounds count those, earns: see ``games.game.Typical``.

    ``by_hands`` counts the hands of a game for points, as where partners change.
    """

    wins: int
    placed: bool
    double: float
    by_hands: bool


def model_of(game: AnyGame, *, fixed: bool) -> Model:
    typical = game.typical
    return Model(
        wins=typical.wins,
        placed=typical.placed,
        double=typical.double,
        by_hands=not fixed and typical.wins > 1,
    )


def weight(strengths: Sequence[float]) -> float:
    """Return how much a side of these people counts in the draw for a hand."""
    return exp(SKILL * sum(strengths) / len(strengths))


def points(weights: Sequence[float], length: int, model: Model, rng: Random) -> list[float]:
    """Return what every side earns in so many hands or games.

    Where every place earns it is the share of the other sides that ended behind, so that
    tables of different sizes compare.
    """
    earned = [0.0] * len(weights)
    if model.placed:
        for _ in range(length):
            # Who runs through at this rate is first as often as its weight says.
            finish = sorted(
                (-log(1 - rng.random()) / rate, side) for side, rate in enumerate(weights)
            )
            for behind, (_, side) in enumerate(reversed(finish)):
                earned[side] += behind / (len(weights) - 1)
        return earned
    for _ in range(length):
        won = [0] * len(weights)
        side = 0
        while max(won) < model.wins:
            side = _winner(weights, rng)
            won[side] += 1
        if model.by_hands:
            for each, hands in enumerate(won):
                earned[each] += hands
        else:
            earned[side] += 2 if model.double and rng.random() < model.double else 1
    return earned


def _winner(weights: Sequence[float], rng: Random) -> int:
    drawn = rng.random() * sum(weights)
    for side, each in enumerate(weights[:-1]):
        drawn -= each
        if drawn < 0:
            return side
    return len(weights) - 1
