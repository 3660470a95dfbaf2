"""Opponents to measure ``strong`` against; no table offers them."""

from random import Random

from games.dalmuti.habits import RULE
from games.dalmuti.kernel import Position, of_state
from games.dalmuti.lot import Lot
from games.dalmuti.moves import Move
from games.dalmuti.rules import legal_moves
from games.dalmuti.state import State
from games.dalmuti.strong import beaten, make, move_by_trial
from games.dalmuti.view import View
from games.playing import Budget

_AHEAD = 3  # choices a cheat looks ahead


def plain(seen: View, rng: Random, budget: Budget) -> Move:
    """Search likely worlds as ``strong`` does, but play them out by lot."""
    return move_by_trial(seen, Lot(rng.random), rng, budget)


def cheat(state: State, _rng: Random, _budget: Budget) -> Move:
    """Look into everybody's hand, and a few choices ahead."""
    position = of_state(state)

    def promise(move: Move) -> float:
        trial = position.copy()
        make(trial, move)
        return beaten(_looked_ahead(trial, _AHEAD - 1), position.turn)

    return max(legal_moves(state), key=promise)


def _looked_ahead(position: Position, ahead: int) -> list[int]:
    """Return the order of going out if all choose well for a while, then by the rule."""
    ways = position.ways()
    while len(ways) == 1 and not position.over:
        position.play(*ways[0])
        ways = position.ways()
    if not ahead or position.over:
        return position.play_out(RULE)
    orders = []
    for count, value in ways:
        trial = position.copy()
        trial.play(count, value)
        orders.append(_looked_ahead(trial, ahead - 1))
    return max(orders, key=lambda order: beaten(order, position.turn))
