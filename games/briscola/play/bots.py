"""Bots: each a function of what its seat sees, its own dice, and a budget.

A beginner takes what can be taken. A steady player swaps when it pays, and goes by the rules
of thumb of a club. A strong one tries every card in many worlds, and plays the end for two
perfectly.
"""

from random import Random

from games.bots.endgame import best_card
from games.bots.fast_tricks import Position
from games.bots.heuristics import beginners_move, heuristic_card
from games.bots.monte_carlo import card_by_playouts
from games.bots.playout_policy import PlayOut
from games.briscola.cards import Card
from games.briscola.play.kernel import Determinizer, foresee_swap
from games.briscola.play.policy_weights import playout_policy
from games.briscola.play.rules import swapping_number
from games.briscola.play.state import Move, SwapTrump
from games.briscola.play.view import View
from games.play.playing import Budget
from games.play.tricks import PlayCard

_WORK = 100_000  # cards played out for one move, when no budget is given


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
            left = Card(move.number, view.trump)
            return move if view.face_up.strength > left.strength else None
    return None


def strong(view: View, rng: Random, budget: Budget) -> Move:
    """Return the move that does best on average over the ways the hidden cards may lie."""
    if swap := good_swap(view):
        return swap  # it costs nothing, and later may be too late
    hidden = Determinizer(view)
    if view.mode.seats == 2 and not view.stock:
        # With the stock gone there is one world left, and it can be played out perfectly.
        return PlayCard(hidden.numbers.card(best_card(hidden.world(rng))))
    return PlayCard(
        card_by_playouts(
            hidden, play_out=playout_for(view), rng=rng, budget=budget, usual=usual_worlds(view)
        )
    )


def playout_for(view: View) -> PlayOut:
    """Return the playout function for this view; it makes a trump swap that is still possible first."""
    from_here = playout_policy(view.mode).playout_for(view.mode, view.seat)
    number = swapping_number(view.options)
    if number is None or (number == 2 and view.tricks):
        return from_here

    def play_out(position: Position) -> list[int]:
        foresee_swap(position, number)
        return from_here(position)

    return play_out


def usual_worlds(view: View) -> int:
    """Return how many worlds there is time for when no budget is given."""
    return _WORK // (len(view.hand) * (sum(view.held) + view.stock))
