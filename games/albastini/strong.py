"""A strong player: tries every move in many worlds, and plays the end for two perfectly."""

from random import Random

from games.albastini.auction import Auction
from games.albastini.cards import Suit
from games.albastini.habits import thrift
from games.albastini.kernel import Guess
from games.albastini.moves import Move, PlayCard
from games.albastini.view import View
from games.endgame import best_card
from games.playing import Budget
from games.search import best_move
from games.trials import card_by_trial, prize

_WORK = 100_000  # cards played out for one move, when no budget is given


def strong(view: View, rng: Random, budget: Budget) -> Move:
    """Return the move that does best on average over the ways the hidden cards may lie."""
    return _bid(view, rng, budget) if view.trump is None else _card(view, view.trump, rng, budget)


def usual_worlds(view: View) -> int:
    """Return how many worlds there is time for when no budget is given."""
    return _WORK // (len(view.legal) * (sum(view.held) + view.stock))


def _bid(view: View, rng: Random, budget: Budget) -> Move:
    auction = Auction(view)
    side = view.mode.side_of(view.seat)
    return best_move(
        view.legal,
        world=auction.world,
        worth=lambda world, move: prize(auction.points(world, move), side),
        rng=rng,
        budget=budget,
        usual=usual_worlds(view),
    )


def _card(view: View, trump: Suit, rng: Random, budget: Budget) -> Move:
    guess = Guess(view, trump)
    if view.mode.seats == 2 and not view.stock:
        # With the stock gone there is one world left, and it can be played out perfectly.
        return PlayCard(guess.numbers.card(best_card(guess.world(rng))))
    card = card_by_trial(
        guess, finish=thrift(view.mode).play_out, rng=rng, budget=budget, usual=usual_worlds(view)
    )
    return PlayCard(guess.numbers.card(card))
