"""Opponents to measure ``strong`` against; no table offers them."""

from random import Random

from games.mambassa.guess import Guess
from games.mambassa.habits import rule
from games.mambassa.kernel import Position, of_state
from games.mambassa.moves import Move
from games.mambassa.state import State
from games.mambassa.strong import by_trial, likely_moves
from games.mambassa.view import View, view
from games.mambassa.worth import bits_of
from games.playing import Budget

_STANDS = 0.3  # how often playouts by lot stand, and how often they draw
_DRAWS = 0.5


def plain(seen: View, rng: Random, budget: Budget) -> Move:
    """Search likely worlds as ``strong`` does, but play them out by lot."""
    habits = rule(seen.options, len(seen.playing))

    def finish(trial: Position) -> Position:
        while not trial.over:
            _turn_by_lot(trial, rng)
        return trial

    return by_trial(
        seen,
        likely_moves(seen, habits),
        world=Guess(seen, habits).world,
        finish=finish,
        rng=rng,
        budget=budget,
    )


def _turn_by_lot(position: Position, rng: Random) -> None:
    """Take a whole turn in which everything is left to chance, but what must be is done."""
    if position.must_knock or rng.random() < _STANDS:
        position.end_turn(knock=True)
        return
    number = rng.randrange(5)
    give = rng.sample(bits_of(position.hands[position.turn]), number)
    take = rng.sample(bits_of(position.monte), number)
    if number:
        position.swap(sum(give), sum(take))
    draws = number < 4 and position.may_draw and not position.over and rng.random() < _DRAWS
    if draws:
        position.draw(rng.choice(bits_of(position.hands[position.turn])))
    position.end_turn(knock=number == 4 or not (number or draws))


def cheat(state: State, rng: Random, budget: Budget) -> Move:
    """Look at everybody's cards, and at as many of the stock as there are players.

    The rest of the stock is left to luck: what others will do is not known to a cheat either,
    and a plan that hangs on it to the last card goes wrong.
    """
    seen, here = view(state, state.turn), of_state(state)
    near = len(seen.playing)
    habits = rule(seen.options, near)

    def world(dice: Random) -> Position:
        far = here.stock[:-near]
        dice.shuffle(far)
        trial = here.copy()
        trial.stock = [*far, *here.stock[-near:]]
        return trial

    return by_trial(
        seen,
        likely_moves(seen, habits),
        world=world,
        finish=habits.play_out,
        rng=rng,
        budget=budget,
    )
