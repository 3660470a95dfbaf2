"""A strong player: tries the likely moves in many worlds, and plays each out."""

from collections.abc import Callable, Sequence
from random import Random
from typing import assert_never

from games.mambassa.guess import Guess
from games.mambassa.habits import rule
from games.mambassa.kernel import Position
from games.mambassa.moves import Call, Draw, Move, Swap
from games.mambassa.playout import Rule
from games.mambassa.prize import Prize
from games.mambassa.view import View
from games.mambassa.worth import BITS, heap_of
from games.playing import Budget
from games.search import best_move

_TRIED = 12  # moves worth trying; the others promise less
USUAL = 2400  # deals played out for one move, when no budget is given


def strong(view: View, rng: Random, budget: Budget) -> Move:
    """Return the move that does best on average over the ways the hidden cards may lie."""
    habits = rule(view.options, len(view.playing))
    return by_trial(
        view,
        likely_moves(view, habits),
        world=Guess(view, habits).world,
        finish=habits.play_out,
        rng=rng,
        budget=budget,
    )


def by_trial(
    view: View,
    moves: Sequence[Move],
    *,
    world: Callable[[Random], Position],
    finish: Callable[[Position], Position],
    rng: Random,
    budget: Budget,
) -> Move:
    """Return the one of these moves that does best where *finish* plays what comes after it."""
    habits, prize = rule(view.options, len(view.playing)), Prize(view)

    def worth(here: Position, move: Move) -> float:
        trial = here.copy()
        make(trial, move, habits)
        return prize.of(finish(trial))

    return best_move(
        moves, world=world, worth=worth, rng=rng, budget=budget, usual=USUAL // len(moves)
    )


def likely_moves(view: View, habits: Rule) -> list[Move]:
    """Return the moves that promise most, among them all those that need no card."""
    moves: list[Move] = [move for move in view.legal if isinstance(move, Call)]
    cards = [move for move in view.legal if not isinstance(move, Call)]
    promises = {move: _promise(view, move, habits) for move in cards}
    best = sorted(cards, key=promises.__getitem__, reverse=True)
    return [*best[: max(_TRIED - len(moves), 1)], *moves]


def _promise(view: View, move: Swap | Draw, habits: Rule) -> float:
    """Return the chance of the hand this makes, a card still to be drawn at its average."""
    hand = heap_of(view.hand)
    if isinstance(move, Draw):
        return habits.plan(hand ^ BITS[move.discard], draw=True)[0]
    draw = bool(view.stock) and (view.knocker is None or bool(view.options["last_turn_stock"]))
    swapped = hand ^ heap_of(move.give) ^ heap_of(move.take)
    return max(habits.chance(swapped), habits.plan(swapped, draw=draw)[0])


def make(position: Position, move: Move, habits: Rule) -> None:
    """Make this move, and end the turn by the rule."""
    match move:
        case Swap(give, take):
            position.swap(heap_of(give), heap_of(take))
            habits.finish_turn(position)
        case Draw(discard):
            position.draw(BITS[discard])
            habits.end_turn(position, changed=True)
        case Call.KEEP | Call.LEAVE:
            position.choose(keep=move is Call.KEEP)
        case Call.TAKE_MONTE:
            position.take_monte()
        case Call.KNOCK:
            position.end_turn(knock=True)
        case Call.STAND:
            position.end_turn(knock=position.fresh)
        case _:
            assert_never(move)
