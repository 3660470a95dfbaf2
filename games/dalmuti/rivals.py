"""Opponents to measure ``strong`` against; no table offers them."""

from random import Random

from games.dalmuti.habits import RULE
from games.dalmuti.kernel import of_state
from games.dalmuti.lot import Lot, Wavering
from games.dalmuti.moves import Move
from games.dalmuti.rules import legal_moves
from games.dalmuti.state import State
from games.dalmuti.strong import move_by_trial, usual_worlds, worth_by
from games.dalmuti.view import View
from games.playing import Budget
from games.search import best_move

_BY_LOT = 0.25  # of the choices in a cheat's playouts: nobody plays quite as it expects


def plain(seen: View, rng: Random, budget: Budget) -> Move:
    """Search likely worlds as ``strong`` does, but play them out by lot."""
    return move_by_trial(seen, Lot(rng.random), rng, budget)


def cheat(state: State, rng: Random, budget: Budget) -> Move:
    """Look into everybody's hand, and play on from there again and again."""
    truth = of_state(state)
    moves = legal_moves(state)
    return best_move(
        moves,
        world=lambda _rng: truth,
        worth=worth_by(Wavering(RULE, rng.random, _BY_LOT)),
        rng=rng,
        budget=budget,
        usual=usual_worlds(moves, [*map(len, state.hands)]),
    )
