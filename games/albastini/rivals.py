"""Opponents to measure ``strong`` against; no table offers them."""

from random import Random

from games.albastini.habits import thrift
from games.albastini.kernel import NUMBERS, Guess, of_state
from games.albastini.moves import Move, PlayCard
from games.albastini.rules import turn
from games.albastini.state import State
from games.albastini.steady import steady
from games.albastini.strong import usual_worlds
from games.albastini.view import View, view
from games.playing import Budget
from games.trials import card_by_cheating, card_by_trial, finish_by_lot


def plain(seen: View, rng: Random, budget: Budget) -> Move:
    """Search likely worlds as ``strong`` does, but play them out by lot, the end too."""
    if seen.trump is None:
        return steady(seen, rng, budget)
    guess = Guess(seen, seen.trump)
    card = card_by_trial(
        guess, finish=finish_by_lot(rng), rng=rng, budget=budget, usual=usual_worlds(seen)
    )
    return PlayCard(guess.numbers.card(card))


def cheat(state: State, rng: Random, budget: Budget) -> Move:
    """Look at everybody's cards and into the stock, and a few cards ahead."""
    if state.trump is None:
        return steady(view(state, turn(state)), rng, budget)
    card = card_by_cheating(of_state(state, state.trump), thrift(state.mode))
    return PlayCard(NUMBERS[state.trump].card(card))
