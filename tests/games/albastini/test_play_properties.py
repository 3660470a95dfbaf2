"""What holds in every hand, of every mode: no card lost, nothing seen that is hidden (E1, E5)."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.albastini import GAME, rules
from games.albastini.cards import PACK, Card
from games.albastini.moves import Bid, Move, Pass, PlayCard, move_code, parse_move
from games.albastini.state import State
from games.albastini.telling import describe, describe_move
from games.albastini.view import view
from games.playing import IllegalMoveError, shuffled
from tests.games.albastini.table import MODES, all_cards, opened, the_play

EVERY_MOVE: list[Move] = [
    Pass(),
    *(Bid(card) for card in PACK),
    *(PlayCard(card) for card in PACK),
]
SEEDS = st.integers(0, 10**9)
few = settings(max_examples=12, deadline=None)


def random_hand(mode: str, seed: int) -> Iterator[tuple[State, Move | None]]:
    """Yield every state of a hand of random moves, and the move made in it."""
    rng = Random(seed)
    session = opened(mode, rng.randrange(GAME.mode(mode, {"allow_6i": True}).seats))
    state = rules.deal(session, shuffled(the_play(), session, rng))
    while moves := rules.legal_moves(state):
        move = rng.choice(moves)
        yield state, move
        state = rules.play(state, move)
    yield state, None


def some_state(mode: str, seed: int) -> State:
    states = [state for state, _ in random_hand(mode, seed)]
    return Random(seed + 1).choice(states)


@pytest.mark.parametrize("mode", MODES)
@few
@given(seed=SEEDS)
def test_e5_no_card_is_lost_and_somebody_can_move_until_the_end(mode: str, seed: int) -> None:
    pack = sorted(map(str, PACK))
    for state, move in random_hand(mode, seed):
        assert all_cards(state) == pack
        assert (rules.seat_to_move(state) is None) == (move is None)
        assert all(
            set(shown) <= set(hand) for shown, hand in zip(state.shown, state.hands, strict=True)
        )


@pytest.mark.parametrize("mode", MODES)
@few
@given(seed=SEEDS)
def test_r9_r10_the_sheet_of_any_hand_is_accepted(mode: str, seed: int) -> None:
    *_, (end, _) = random_hand(mode, seed)
    session: Any = opened(mode, end.dealer)

    sheet = rules.fill_sheet(end)
    scored = GAME.add_sheet(session, sheet)

    assert scored.cautions == ()
    assert scored.marks is not None
    by_side = [sum(card.value for card in pile) for pile in end.eaten]
    assert sheet["eaten"] == by_side
    for seat, marks in enumerate(scored.marks):
        assert marks["eaten"] == by_side[session.mode.side_of(seat)]


@pytest.mark.parametrize("mode", MODES)
@few
@given(seed=SEEDS)
def test_a_hand_follows_from_its_pack_and_its_moves(mode: str, seed: int) -> None:
    hand = list(random_hand(mode, seed))
    state = hand[0][0]

    for before, move in hand:
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

    def unknown(place: int, cards: tuple[Card, ...]) -> list[Card]:
        return [card for card in cards if place != seat and card not in state.shown[place]]

    under = state.face_up if state.stock and state.face_up else None
    pool = [card for place, hand in enumerate(state.hands) for card in unknown(place, hand)]
    pool += [card for card in state.stock if card != under]
    rng.shuffle(pool)
    pile = iter(pool)
    hands = tuple(
        tuple(next(pile) if card in unknown(place, hand) else card for card in hand)
        for place, hand in enumerate(state.hands)
    )
    stock = tuple(card if card == under else next(pile) for card in state.stock)
    return replace(state, hands=hands, stock=stock)


@pytest.mark.parametrize("mode", MODES)
@few
@given(seed=SEEDS)
def test_a_view_is_the_same_however_the_hidden_cards_lie(mode: str, seed: int) -> None:
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
        hidden = [card for place, hand in enumerate(state.hands) if place != seat for card in hand]
        hidden += state.stock
        known = {card for cards in state.shown for card in cards} | {state.face_up}
        assert set(seen.unseen()) == {card for card in hidden if card not in known}


@pytest.mark.parametrize("mode", MODES)
def test_every_move_and_every_view_can_be_told(mode: str) -> None:
    for state, move in random_hand(mode, 5):
        for seat in range(len(state.hands)):
            assert all(str(line) for line in describe(view(state, seat)))
        if move is not None:
            assert str(describe_move(state, move)).endswith(".")
