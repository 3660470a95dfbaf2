"""The fast kernel and the readable rules give the same answer, everywhere."""

from random import Random

from hypothesis import given, settings, strategies as st

from games.catalogue import GAMES
from games.dalmuti.play import rules
from games.dalmuti.play.kernel import GamePosition
from games.dalmuti.play.state import PlayCards, State
from games.play.playing import shuffled
from tests.games.dalmuti.test_scoring import table
from tests.games.hands import play_of
from tests.lab.positions import of_dalmuti
from tests.lab.random_policy import RandomPolicy

SEEDS = st.integers(0, 10**9)
SEATS = st.integers(3, 20)
few = settings(max_examples=40, deadline=None)


def opening(seats: int, rng: Random) -> State:
    """Return a game before its first card, in a house by lot."""
    session = table(
        seats,
        rng.randrange(seats),
        max_players=20,
        sticky_skip=rng.random() < 0.5,
        extra_cards=rng.choice(["dalmuti_end", "slave_end"]),
    )
    return rules.deal(session, shuffled(play_of(GAMES["dalmuti"]), session, rng))


def all_of(position: GamePosition) -> tuple[object, ...]:
    """Return all that tells one position from another."""
    return (
        [hand.counts for hand in position.hands],
        [hand.least for hand in position.hands],
        [hand.cards for hand in position.hands],
        (position.turn, position.holders, position.out, position.over),
        (position.count, position.value, position.asked, position.waiting),
        position.owner if position.count else None,
    )


@few
@given(seats=SEATS, seed=SEEDS)
def test_move_by_move_the_kernel_is_where_the_rules_are(seats: int, seed: int) -> None:
    rng = Random(seed)
    state = opening(seats, rng)
    position = of_dalmuti(state)
    while moves := rules.legal_moves(state):
        move = rng.choice(moves)
        if isinstance(move, PlayCards):
            position.play(move.count, move.value)
        else:
            position.play(0, 0)
        state = rules.play(state, move)
        if not state.over:
            assert all_of(position) == all_of(of_dalmuti(state))
    assert position.over
    assert [state.order[place] for place in position.out] == list(state.out)


@few
@given(seats=SEATS, seed=SEEDS)
def test_playing_out_is_playing_turn_by_turn(seats: int, seed: int) -> None:
    position = of_dalmuti(opening(seats, Random(seed)))
    slow, by_lot = position.copy(), RandomPolicy(Random(seed).random)
    while not slow.over:
        hand = slow.hands[slow.turn]
        if not slow.count:
            slow.play(*by_lot.lead(hand))
            continue
        able = hand.least[slow.count] & (1 << slow.value) - 1
        value = by_lot.answer(hand, slow.count, able) if able else 0
        slow.play(slow.count if value else 0, value)
    order = position.play_out(RandomPolicy(Random(seed).random))
    assert order[:-1] == slow.out
    assert sorted(order) == list(range(seats))
