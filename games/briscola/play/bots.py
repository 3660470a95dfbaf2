"""Bots: each a function of what its seat sees, its own dice, and a budget.

A beginner takes what can be taken. A steady player swaps when it pays, and goes by the rules
of thumb of a club. A strong one tries every card in many worlds, and plays the end for two
perfectly.
"""

from random import Random

from games.bots.fast_tricks import Position
from games.bots.heuristics import beginners_move, heuristic_card
from games.bots.playout_policy import PlayOut
from games.briscola.cards import Card
from games.briscola.play.kernel import KERNEL, foresee_swap
from games.briscola.play.rules import swapping_number
from games.briscola.play.state import Move, SwapTrump
from games.briscola.play.view import View
from games.play.playing import Budget
from games.play.tricks import PlayCard


def beginner(view: View, rng: Random, _budget: Budget) -> Move:
    """Mostly take with the first card that does; otherwise anything will do."""
    return beginners_move(view, rng)


def steady(view: View, _rng: Random, _budget: Budget) -> Move:
    """Move by the rules of thumb; nothing is left to chance."""
    return good_swap(view) or PlayCard(heuristic_card(view))


def good_swap(view: View) -> SwapTrump | None:
    """Return the swap this seat may make now, if it brings a higher trump."""
    for move in view.legal:
        if isinstance(move, SwapTrump):
            left = Card(move.number, view.turned_up.suit)
            return move if view.face_up.strength > left.strength else None
    return None


def strong(view: View, rng: Random, budget: Budget) -> Move:
    """Return the move that does best on average over the ways the hidden cards may lie."""
    if swap := good_swap(view):
        return swap  # it costs nothing, and later may be too late
    return PlayCard(KERNEL.best_card(view, rng, budget, playout_for(view)))


def playout_for(view: View) -> PlayOut:
    """Return the playout function for this view; it makes a trump swap that is still possible first."""
    from_here = KERNEL.play_out(view)
    number = swapping_number(view.options)
    if number is None or (number == 2 and view.tricks):
        return from_here

    def play_out(position: Position) -> list[int]:
        foresee_swap(position, number)
        return from_here(position)

    return play_out
