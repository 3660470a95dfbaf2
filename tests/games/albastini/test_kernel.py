"""The fast kernel and the readable rules give the same answer, everywhere."""

from random import Random

import pytest
from hypothesis import given, settings, strategies as st

from games.albastini.play import rules
from games.albastini.play.kernel import KERNEL
from games.albastini.play.state import State
from games.albastini.play.view import view
from games.bots.fast_tricks import Position
from games.cards import CardSuit
from games.play.playing import shuffled
from games.play.tricks import PlayCard, points
from tests.games.albastini.table import MODES, opened, the_play
from tests.lab.positions import of_albastini
from tests.lab.random_playout.tricks import play_randomly

SEEDS = st.integers(0, 10**9)
few = settings(max_examples=15, deadline=None)


def opening(mode: str, rng: Random) -> tuple[State, CardSuit]:
    """Return a hand of which the bidding is over, and its trumps."""
    session = opened(mode)
    state = rules.deal(session, shuffled(the_play(), session, rng))
    while state.to_bid:
        state = rules.play(state, rng.choice(rules.legal_moves(state)))
    assert state.trump is not None
    return state, state.trump


def same(position: Position, other: Position) -> bool:
    return (
        [sorted(hand) for hand in position.hands] == [sorted(hand) for hand in other.hands]
        and (position.stock, position.turn, position.points, position.best)
        == (other.stock, other.turn, other.points, other.best)
        and (position.pile, position.missing) == (other.pile, other.missing)
    )


@pytest.mark.parametrize("mode", MODES)
@few
@given(seed=SEEDS)
def test_card_by_card_the_kernel_is_where_the_rules_are(mode: str, seed: int) -> None:
    rng = Random(seed)
    state, trump = opening(mode, rng)
    position = of_albastini(state, trump)
    numbers = KERNEL.numbers[trump]
    while moves := rules.legal_moves(state):
        move = rng.choice(moves)
        assert isinstance(move, PlayCard)
        state = rules.play(state, move)
        position.play(numbers.number(move.card))
        assert same(position, of_albastini(state, trump))
    assert position.points == list(points(state.mode, state.tricks))


@pytest.mark.parametrize("mode", MODES)
@few
@given(seed=SEEDS)
def test_playing_out_is_playing_card_by_card(mode: str, seed: int) -> None:
    rng = Random(seed)
    state, trump = opening(mode, rng)
    position = of_albastini(state, trump)
    rule = KERNEL.policy(state.mode)
    for _ in range(rng.randrange(8)):
        position.play(rule.card(position))
    own = rng.randrange(state.mode.seats) if state.mode.individual else None
    slow = position.copy()
    while slow.hands[slow.turn]:
        slow.play(rule.card(slow, own))
    assert rule.play_out(position.copy(), own) == slow.points
    assert sum(play_randomly(position, rng.random)) == sum(slow.points)


@pytest.mark.parametrize("mode", MODES)
@few
@given(seed=SEEDS)
def test_a_guess_keeps_to_what_the_seat_knows(mode: str, seed: int) -> None:
    rng = Random(seed)
    state, trump = opening(mode, rng)
    for _ in range(rng.randrange(20)):
        if moves := rules.legal_moves(state):
            state = rules.play(state, rng.choice(moves))
    truth = of_albastini(state, trump)
    seat = state.turn
    numbers = KERNEL.numbers[trump]
    world = KERNEL.determinizer(view(state, seat)).world(rng)
    cards = [card for hand in world.hands for card in hand] + world.stock
    there = [card for hand in truth.hands for card in hand] + truth.stock
    assert sorted(cards) == sorted(there)
    assert [len(hand) for hand in world.hands] == [len(hand) for hand in truth.hands]
    assert sorted(world.hands[seat]) == sorted(truth.hands[seat])
    assert world.stock[:1] == truth.stock[:1]  # the face-up card lies under the stock
    for place, shown in enumerate(state.shown):
        assert set(numbers.of(shown)) <= set(world.hands[place])


def test_the_kernels_cards_are_the_packs() -> None:
    for trump, numbers in KERNEL.numbers.items():
        cards = [numbers.card(number) for number in range(36)]
        assert numbers.of(cards) == list(range(36))
        assert [card.value for card in cards] == KERNEL.deck.values
        assert {card.suit for card in cards[:9]} == {trump}
