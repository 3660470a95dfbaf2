"""The fast kernel and the readable rules give the same answer, everywhere."""

from random import Random

import pytest
from hypothesis import given, settings, strategies as st

from games.bots.fast_tricks import Position
from games.briscola import GAME
from games.briscola.play import rules
from games.briscola.play.kernel import KERNEL, foresee_swap, swap
from games.briscola.play.state import State, SwapTrump
from games.briscola.play.view import view
from games.play.playing import shuffled
from games.play.tricks import points
from tests.games.briscola.table import HOUSES, MODES, dealt, opened, the_play
from tests.lab.positions import of_briscola
from tests.lab.random_playout.tricks import play_randomly

SEEDS = st.integers(0, 10**9)
few = settings(max_examples=20, deadline=None)


def opening(mode: str, rng: Random) -> State:
    """Return a deal before its first card, in a house by lot."""
    seats = GAME.mode(mode, {}).seats
    session = opened(mode, rng.randrange(seats), rng.choice(HOUSES))
    return rules.deal(session, shuffled(the_play(), session, rng))


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
def test_move_by_move_the_kernel_is_where_the_rules_are(mode: str, seed: int) -> None:
    rng = Random(seed)
    state = opening(mode, rng)
    position = of_briscola(state)
    numbers = KERNEL.numbers[state.turned_up.suit]
    while moves := rules.legal_moves(state):
        move = rng.choice(moves)
        if isinstance(move, SwapTrump):
            assert state.swaps is not None
            swap(position, position.turn, numbers.number(state.swaps))
        else:
            position.play(numbers.number(move.card))
        state = rules.play(state, move)
        assert same(position, of_briscola(state))
    assert position.points == list(points(state.mode, state.tricks))


@pytest.mark.parametrize("mode", MODES)
@few
@given(seed=SEEDS)
def test_playing_out_is_playing_card_by_card(mode: str, seed: int) -> None:
    rng = Random(seed)
    state = opening(mode, rng)
    position = of_briscola(state)
    rule = KERNEL.policy(state.mode)
    for _ in range(rng.randrange(8)):
        position.play(rule.card(position))
    own = rng.randrange(state.mode.seats) if state.mode.individual else None
    slow = position.copy()
    while slow.hands[slow.turn]:
        slow.play(rule.card(slow, own))
    assert rule.play_out(position.copy(), own) == slow.points
    assert sum(play_randomly(position, rng.random)) == sum(slow.points) == 120


@pytest.mark.parametrize("mode", MODES)
@few
@given(seed=SEEDS)
def test_a_guess_keeps_to_what_the_seat_knows(mode: str, seed: int) -> None:
    rng = Random(seed)
    state = opening(mode, rng)
    for _ in range(rng.randrange(30)):
        if moves := rules.legal_moves(state):
            state = rules.play(state, rng.choice(moves))
    truth = of_briscola(state)
    seat = state.turn
    seen = view(state, seat)
    world = KERNEL.determinizer(seen).world(rng)
    cards = [card for hand in world.hands for card in hand] + world.stock
    there = [card for hand in truth.hands for card in hand] + truth.stock
    assert sorted(cards) == sorted(there)
    assert [len(hand) for hand in world.hands] == [len(hand) for hand in truth.hands]
    assert sorted(world.hands[seat]) == sorted(truth.hands[seat])
    assert world.stock[:1] == truth.stock[:1]  # the card face up lies under the stock
    for place, known in enumerate(seen.known):
        assert set(KERNEL.numbers[state.turned_up.suit].of(known)) <= set(world.hands[place])


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
    position = of_briscola(state)
    foresee_swap(position, 7)
    assert (position.stock[0] != of_briscola(state).stock[0]) == swapped
    assert [len(hand) for hand in position.hands] == [3, 3]


def test_the_kernels_cards_are_the_packs() -> None:
    for trump, numbers in KERNEL.numbers.items():
        cards = [numbers.card(number) for number in range(40)]
        assert numbers.of(cards) == list(range(40))
        assert [card.value for card in cards] == KERNEL.deck.values
        assert {card.suit for card in cards[:10]} == {trump}
