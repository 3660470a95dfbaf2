"""A strong player: tries every move in many worlds, and plays each of them out."""

from collections.abc import Callable, Sequence
from random import Random

from games.dalmuti.guess import Guess
from games.dalmuti.habits import RULE
from games.dalmuti.kernel import Habit, Position
from games.dalmuti.moves import Move, PlayCards
from games.dalmuti.view import View
from games.playing import Budget
from games.search import best_move

# What there is time for when no budget is given, in turns played out; and what it costs,
# in such turns, to deal out a world, and to try a move in it.
_WORK, _WORLD, _TRIAL = 900_000, 120, 60


def strong(view: View, rng: Random, budget: Budget) -> Move:
    """Return the move that does best on average over the ways the hidden cards may lie."""
    return move_by_trial(view, RULE, rng, budget)


def move_by_trial(view: View, habit: Habit, rng: Random, budget: Budget) -> Move:
    """Return the move that does best in likely worlds where *habit* plays everything after it."""
    return best_move(
        view.legal,
        world=Guess(view).world,
        worth=worth_by(habit),
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


def worth_by(habit: Habit) -> Callable[[Position, Move], float]:
    """Return what a move is worth to whoever makes it where *habit* plays everything after it."""

    def worth(world: Position, move: Move) -> float:
        trial = world.copy()
        place = trial.turn
        make(trial, move)
        return beaten(trial.play_out(habit), place)

    return worth


def make(position: Position, move: Move) -> None:
    """Make this move."""
    if isinstance(move, PlayCards):
        position.play(move.count, move.value)
    else:
        position.play(0, 0)


def beaten(order: list[int], place: int) -> float:
    """Return the share of the others who went out after this place."""
    return 1 - order.index(place) / (len(order) - 1)
