"""Random hands of our games, by the readable rules and by random playouts, to be timed."""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from time import process_time
from typing import Any, NamedTuple

from games import catalogue
from games.game import AnyGame
from games.play.playing import AnyPlay, shuffled
from tests.lab.random_playout import PLAYOUTS

AT_ONCE = 50  # hands between two looks at the clock


class Timed(NamedTuple):
    """What was played in how much processor time."""

    hands: int
    decisions: int
    seconds: float


Engine = Callable[[float], Timed]  # plays for about so many seconds


@dataclass(frozen=True, slots=True)
class Fold:
    """A game in one mode, after a first hand."""

    game: AnyGame
    play: AnyPlay
    session: Any


def second_hand(slug: str, code: str) -> Fold:
    """Return this game in its usual house after a hand, as most are played."""
    game = catalogue.GAMES[slug]
    assert game.play is not None
    options = game.default_options()
    mode = game.mode(code, options)
    session = game.open_session(mode, options, 0, (None,) * mode.seats)
    first, _ = one_hand(game.play, session, Random(1))
    sheet = game.play.fill_sheet(first)
    return Fold(game, game.play, game.add_sheet(session, sheet).session)


def one_hand(play: AnyPlay, session: Any, rng: Random) -> tuple[Any, int]:
    """Play a random hand by the readable rules; return the last state and the decisions."""
    state = play.deal(session, shuffled(play, session, rng))
    decisions = 0
    while play.seat_to_move(state) is not None:
        state = play.play(state, rng.choice(play.legal_moves(state)))
        decisions += 1
    return state, decisions


def by_rules(fold: Fold) -> Engine:
    rng = Random(1)
    return timed(lambda: one_hand(fold.play, fold.session, rng)[1], at_once=1)


def by_random_playout(fold: Fold) -> Engine:
    """Return the random playouts of a game, once a few were held to the rules."""
    playout, dice = PLAYOUTS[fold.game.slug](fold.session), Random(1).random
    for _ in range(20):
        check(fold, playout.play(dice))
    return timed(lambda: len(playout.play(dice).moves), at_once=AT_ONCE)


def check(fold: Fold, hand: Any) -> None:
    """Play the hand of a random playout again by the readable rules.

    :raises AssertionError: if it does not come to the same.
    """
    playout, play = PLAYOUTS[fold.game.slug](fold.session), fold.play
    packs, moves = playout.readable(hand)
    state = play.deal(fold.session, packs)
    for move in moves:
        state = play.play(state, move)
    assert play.seat_to_move(state) is None
    sheet = play.fill_sheet(state)
    assert sheet == {**sheet, **playout.sheet(hand)}


def timed(hand: Callable[[], int], *, at_once: int) -> Engine:
    """Return the engine that plays hands, each returning its decisions, so many at once."""

    def run(seconds: float) -> Timed:
        hands = decisions = 0
        begun = process_time()
        while (spent := process_time() - begun) < seconds:
            for _ in range(at_once):
                decisions += hand()
            hands += at_once
        return Timed(hands, decisions, spent)

    return run
