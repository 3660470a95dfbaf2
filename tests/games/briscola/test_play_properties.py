"""What holds in every deal, mode and house: no card lost, nothing seen that is hidden (E4, E5)."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.briscola import GAME, rules
from games.briscola.cards import PACK
from games.briscola.moves import Move, PlayCard, Swap, move_code, parse_move
from games.briscola.state import State
from games.briscola.telling import describe, describe_move
from games.briscola.view import view
from games.playing import IllegalMoveError, shuffled
from tests.games.briscola.table import HOUSES, MODES, all_cards, opened, the_play

EVERY_MOVE: list[Move] = [Swap(7), Swap(2), *(PlayCard(card) for card in PACK)]
SEEDS = st.integers(0, 10**9)
few = settings(max_examples=25, deadline=None)


def random_deal(mode: str, seed: int) -> Iterator[tuple[State, Move | None]]:
    """Yield every state of a deal of random moves in a random house, and the move made in it."""
    rng = Random(seed)
    seats = GAME.mode(mode, {}).seats
    session = opened(mode, rng.randrange(seats), rng.choice(HOUSES))
    state = rules.deal(session, shuffled(the_play(), session, rng))
    while moves := rules.legal_moves(state):
        move = rng.choice(moves)
        yield state, move
        state = rules.play(state, move)
    yield state, None


def some_state(mode: str, seed: int) -> State:
    return Random(seed + 1).choice([state for state, _ in random_deal(mode, seed)])


def session_of(state: State) -> Any:
    return opened(state.mode.code, state.dealer, state.options)


@pytest.mark.parametrize("mode", MODES)
@few
@given(seed=SEEDS)
def test_e5_no_card_is_lost_and_somebody_can_move_until_the_end(mode: str, seed: int) -> None:
    for state, move in random_deal(mode, seed):
        assert all_cards(state) == sorted(rules.pack(session_of(state)))
        assert (rules.seat_to_move(state) is None) == (move is None)
        assert state.stock[-1:] in ((), (state.face_up,))
        assert all(
            set(shown) <= set(hand) for shown, hand in zip(state.shown, state.hands, strict=True)
        )


@pytest.mark.parametrize("mode", MODES)
@few
@given(seed=SEEDS)
def test_r7_s41_the_sheet_of_any_deal_is_accepted(mode: str, seed: int) -> None:
    *_, (end, _) = random_deal(mode, seed)

    sheet = rules.fill_sheet(end)
    scored = GAME.add_sheet(session_of(end), sheet)

    assert scored.cautions == ()
    assert scored.marks is not None
    by_side = [sum(card.value for card in pile) for pile in end.won]
    assert sheet["points"] == by_side
    assert [marks["points"] for marks in scored.marks] == [
        by_side[end.mode.side_of(seat)] for seat in range(end.mode.seats)
    ]


@pytest.mark.parametrize("mode", MODES)
@few
@given(seed=SEEDS)
def test_a_deal_follows_from_its_pack_and_its_moves(mode: str, seed: int) -> None:
    deal = list(random_deal(mode, seed))
    state = deal[0][0]

    for before, move in deal:
        assert state == before
        if move is not None:
            state = rules.play(state, parse_move(move_code(move)))


@pytest.mark.parametrize("mode", MODES)
@few
@given(seed=SEEDS)
def test_whatever_is_not_legal_is_refused(mode: str, seed: int) -> None:
    state = some_state(mode, seed)
    legal = rules.legal_moves(state)

    assert len(set(legal)) == len(legal)
    for move in EVERY_MOVE:
        if move not in legal:
            with pytest.raises(IllegalMoveError):
                rules.play(state, move)


def hidden_elsewhere(state: State, seat: int, rng: Random) -> State:
    """Return a state that differs only in cards this seat cannot know."""
    known = [*view(state, seat).known]
    under = state.stock[-1:]
    pool = [
        card for cards, hand in zip(known, state.hands, strict=True) for card in {*hand} - {*cards}
    ]
    pool += state.stock[:-1]
    rng.shuffle(pool)
    pile = iter(pool)
    hands = tuple(
        tuple(card if card in cards else next(pile) for card in hand)
        for cards, hand in zip(known, state.hands, strict=True)
    )
    stock = (*(next(pile) for _ in state.stock[:-1]), *under)
    return replace(state, hands=hands, stock=stock)


@pytest.mark.parametrize("mode", MODES)
@few
@given(seed=SEEDS)
def test_e4_a_view_is_the_same_however_the_hidden_cards_lie(mode: str, seed: int) -> None:
    state = some_state(mode, seed)
    for seat in range(len(state.hands)):
        other = hidden_elsewhere(state, seat, Random(seed))

        assert all_cards(other) == all_cards(state)
        assert view(other, seat) == view(state, seat)
        assert describe(view(other, seat)) == describe(view(state, seat))


@pytest.mark.parametrize("mode", MODES)
@few
@given(seed=SEEDS)
def test_what_a_view_has_not_seen_is_what_is_hidden(mode: str, seed: int) -> None:
    state = some_state(mode, seed)
    for seat in range(len(state.hands)):
        seen = view(state, seat)
        known = {card for cards in seen.known for card in cards}
        hidden = {card for hand in state.hands for card in hand} | set(state.stock[:-1])
        assert set(seen.unseen()) == hidden - known


@pytest.mark.parametrize("mode", MODES)
def test_every_move_and_every_view_can_be_told(mode: str) -> None:
    for state, move in random_deal(mode, 5):
        for seat in range(len(state.hands)):
            assert all(str(line) for line in describe(view(state, seat)))
        if move is not None:
            assert str(describe_move(state, move)).endswith(".")
