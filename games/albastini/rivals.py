"""Opponents to measure ``strong`` against; no table offers them."""

from random import Random

from games.albastini.habits import thrift
from games.albastini.kernel import NUMBERS, Guess, of_state
from games.albastini.moves import Move, PlayCard
from games.albastini.rules import turn
from games.albastini.stakes import prize
from games.albastini.state import State
from games.albastini.steady import steady
from games.albastini.strong import usual_worlds
from games.albastini.view import View, view
from games.playing import Budget
from games.search import best_move
from games.swift import Position, play_randomly
from games.thrift import Thrift

_AHEAD = 4  # cards the cheat looks ahead


def plain(seen: View, rng: Random, budget: Budget) -> Move:
    """Search likely worlds as ``strong`` does, but play them out by lot, the end too."""
    if seen.trump is None:
        return steady(seen, rng, budget)
    guess = Guess(seen, seen.trump)
    side = seen.mode.side_of(seen.seat)

    def worth(world: Position, card: int) -> float:
        trial = world.copy()
        trial.play(card)
        return prize(play_randomly(trial, rng.random), side)

    card = best_move(
        guess.numbers.of(seen.hand),
        world=guess.world,
        worth=worth,
        rng=rng,
        budget=budget,
        usual=usual_worlds(seen),
    )
    return PlayCard(guess.numbers.card(card))


def cheat(state: State, rng: Random, budget: Budget) -> Move:
    """Look at everybody's cards and into the stock, and a few cards ahead."""
    seat = turn(state)
    if state.trump is None:
        return steady(view(state, seat), rng, budget)
    position = of_state(state, state.trump)
    side = position.sides[seat]
    rule = thrift(state.mode)

    def promise(card: int) -> float:
        trial = position.copy()
        trial.play(card)
        return _looked_ahead(trial, side, rule, _AHEAD - 1)

    card = max(position.hands[seat], key=promise)
    return PlayCard(NUMBERS[state.trump].card(card))


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
