"""Hands of any game that is played here, by lot: in any mode, any house, any hand of a sitting."""

from collections.abc import Iterable
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from games import catalogue
from games.errors import RuleError
from games.game import AnyGame
from games.mode import Mode
from games.option import OptionKind, Options
from games.play.playing import AnyPlay, Budget, IllegalMoveError, Step, shuffled
from games.play.tricks import StockState, TrickCardT
from games.records.format import Record
from games.records.replayer import with_steps
from games.sheet import plain

PLAYED = {slug: game for slug, game in catalogue.GAMES.items() if game.play is not None}
PLAYED_GAMES = [pytest.param(game, id=slug) for slug, game in PLAYED.items()]
TABLES = [
    pytest.param(game, mode.code, id=f"{slug}-{mode.code}")
    for slug, game in PLAYED.items()
    for mode in game.modes(game.default_options())
]


def play_of(game: AnyGame) -> AnyPlay:
    assert game.play is not None
    return game.play


def play_at(state: Any) -> AnyPlay:
    """Return the play of the game that a state is of."""
    return play_of(PLAYED[type(state).__module__.split(".")[1]])


def after(state: Any, moves: str) -> Any:
    """Return the state after these moves, written one after the other."""
    play = play_at(state)
    for code in moves.split():
        state = play.play(state, play.parse_move(code))
    return state


def play_out(state: Any) -> Any:
    """Return the end of the hand when everybody makes the first move that is allowed."""
    play = play_at(state)
    while moves := play.legal_moves(state):
        state = play.play(state, moves[0])
    return state


def move_codes(state: Any) -> list[str]:
    return [*map(play_at(state).move_code, play_at(state).legal_moves(state))]


def refused(state: Any, move: str) -> str:
    """Return the code by which this move is refused."""
    play = play_at(state)
    with pytest.raises(IllegalMoveError) as refusal:
        play.play(state, play.parse_move(move))
    assert str(refusal.value).endswith(".")
    return refusal.value.code


def chosen(name: str, state: Any, iterations: int, seed: int = 1) -> str:
    """Return the move that this bot makes."""
    play = play_at(state)
    seen = play.view(state, play.seat_to_move(state) or 0)
    return play.move_code(play.bots[name](seen, Random(seed), Budget(iterations=iterations)))


def codes(cards: Iterable[object]) -> str:
    return " ".join(map(str, cards))


def taken(state: StockState[TrickCardT]) -> list[tuple[TrickCardT, ...]]:
    """Return the cards each side has taken."""
    return [
        tuple(card for trick in state.tricks if trick.winner in side for card in trick.cards)
        for side in state.mode.sides
    ]


def some_house(game: AnyGame, code: str, rng: Random) -> tuple[Options, Mode]:
    """Return house rules by lot that this mode can be played under."""
    options = {
        option.name: rng.randint(*map(int, option.values))
        if option.kind is OptionKind.NUMBER
        else rng.choice(option.values)
        for option in game.options
    }
    try:
        mode = game.mode(code, options)
        game.open_session(mode, options, 0, (None,) * mode.seats)
    except RuleError:
        options = game.default_options()
        mode = game.mode(code, options)
    return options, mode


def some_record(game: AnyGame, code: str, seed: int, *, earlier: int | None = None) -> Record:
    """Return a whole hand of moves by lot, after none or one hand before it."""
    rng = Random(seed)
    options, mode = some_house(game, code, rng)
    record = Record(
        game=game.slug,
        mode=code,
        options=options,
        players=tuple(f"Player {seat}" for seat in range(mode.seats)),
        first_dealer=rng.randrange(mode.seats),
    )
    session = game.open_session(mode, options, record.first_dealer, (None,) * mode.seats)
    for _ in range(rng.randrange(2) if earlier is None else earlier):
        hand = one_hand(game, session, record, rng)
        assert hand.sheet is not None
        session = game.add_sheet(session, hand.sheet).session
        record = replace(record, before=(*record.before, plain(hand.sheet)))
    return one_hand(game, session, record, rng)


def one_hand(game: AnyGame, session: Any, record: Record, rng: Random) -> Record:
    """Return the record with a hand of moves by lot played in this session."""
    play = play_of(game)
    packs = shuffled(play, session, rng)
    state = play.deal(session, packs)
    steps = []
    while (seat := play.seat_to_move(state)) is not None:
        move = rng.choice(play.legal_moves(state))
        after = play.play(state, move)
        steps.append(Step(state, seat, move, after))
        state = after
    dealt = replace(record, dealer=session.dealer, packs=packs)
    return with_steps(dealt, play, steps, state)
