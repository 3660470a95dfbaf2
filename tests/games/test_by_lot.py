"""Hands played by lot are hands by the readable rules, and every legal move is as likely."""

from collections import Counter, defaultdict
from math import sqrt
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import games.albastini.by_lot
import games.briscola.by_lot
import games.dalmuti.by_lot
from games.game import AnyGame
from tests.games.hands import PLAYED, play_of, some_house

BY_LOT: dict[str, Any] = {
    "albastini": games.albastini.by_lot.ByLot,
    "briscola": games.briscola.by_lot.ByLot,
    "dalmuti": games.dalmuti.by_lot.ByLot,
}
TABLES = [
    pytest.param(PLAYED[slug], mode.code, id=f"{slug}-{mode.code}")
    for slug in BY_LOT
    for mode in PLAYED[slug].modes(PLAYED[slug].default_options())
]
USUAL = [pytest.param(PLAYED[slug], id=slug) for slug in BY_LOT]


def opened(game: AnyGame, code: str, rng: Random) -> Any:
    """Return a session of people who have just sat down, in a house by lot."""
    options, mode = some_house(game, code, rng)
    return game.open_session(mode, options, rng.randrange(mode.seats), (None,) * mode.seats)


@pytest.mark.parametrize(("game", "code"), TABLES)
@settings(max_examples=5, deadline=None)
@given(seed=st.integers(0, 10**9))
def test_the_same_moves_come_to_the_same_by_the_rules(game: AnyGame, code: str, seed: int) -> None:
    rng = Random(seed)
    session, play = opened(game, code, rng), play_of(game)
    for _ in range(2):
        by_lot = BY_LOT[game.slug](session)

        hand = by_lot.play(rng.random)

        packs, moves = by_lot.told(hand)
        state = play.deal(session, packs)
        for move in moves:
            state = play.play(state, move)
        assert play.seat_to_move(state) is None
        sheet = play.fill_sheet(state)
        assert sheet == {**sheet, **by_lot.sheet(hand)}
        session = game.add_sheet(session, sheet).session


@pytest.mark.parametrize("game", USUAL)
def test_every_legal_move_is_as_likely_as_the_others(game: AnyGame) -> None:
    """Among so many legal moves, each place of their list is chosen about as often."""
    dice = Random(1).random
    mode = game.modes(game.default_options())[1]
    session = game.open_session(mode, game.default_options(), 0, (None,) * mode.seats)
    by_lot, play = BY_LOT[game.slug](session), play_of(game)
    chosen: dict[int, Counter[int]] = defaultdict(Counter)

    while sum(sum(places.values()) for places in chosen.values()) < 4000:
        packs, moves = by_lot.told(by_lot.play(dice))
        state = play.deal(session, packs)
        for move in moves:
            legal = play.legal_moves(state)
            chosen[len(legal)][legal.index(move)] += 1
            state = play.play(state, move)

    tried = {ways: places for ways, places in chosen.items() if sum(places.values()) > 5 * ways > 5}
    assert len(tried) > 1
    for ways, places in tried.items():
        usual = sum(places.values()) / ways
        apart = sum((places[place] - usual) ** 2 / usual for place in range(ways))
        assert abs(apart - (ways - 1)) < 4 * sqrt(2 * (ways - 1)), (ways, places)
