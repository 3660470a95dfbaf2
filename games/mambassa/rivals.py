"""Opponents to measure ``strong`` against; no table offers them."""

from random import Random

from games.mambassa.guess import Guess
from games.mambassa.habits import rule
from games.mambassa.kernel import Position, of_state
from games.mambassa.moves import Move, Swap
from games.mambassa.prize import Prize
from games.mambassa.ranks import bits_of, heap_of
from games.mambassa.rule import Rule
from games.mambassa.state import State
from games.mambassa.strong import USUAL, likely_moves, make
from games.mambassa.view import View, view
from games.playing import Budget
from games.search import best_move

_STANDS = 0.3  # how often playouts by lot stand, and how often they draw
_DRAWS = 0.5
_NERVES = (0.75, 0.85, 0.95)  # a cheat tries several ways in which others may knock


def plain(seen: View, rng: Random, budget: Budget) -> Move:
    """Search likely worlds as ``strong`` does, but play them out by lot."""
    habits, prize = rule(seen.options, len(seen.playing)), Prize(seen)
    moves = likely_moves(seen, habits)

    def worth(world: Position, move: Move) -> float:
        trial = world.copy()
        make(trial, move, habits)
        while not trial.over:
            _turn_by_lot(trial, rng)
        return prize.of(trial)

    return best_move(
        moves,
        world=Guess(seen, habits).world,
        worth=worth,
        rng=rng,
        budget=budget,
        usual=USUAL // len(moves),
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


def cheat(state: State, _rng: Random, _budget: Budget) -> Move:
    """Look at everybody's cards and into the stock, and play what that leads to."""
    seen = view(state, state.turn)
    prize, here = Prize(seen), of_state(state)
    styles = [rule(seen.options, len(seen.playing), enough) for enough in _NERVES]

    def promise(move: Move) -> float:
        return max(
            sum(prize.of(habits.play_out(end.copy())) for habits in styles)
            for end in _ends(here, move, styles[0])
        )

    return max(seen.legal, key=promise)


def _ends(here: Position, move: Move, habits: Rule) -> list[Position]:
    """Return the positions in which a turn that goes on with this move may end."""
    if not isinstance(move, Swap):
        end = here.copy()
        make(end, move, habits)
        return [end]
    swapped = here.copy()
    swapped.swap(heap_of(move.give), heap_of(move.take))
    ends = [swapped.copy()]
    if swapped.may_draw and not swapped.over:
        for bit in bits_of(swapped.hands[here.turn]):
            drawn = swapped.copy()
            drawn.draw(bit)
            ends.append(drawn)
    for end in ends:
        habits.end_turn(end, changed=True)
    return ends
