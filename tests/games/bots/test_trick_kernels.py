"""The kernel of games of tricks and the readable rules give the same answer, everywhere."""

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from games.albastini.play.kernel import KERNEL as ALBASTINI
from games.bots.fast_tricks import Position
from games.briscola.play.kernel import KERNEL as BRISCOLA, foresee_swap, swap
from games.briscola.play.state import SwapTrump
from games.mode import Mode
from games.play.playing import shuffled
from games.play.tricks import points
from tests.games.briscola.table import dealt
from tests.games.hands import PLAYED as GAMES, play_of
from tests.games.test_every_played_game import TABLES, house
from tests.lab.positions import of_tricks
from tests.lab.random_playout.tricks import play_randomly

KERNELS: dict[str, Any] = {"albastini": ALBASTINI, "briscola": BRISCOLA}
every_table = pytest.mark.parametrize(
    ("slug", "mode"),
    [pytest.param(*each, id=f"{each[0]}-{each[1].code}") for each in TABLES if each[0] in KERNELS],
)
some = settings(max_examples=15, deadline=None)
seeds = given(seed=st.integers(0, 10**9))


def opening(slug: str, mode: Mode, rng: Random) -> Any:
    """Return a hand before its first card, the bidding over, in a house by lot."""
    game, play = GAMES[slug], play_of(GAMES[slug])
    options = house(game, mode, rng.randrange(10**6))
    session = game.open_session(mode, options, rng.randrange(mode.seats), (None,) * mode.seats)
    state = play.deal(session, shuffled(play, session, rng))
    while state.trump is None:
        state = play.play(state, rng.choice(play.legal_moves(state)))
    return state


def same(position: Position, other: Position) -> bool:
    return (
        [sorted(hand) for hand in position.hands] == [sorted(hand) for hand in other.hands]
        and (position.stock, position.turn, position.points, position.best)
        == (other.stock, other.turn, other.points, other.best)
        and (position.pile, position.missing) == (other.pile, other.missing)
    )


@every_table
@some
@seeds
def test_move_by_move_the_kernel_is_where_the_rules_are(slug: str, mode: Mode, seed: int) -> None:
    rng = Random(seed)
    state, play = opening(slug, mode, rng), play_of(GAMES[slug])
    position, numbers = of_tricks(KERNELS[slug], state), KERNELS[slug].numbers[state.trump]
    while moves := play.legal_moves(state):
        move = rng.choice(moves)
        if isinstance(move, SwapTrump):
            swap(position, position.turn, numbers.number(state.swaps))
        else:
            position.play(numbers.number(move.card))
        state = play.play(state, move)
        assert same(position, of_tricks(KERNELS[slug], state))
    assert position.points == list(points(mode, state.tricks))


@every_table
@some
@seeds
def test_playing_out_is_playing_card_by_card(slug: str, mode: Mode, seed: int) -> None:
    rng = Random(seed)
    position, rule = of_tricks(KERNELS[slug], opening(slug, mode, rng)), KERNELS[slug].policy(mode)
    for _ in range(rng.randrange(8)):
        position.play(rule.card(position))
    own = rng.randrange(mode.seats) if mode.individual else None
    slow = position.copy()
    while slow.hands[slow.turn]:
        slow.play(rule.card(slow, own))
    assert rule.play_out(position.copy(), own) == slow.points
    assert sum(play_randomly(position, rng.random)) == sum(slow.points)
    assert slug == "albastini" or sum(slow.points) == 120


@every_table
@some
@seeds
def test_a_guess_keeps_to_what_the_seat_knows(slug: str, mode: Mode, seed: int) -> None:
    rng = Random(seed)
    state, play = opening(slug, mode, rng), play_of(GAMES[slug])
    for _ in range(rng.randrange(25)):
        if moves := play.legal_moves(state):
            state = play.play(state, rng.choice(moves))
    truth, seat, seen = of_tricks(KERNELS[slug], state), state.turn, play.view(state, state.turn)
    world = KERNELS[slug].determinizer(seen).world(rng)
    cards, there = (
        sorted([*each.stock, *(card for hand in each.hands for card in hand)])
        for each in (world, truth)
    )
    assert cards == there
    assert [len(hand) for hand in world.hands] == [len(hand) for hand in truth.hands]
    assert sorted(world.hands[seat]) == sorted(truth.hands[seat])
    assert world.stock[:1] == truth.stock[:1]  # the face-up card lies under the stock
    for hand, known in zip(world.hands, seen.known, strict=True):
        assert set(KERNELS[slug].numbers[state.trump].of(known)) <= set(hand)


@pytest.mark.parametrize(
    ("hands", "turned_up", "swapped"),
    [
        ({0: "7B"}, "1B", True),
        ({1: "7B"}, "11B", True),
        ({0: "7B"}, "5B", False),  # it would not pay
        ({0: "5B"}, "7B", False),
    ],
)
def test_a_swap_that_pays_is_foreseen(hands: dict[int, str], turned_up: str, swapped: bool) -> None:
    state = dealt("2i", hands, turned_up)
    position = of_tricks(BRISCOLA, state)
    foresee_swap(position, 7)
    assert (position.stock[0] != of_tricks(BRISCOLA, state).stock[0]) == swapped
    assert [len(hand) for hand in position.hands] == [3, 3]
