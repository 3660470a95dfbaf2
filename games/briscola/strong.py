"""A strong player: tries every card in many worlds, and plays the end for two perfectly."""

from collections.abc import Callable
from random import Random

from games.briscola.habits import thrift
from games.briscola.kernel import Guess, foresee_swap
from games.briscola.moves import Move, PlayCard
from games.briscola.steady import good_swap
from games.briscola.swaps import swapping_number
from games.briscola.view import View
from games.endgame import best_card
from games.playing import Budget
from games.swift import Position
from games.trials import card_by_trial

_WORK = 100_000  # cards played out for one move, when no budget is given


def strong(view: View, rng: Random, budget: Budget) -> Move:
    """Return the move that does best on average over the ways the hidden cards may lie."""
    if swap := good_swap(view):
        return swap  # it costs nothing, and later may be too late
    guess = Guess(view)
    if view.mode.seats == 2 and not view.stock:
        # With the stock gone there is one world left, and it can be played out perfectly.
        return PlayCard(guess.numbers.card(best_card(guess.world(rng))))
    card = card_by_trial(
        guess, finish=finish(view), rng=rng, budget=budget, usual=usual_worlds(view)
    )
    return PlayCard(guess.numbers.card(card))


def finish(view: View) -> Callable[[Position], list[int]]:
    """Return the way playouts go on from this view, a swap still to come foreseen."""
    rule = thrift(view.mode)
    number = swapping_number(view.options)
    if number is None or (number == 2 and view.tricks):
        return rule.play_out

    def play_out(position: Position) -> list[int]:
        foresee_swap(position, number)
        return rule.play_out(position)

    return play_out


def usual_worlds(view: View) -> int:
    """Return how many worlds there is time for when no budget is given."""
    return _WORK // (len(view.hand) * (sum(view.held) + view.stock))
