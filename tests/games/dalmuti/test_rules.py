"""How a game goes, rule by rule, on hands laid out so that each rule bites (R1 to R7, E2)."""

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from games.dalmuti import GAME
from games.dalmuti.cards import PACK
from games.dalmuti.play import rules
from games.dalmuti.play.rules import opening_draw, order_of
from games.dalmuti.play.state import PlayCards, parse_move
from games.dalmuti.play.view import view
from games.mode import individuals
from games.play.playing import IllegalMoveError
from tests.games.dalmuti.table import all_cards, in_order, laid
from tests.games.dalmuti.test_scoring import table
from tests.games.hands import after, move_codes, play_out, refused

DEALT = tuple(map(str, reversed(PACK)))


def drawn_first(*cards: int) -> tuple[str, ...]:
    """Return the pack with these cards on top."""
    rest = Counter(PACK)
    rest.subtract(cards)
    return (*map(str, cards), *map(str, rest.elements()))


def test_r1_of_every_value_there_are_as_many_cards_as_it_says() -> None:
    pack = rules.pack(table())
    assert len(pack) == 78
    assert all(pack.count(str(value)) == value for value in range(1, 13))


def test_r2_the_first_game_is_drawn_for_and_the_next_is_not() -> None:
    assert rules.shuffles(table()) == 2
    assert rules.shuffles(in_order(2, 0, 1)) == 1


@pytest.mark.parametrize(
    ("cards", "tie", "draw", "order"),
    [
        ((9, 2, 12, 5), "again", ((5,), (9,), (2,), (12,)), (2, 0, 1, 3)),  # D-1
        ((9, 2, 9, 5, 11, 4), "again", ((5,), (9, 11), (2,), (9, 4)), (2, 0, 3, 1)),  # D-2
        ((6, 6, 8, 8, 7, 1, 3, 2), "again", ((8, 2), (6, 7), (6, 1), (8, 3)), (2, 1, 0, 3)),
        ((9, 9, 9, 1, 4, 4, 3, 8, 5), "again", ((1,), (9, 4, 8), (9, 4, 5), (9, 3)), (0, 3, 2, 1)),
        ((9, 2, 9, 5), "seat", ((5,), (9,), (2,), (9,)), (2, 0, 1, 3)),
    ],
)
def test_r2_d1_d2_the_draw_orders_the_table(
    cards: tuple[int, ...], tie: str, draw: Any, order: tuple[int, ...]
) -> None:
    """Seat 1 draws first, sitting after whoever opened the table."""
    state = rules.deal(table(draw_tie=tie), [drawn_first(*cards), DEALT])
    assert (state.draw, state.order) == (draw, order)
    assert (state.dealer, state.turn) == (order[-1], order[0])  # D-4, R4
    assert all_cards(state) == sorted(DEALT)  # the cards drawn went back


def test_d2_if_the_pack_runs_out_over_a_tie_the_earlier_seat_comes_first() -> None:
    draw = opening_draw([7, 7, 2, 5, 5], individuals(3, ""), first=0, redraw=True)
    short = opening_draw([7, 7, 2, 5], individuals(3, ""), first=0, redraw=True)
    assert (draw, order_of(draw)) == (((7, 5), (7, 5), (2,)), (2, 0, 1))
    assert (short, order_of(short)) == (((7,), (7,), (2,)), (2, 0, 1))


def test_d2_s20_such_a_draw_is_not_written_down_but_the_order_is() -> None:
    state = rules.deal(table(seats=3), [drawn_first(5, 5, 2), DEALT])
    end = play_out(replace(state, draw=((5,), (5,), (2,))))
    sheet = rules.fill_sheet(end)
    assert set(sheet) == {"order", "opening", "dealer"}
    assert sheet["opening"] == list(state.order)


@pytest.mark.parametrize(
    ("extra", "places"),
    [
        ("dalmuti_end", [DEALT[0::4], DEALT[1::4], DEALT[2::4], DEALT[3::4]]),
        ("slave_end", [DEALT[0:76:4], DEALT[1:76:4], (*DEALT[2:76:4], DEALT[76]), (*DEALT[3:76:4], DEALT[77])]),
    ],
)  # fmt: skip
def test_r3_d3_one_at_a_time_from_the_dalmuti(extra: str, places: list[tuple[str, ...]]) -> None:
    session = in_order(2, 0, 3, 1, extra_cards=extra)
    state = rules.deal(session, [DEALT])
    assert [state.hands[seat] for seat in (2, 0, 3, 1)] == [
        tuple(sorted(map(int, cards))) for cards in places
    ]
    assert (state.draw, state.order, state.dealer, state.turn) == (None, (2, 0, 3, 1), 1, 2)


def test_r4_the_leader_plays_any_number_of_one_value_and_cannot_skip() -> None:
    state = laid("9 9 4", "12", "8")
    assert move_codes(state) == ["2x9", "1x9", "1x4"]
    assert refused(state, "skip") == "must-lead"


def test_r4_d5_the_others_play_as_many_of_a_lower_value_or_skip() -> None:
    """On five 7s only five 6s or five 5s will do: there are but four 4s."""
    state = after(laid("7 " * 5 + "12", "6 6 6 6 6 6 5 5 5 5 5 4 4 4 4 8 8 8 8 8", "12"), "5x7")
    assert move_codes(state) == ["5x6", "5x5", "skip"]


@pytest.mark.parametrize(
    ("before", "move", "code"),
    [
        ("", "2x8", "not-held"),
        ("", "1x12", "not-held"),
        ("", "99x9", "not-held"),
        ("2x9", "3x8", "wrong-count"),
        ("2x9", "1x8", "wrong-count"),
        ("1x9", "1x9", "not-lower"),
        ("1x4", "1x8", "not-lower"),
        ("2x9", "2x4", "not-held"),
    ],
)
def test_r4_what_is_not_allowed_is_refused_by_name(before: str, move: str, code: str) -> None:
    assert refused(after(laid("9 9 4", "9 8 8 8 4", "8 12"), before), move) == code


def test_no_cards_at_all_are_no_play() -> None:
    with pytest.raises(IllegalMoveError) as refusal:
        rules.play(laid("9 4", "8", "3"), PlayCards(0, 9))
    assert refusal.value.code == "not-held"


def test_d6_a_skip_is_for_that_turn_and_cards_lie_till_all_others_have_skipped() -> None:
    state = laid("12 11 5", "9 9", "10 10", "12 12")
    state = after(state, "1x12 skip 1x10 skip skip 1x9")
    assert (state.turn, state.trick[-1].seat) == (2, 1)
    state = after(state, "skip skip skip")
    assert (state.turn, state.trick, len(state.tricks)) == (1, (), 2)  # R5


def test_d6_sticky_skip_lets_them_wait_for_the_next_trick() -> None:
    state = laid("12 11 5", "9 9", "10 10", "12 12", sticky_skip=True)
    state = after(state, "1x12 skip 1x10 skip")
    assert state.turn == 0
    state = after(state, "1x5")
    assert state.turn == 2  # past those who have skipped
    state = after(state, "skip")
    assert (state.turn, state.trick) == (0, ())


def test_d7_going_out_does_not_end_the_trick() -> None:
    state = after(laid("9 9", "8 8 3", "7 12", "12 12"), "2x9")
    assert (state.out, state.turn) == ((0,), 1)
    assert move_codes(state) == ["2x8", "skip"]


def test_r5_d7_for_a_player_without_cards_the_next_in_order_leads() -> None:
    state = after(laid("9 9", "8 3", "7 12", "12 12"), "2x9 skip skip skip")
    assert (state.out, state.turn, state.trick) == ((0,), 1, ())


def test_d8_nothing_beats_a_1_nor_a_value_that_is_played_whole() -> None:
    state = after(laid("1 3 3 3 12", "2 2", "12 12", "12"), "1x1")
    assert (state.turn, state.trick) == (0, ())
    state = after(state, "3x3")
    assert (state.turn, state.trick) == (0, ())


def test_r6_play_goes_round_in_playing_order_whatever_the_seats() -> None:
    state = rules.deal(in_order(2, 0, 3, 1), [DEALT])
    turns = []
    for _ in range(4):
        turns.append(state.turn)
        state = rules.play(state, rules.legal_moves(state)[-1])
    assert turns == [2, 0, 3, 1]  # D-10: nobody need change chairs


def test_r6_the_game_stops_at_once_when_one_player_holds_cards() -> None:
    state = after(laid("9", "8", "3 7"), "1x9 1x8")
    assert (rules.seat_to_move(state), rules.legal_moves(state)) == (None, ())
    assert (state.out, rules.left_with_cards(state)) == ((0, 1), 2)
    assert refused(state, "1x3") == refused(state, "skip") == "game-over"


def test_d9_s20_s22_the_order_of_going_out_is_the_next_playing_order() -> None:
    session = in_order(1, 2, 0)
    state = play_out(rules.deal(session, [DEALT]))
    scored = GAME.add_sheet(session, rules.fill_sheet(state))
    order = (*state.out, rules.left_with_cards(state))
    assert scored.session.order == order
    assert (scored.session.leader, scored.session.dealer) == (order[0], order[-1])  # D-4
    assert rules.deal(scored.session, [DEALT]).turn == order[0]
    assert scored.warnings == ()
    assert not scored.session.over  # R7


@pytest.mark.parametrize("counts", [False, True])
def test_r8_d11_the_sheet_of_a_first_game_tells_its_draw(counts: bool) -> None:
    session = table(count_opening_draw=counts)
    state = play_out(rules.deal(session, [drawn_first(9, 2, 9, 5, 11, 4), DEALT]))
    scored = GAME.add_sheet(session, rules.fill_sheet(state))
    assert scored.sheet["draw"] == [[5], [9, 11], [2], [9, 4]]
    assert scored.sheet["opening"] == [2, 0, 3, 1]
    assert (scored.sheet["dealer"], scored.warnings) == (1, ())
    assert scored.marks is not None
    assert sum(marks["dalmuti"] for marks in scored.marks) == 1 + counts


def test_e2_a_view_shows_plays_and_numbers_and_counts_out_the_rest() -> None:
    state = after(laid("9 9 4", "8 8 12", "8 5"), "2x9")
    seen = view(state, 1)
    assert (seen.held, seen.hand, seen.unseen()) == ((1, 3, 2), (8, 8, 12), (4, 5, 8))
    assert seen.last == (0, parse_move("2x9"))
    assert (seen.legal, view(state, 0).legal) == (rules.legal_moves(state), ())
