"""Bots: each a function of what its seat sees, its own dice, and a budget.

A beginner beats what can be beaten. A steady player gets rid of the high cards and keeps the
low ones together. A strong one tries every move in many worlds, and plays each of them out.
Two more play as the game's seed does, by its readme and by its code (R9).
"""

from collections import Counter
from collections.abc import Callable, Sequence
from random import Random

from games.bots.monte_carlo import best_move
from games.dalmuti.play.kernel import Determinizer, GamePosition, Policy
from games.dalmuti.play.playout_policy import POLICY
from games.dalmuti.play.state import Move, PlayCards, Skip
from games.dalmuti.play.view import View
from games.play.playing import Budget

_BREAK_FROM = 8  # sets of lower values stay together
_LATE = 3  # with so few sets left, everything is for playing
# What there is time for when no budget is given, in turns played out; and what it costs,
# in such turns, to deal out a world, and to try a move in it.
_WORK, _WORLD, _TRIAL = 900_000, 120, 60


def beginner(view: View, rng: Random, _budget: Budget) -> Move:
    """Mostly play all cards of some value; otherwise anything will do."""
    whole = [
        move
        for move in view.legal
        if isinstance(move, PlayCards)
        and (view.last is not None or move.count == view.hand.count(move.value))
    ]
    if whole and rng.random() < 0.7:
        return rng.choice(whole)
    return rng.choice(view.legal)


def steady(view: View, _rng: Random, _budget: Budget) -> Move:
    """Move by rules of thumb; nothing is left to chance.

    Lead the highest; but once all the rest but one set are sure to win, play the sure ones
    first. Answer with the highest set that need not be broken, and with the lowest cards only
    when there is little else left. Break a set of high cards only.
    """
    held = Counter(view.hand)
    sets = [PlayCards(count, value) for value, count in sorted(held.items(), reverse=True)]
    # Sure is what no other hand can beat: as many of a lower value are not left.
    left = Counter(view.unseen())
    most = max(held for seat, held in enumerate(view.held) if seat != view.seat)
    sure = [
        cards
        for cards in sets
        if most < cards.count
        or not any(left[value] >= cards.count for value in range(1, cards.value))
    ]
    if view.last is None:
        # The one that is not sure is led last: nobody need let it pass.
        return sure[0] if len(sure) >= len(sets) - 1 and sure else sets[0]
    answers = [move for move in view.legal if isinstance(move, PlayCards)]
    whole = [move for move in answers if move.count == held[move.value]]
    lowest = 2 if len(sets) < 8 else 3  # that is played from so many different values
    for move in whole:
        if len(sets) <= _LATE or move in sure or move.value >= lowest:
            return move
    broken = [move for move in answers if move.value >= _BREAK_FROM and move not in whole]
    return broken[0] if broken else Skip()


def strong(view: View, rng: Random, budget: Budget) -> Move:
    """Return the move that does best on average over the ways the hidden cards may lie."""
    return move_by_playouts(view, POLICY, rng, budget)


def readme(view: View, _rng: Random, _budget: Budget) -> Move:
    """Lead the value held most often, and follow with the highest that beats: the seed's readme (R9)."""
    if view.last is None:
        held = Counter(view.hand)
        value = max(held, key=lambda each: (held[each], each))
        return PlayCards(held[value], value)
    return view.legal[0]  # the highest first; to skip is the last of them


def original_code(view: View, _rng: Random, _budget: Budget) -> Move:
    """Lead what counts for most, and follow only with exactly as many as are held: the seed's code (R9)."""
    held = Counter(view.hand)
    if view.last is None:
        value = max(held, key=lambda each: (held[each] * each, each))
        return PlayCards(held[value], value)
    exact = [
        move
        for move in view.legal
        if isinstance(move, PlayCards) and move.count == held[move.value]
    ]
    return exact[0] if exact else Skip()


def move_by_playouts(view: View, policy: Policy, rng: Random, budget: Budget) -> Move:
    """Return the move that does best in likely worlds where *policy* plays everything after it."""
    return best_move(
        view.legal,
        world=Determinizer(view).world,
        worth=worth_by(policy),
        rng=rng,
        budget=budget,
        usual=usual_worlds(view.legal, view.held),
    )


def usual_worlds(moves: Sequence[Move], held: Sequence[int]) -> int:
    """Return how many worlds there is time for when no budget is given.

    *held* is how many cards everybody has. The more people still play, the more turns it
    takes to get rid of a card: most of them skip.
    """
    turns = sum(held) * (1 + sum(map(bool, held)))
    return _WORK // (_WORLD + len(moves) * (_TRIAL + turns))


def worth_by(policy: Policy) -> Callable[[GamePosition, Move], float]:
    """Return a function that values a move for its player, with *policy* playing on from there."""

    def worth(world: GamePosition, move: Move) -> float:
        trial = world.copy()
        place = trial.turn
        if isinstance(move, PlayCards):
            trial.play(move.count, move.value)
        else:
            trial.play(0, 0)
        return equity(trial.play_out(policy), place)

    return worth


def equity(order: list[int], place: int) -> float:
    """Return the share of the others who went out after this place."""
    return 1 - order.index(place) / (len(order) - 1)
