"""Hands played by lot are hands by the readable rules, and every legal move is as likely."""

from collections import Counter, defaultdict
from collections.abc import Callable
from itertools import chain
from math import sqrt
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from games.game import AnyGame
from games.mambassa.cards import PACK, PLACES, parse_card
from games.option import Options
from tests.games.hands import PLAYED, play_of, some_house
from tests.lab.random_playout import PLAYOUTS, mambassa

# With fewer legal moves than these, the rarest choices were not made at all.
MOST_WAYS = {"albastini": 6, "briscola": 4, "dalmuti": 9, "mambassa": 70}
TABLES = [
    pytest.param(PLAYED[slug], mode.code, id=f"{slug}-{mode.code}")
    for slug in PLAYOUTS
    for mode in PLAYED[slug].modes(PLAYED[slug].default_options())
]
USUAL = [pytest.param(PLAYED[slug], id=slug) for slug in PLAYOUTS]


def opened(game: AnyGame, code: str, rng: Random) -> Any:
    """Return a session of people who have just sat down, in a house by lot."""
    options, mode = some_house(game, code, rng)
    return game.open_session(mode, options, rng.randrange(mode.seats), (None,) * mode.seats)


def played(game: AnyGame, session: Any, dice: Callable[[], float]) -> Any:
    """Return the session after a hand by lot, which the rules must agree with."""
    playout, play = PLAYOUTS[game.slug](session), play_of(game)
    hand = playout.play(dice)
    packs, moves = playout.readable(hand)
    state = play.deal(session, packs)
    for move in moves:
        state = play.play(state, move)
    assert play.seat_to_move(state) is None
    sheet = play.fill_sheet(state)
    assert sheet == {**sheet, **playout.sheet(hand)}
    return game.add_sheet(session, sheet).session


@pytest.mark.parametrize(("game", "code"), TABLES)
@settings(max_examples=5, deadline=None)
@given(seed=st.integers(0, 10**9))
def test_the_same_moves_come_to_the_same_by_the_rules(game: AnyGame, code: str, seed: int) -> None:
    rng = Random(seed)
    session = opened(game, code, rng)
    for _ in range(2):
        session = played(game, session, rng.random)


@pytest.mark.parametrize("game", USUAL)
def test_they_do_in_every_house(game: AnyGame) -> None:
    usual, rng = game.default_options(), Random(1)
    for option in game.options:
        for value, _ in option.choices or [(False, ""), (True, "")]:
            options = {**usual, option.name: value}
            mode = game.modes(options)[1]
            session = game.open_session(mode, options, 0, (None,) * mode.seats)
            for _ in range(5):
                session = played(game, session, rng.random)


def stacked(cards: str, rng: Random, *first: float) -> Callable[[], float]:
    """Return dice that lay these cards of Mambassa on top of the pack, fall so, and then roll."""
    top = [PLACES[parse_card(code)] for code in cards.split()]
    places = [*top, *(place for place in range(len(PACK)) if place not in top)]
    keys = [places.index(place) / len(PACK) for place in range(len(PACK))]
    return chain(keys, first, iter(rng.random, 1.0)).__next__


@pytest.mark.parametrize("wait", [True, False])
@pytest.mark.parametrize(
    "cards",
    [
        "1D 2S 1B 13D 4S 13B 12D 6S 12B 11D 7S 11B",  # the dealer, and the first to play
        "2S 1D 1B 4S 13D 13B 6S 12D 12B 7S 11D 11B",  # the dealer, and the second
        "1S 2S 3S 1D 4S 5S 1K 6S 7K 1B 7S 6K",  # four aces
        "2S 1B 1D 4S 13B 13D 6S 12B 12D 7S 2B 2D 11D 4D 5D 11B",  # one card is in the monte
    ],
)
def test_who_must_declare_ends_a_deal_of_mambassa(cards: str, wait: bool) -> None:
    game = PLAYED["mambassa"]
    options = {**game.default_options(), "declare_after_dealer_choice": wait}
    mode = game.mode("3i", options)
    session = game.open_session(mode, options, 2, (None,) * 3)
    for seed in range(30):
        played(game, session, stacked(cards, Random(seed)))


@pytest.mark.parametrize("place", range(4))
def test_a_card_drawn_may_end_a_deal_of_mambassa(place: int) -> None:
    game = PLAYED["mambassa"]
    options = game.default_options()
    session = game.open_session(game.mode("3i", options), options, 2, (None,) * 3)
    leave, draw = 0.0, (70.5 + place) / 74  # what may begin a turn: the draws are the last four
    cards = "1D 2S 5B 13D 4S 13B 12D 6S 12B 5D 7S 2B 2D 3D 4D 6D 11D"
    played(game, session, stacked(cards, Random(1), leave, draw))


@pytest.mark.parametrize(
    ("slug", "code", "house"),
    [
        ("albastini", "3i", {}),
        ("briscola", "2i", {}),
        ("briscola", "4t2", {"deuce_swap": True}),
        ("briscola", "4t2", {"seven_swap": "drawn_only", "swap_trick": "side"}),
        ("dalmuti", "4i", {}),
        ("dalmuti", "4i", {"sticky_skip": True}),
        ("mambassa", "4i", {}),
        ("mambassa", "3i", {"voluntary_knock": True, "last_turn_stock": False}),
    ],
)
def test_every_legal_move_is_as_likely_as_the_others(slug: str, code: str, house: Options) -> None:
    """Among so many legal moves, each place of their list is chosen about as often."""
    dice = Random(1).random
    game = PLAYED[slug]
    options = {**game.default_options(), **house}
    mode = game.mode(code, options)
    session = game.open_session(mode, options, 0, (None,) * mode.seats)
    playout, play = PLAYOUTS[game.slug](session), play_of(game)
    chosen: dict[int, Counter[int]] = defaultdict(Counter)
    work = 0  # a move of Mambassa is one of very many
    while work < 60_000:
        packs, moves = playout.readable(playout.play(dice))
        state = play.deal(session, packs)
        for move in moves:
            legal = play.legal_moves(state)
            chosen[len(legal)][legal.index(move)] += 1
            work += 10 + len(legal)
            state = play.play(state, move)
    tried = {ways: places for ways, places in chosen.items() if sum(places.values()) > 5 * ways > 5}
    assert max(tried) >= MOST_WAYS[slug]
    for ways, places in tried.items():
        usual = sum(places.values()) / ways
        assert len(places) == ways or usual < 8
        apart = sum((places[place] - usual) ** 2 / usual for place in range(ways))
        assert abs(apart - (ways - 1)) < 4 * sqrt(2 * (ways - 1)), (ways, places)


def test_the_swaps_of_mambassa_are_all_there() -> None:
    """One card for one of the monte, two for two, or three for three, each set once."""
    swaps = [
        tuple(frozenset(places) for places in zip(*swap, strict=True)) for swap in mambassa._SWAPS
    ]
    assert len({*swaps}) == len(swaps) == 4 * 4 + 6 * 6 + 4 * 4
