"""The fast kernel and the readable rules give the same answer, everywhere."""

from itertools import combinations, pairwise
from random import Random

import pytest
from hypothesis import given, settings, strategies as st

from games.mambassa import GAME
from games.mambassa.cards import NUMBERS, PACK, SUITS, Card
from games.mambassa.hand_ranking import strength
from games.mambassa.play import rules
from games.mambassa.play.bots import Determinizer
from games.mambassa.play.hand_values import BITS, cards_of, hand_values, heap_of
from games.mambassa.play.kernel import DealPosition
from games.mambassa.play.playout_policy import playout_policy
from games.mambassa.play.state import Call, DealStage, DrawCard, Move, State, SwapCards
from games.mambassa.play.view import view
from games.mambassa.showdown import HAND_SIZE
from games.option import Options
from tests.games.hands import after
from tests.games.mambassa.table import MODES, dealt, random_deal
from tests.lab.positions import of_mambassa

SEEDS = st.integers(0, 10**9)
few = settings(max_examples=10, deadline=None)


def some_state(mode: str, seed: int) -> State:
    """Return a state in which somebody is to move, or a deal that was over at once."""
    states = [state for state, move in random_deal(mode, seed) if move]
    return Random(seed).choice(states or [state for state, _ in random_deal(mode, seed)])


def telling_hands() -> list[tuple[Card, ...]]:
    """List the hands in which there is more than points to see, and many that lie by lot."""
    rng = Random(7)
    hands = [tuple(rng.sample(PACK, HAND_SIZE)) for _ in range(1500)]
    for suit in SUITS:
        held = [card for card in PACK if card.suit is suit]
        hands += combinations(held, 4)
        hands += [(*three, rng.choice(PACK[:10])) for three in combinations(held, 3)]
    for number in NUMBERS:
        same = [card for card in PACK if card.number == number]
        hands += [
            tuple(same),
            *((*three, PACK[rng.randrange(40)]) for three in combinations(same, 3)),
        ]
    return [hand for hand in hands if len(set(hand)) == HAND_SIZE]


@pytest.mark.parametrize("tris_aces", ["low", "high"])
@pytest.mark.parametrize("ace_low", [False, True])
def test_r7_hands_are_worth_as_much_as_the_ranking_says(tris_aces: str, ace_low: bool) -> None:
    options: Options = {"tris_aces": tris_aces, "ace_low_sequence": ace_low}
    values = hand_values(options)
    ranked = sorted((strength(hand, options), values.of(heap_of(hand))) for hand in telling_hands())
    for (lower, less), (higher, more) in pairwise(ranked):
        assert (less < more) is (lower < higher)
        assert (less == more) is (lower == higher)


def follow(position: DealPosition, move: Move, later: State) -> None:
    """Make this move in the kernel; it does not know by itself when a turn has to end."""
    match move:
        case SwapCards(give, take):
            position.swap(heap_of(give), heap_of(take))
        case DrawCard(discard):
            position.draw(BITS[discard])
        case Call.TAKE_MONTE:
            position.take_monte()
            return
        case Call.KEEP | Call.LEAVE:
            position.choose(keep=move is Call.KEEP)
            return
        case _:
            position.end_turn(knock=move is Call.KNOCK or position.fresh)
            return
    if later.stage not in {DealStage.SWAPPED, DealStage.DRAWN}:
        position.end_turn(knock=False)


def seen(position: DealPosition) -> tuple[object, ...]:
    """Return all that issues of a position: of one that is over, not whose turn it would be."""
    where = (position.hands, position.monte, position.stock, position.knocker, position.declarer)
    if position.over:
        return (*where, sorted(position.payers()))
    return (*where, position.turn, position.turns, position.fresh)


@pytest.mark.parametrize("mode", MODES)
@few
@given(seed=SEEDS)
def test_move_by_move_the_kernel_is_where_the_rules_are(mode: str, seed: int) -> None:
    deal = list(random_deal(mode, seed))
    position = of_mambassa(deal[0][0])
    for (state, move), (following, _) in pairwise(deal):
        assert move is not None
        assert (position.may_draw, position.must_knock) == (state.may_draw, state.must_knock)
        follow(position, move, following)
        assert position.over is (following.stage is DealStage.OVER)
        assert seen(position) == seen(of_mambassa(following))
    last = deal[-1][0]
    assert sorted(position.payers()) == sorted(rules.outcome(last).payers)


@pytest.mark.parametrize(("choice", "declarer"), [("keep", 0), ("leave", 1)])
def test_r6_m7_the_kernel_sees_what_must_be_declared_after_the_choice(
    choice: str, declarer: int
) -> None:
    hands = {1: "1S 13S 12S 11S", 2: "2K 3B 5D 6K", 0: "2D 3D 5S 6B"}
    state = dealt(hands, "1D 13D 12D 11D", declare_after_dealer_choice=True)
    position = of_mambassa(state)
    position.choose(keep=choice == "keep")
    assert (position.over, position.declarer) == (True, declarer)
    assert seen(position) == seen(of_mambassa(after(state, choice)))


def as_moves(before: DealPosition, later: DealPosition) -> list[Move]:
    """Return the moves of the turn that lies between two positions."""
    seat = before.turn
    give, take = (later.monte & ~before.monte), (before.monte & ~later.monte)
    if take == before.monte:
        return [Call.TAKE_MONTE]
    moves: list[Move] = []
    if take:
        moves.append(SwapCards(frozenset(cards_of(give)), frozenset(cards_of(take))))
    if len(later.stock) < len(before.stock):
        gone = (before.hands[seat] ^ give | take) & ~later.hands[seat]
        moves.append(DrawCard(*cards_of(gone)))
    if moves and later.knocker != before.knocker:
        return [*moves, Call.KNOCK]
    return [*moves, Call.STAND]


@pytest.mark.parametrize("mode", MODES)
@few
@given(seed=SEEDS)
def test_the_rule_takes_turns_that_the_rules_allow(mode: str, seed: int) -> None:
    state = some_state(mode, seed)
    habits = playout_policy(state.options, len(state.playing))
    while state.stage is not DealStage.TURN and (moves := rules.legal_moves(state)):
        state = rules.play(state, moves[-1])
    while rules.seat_to_move(state) is not None:
        seat, turns = state.turn, state.turns
        position = of_mambassa(state)
        habits.take_turn(position)
        for move in as_moves(of_mambassa(state), position):
            if (rules.seat_to_move(state), state.turns) == (seat, turns):
                state = rules.play(state, move)
        assert seen(position) == seen(of_mambassa(state))


@pytest.mark.parametrize(
    ("hand", "knocks_with"), [("7D 6S 5K 3B", "offer"), ("7D 6D 5S 3S", "hand")]
)
def test_m6_the_rule_knocks_with_the_better_four_when_it_must(hand: str, knocks_with: str) -> None:
    offer = "7S 4S 2K 2B"
    position = of_mambassa(after(dealt({1: hand}, offer, max_orbits=1), "leave"))
    position.turns = 3  # once round
    four = {"hand": position.hands[1], "offer": position.monte}
    playout_policy(GAME.default_options(), 3).take_turn(position)
    assert (position.knocker, position.hands[1]) == (1, four[knocks_with])


@pytest.mark.parametrize("mode", MODES)
@few
@given(seed=SEEDS)
def test_e3_a_guess_keeps_to_what_the_seat_knows(mode: str, seed: int) -> None:
    state = some_state(mode, seed)
    if state.stage is DealStage.OVER:
        return
    seat, truth = state.turn, of_mambassa(state)
    blind = state.stage is DealStage.CHOICE
    world = Determinizer(
        view(state, seat), playout_policy(state.options, len(state.playing))
    ).world(Random(seed))
    heaps = [*world.hands, *world.stock, world.monte]
    together = sum(heaps)
    assert together.bit_count() == sum(heap.bit_count() for heap in heaps)
    assert not together & heap_of(state.discards[seat])
    assert [hand.bit_count() for hand in world.hands] == [hand.bit_count() for hand in truth.hands]
    assert len(world.stock) == len(truth.stock)
    assert (world.monte, world.turn, world.fresh) == (truth.monte, truth.turn, truth.fresh)
    assert blind or world.hands[seat] == truth.hands[seat]
    for place, shown in enumerate(state.shown):
        assert heap_of(shown) & world.hands[place] == heap_of(shown)
