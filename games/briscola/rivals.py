"""Opponents to measure ``strong`` against; no table offers them."""

from random import Random

from games.briscola.habits import thrift
from games.briscola.kernel import NUMBERS, Guess, of_state
from games.briscola.moves import Move, PlayCard
from games.briscola.rules import turn
from games.briscola.state import State
from games.briscola.steady import good_swap
from games.briscola.strong import usual_worlds
from games.briscola.view import View, view
from games.playing import Budget
from games.trials import card_by_cheating, card_by_trial, finish_by_lot


def plain(seen: View, rng: Random, budget: Budget) -> Move:
    """Search likely worlds as ``strong`` does, but play them out by lot, the end too."""
    if swap := good_swap(seen):
        return swap
    guess = Guess(seen)
    card = card_by_trial(
        guess, finish=finish_by_lot(rng), rng=rng, budget=budget, usual=usual_worlds(seen)
    )
    return PlayCard(guess.numbers.card(card))


def cheat(state: State, _rng: Random, _budget: Budget) -> Move:
    """Look at everybody's cards and into the stock, and a few cards ahead."""
    if swap := good_swap(view(state, turn(state))):
        return swap
    card = card_by_cheating(of_state(state), thrift(state.mode))
    return PlayCard(NUMBERS[state.trump].card(card))
