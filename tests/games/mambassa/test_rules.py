"""How a deal goes, rule by rule, on deals laid out so that each rule bites (R1 to R5, E3, E5)."""

import pytest

from games.mambassa import GAME
from games.mambassa.play import rules
from games.mambassa.play.state import DealStage, State
from tests.games.book import after as after_sheets
from tests.games.hands import after, codes, move_codes, refused
from tests.games.mambassa.table import MODES, all_cards, dealt, event, ordered
from tests.games.mambassa.test_table import pays, table

# Seat 0 deals: seat 1 has the first turn, seat 2 the second.
HANDS = {1: "1D 13D 2S 3K", 2: "1S 13S 2K 3B", 0: "1K 13K 2B 3D"}
OFFER = "12D 12S 4B 5K"
STOCK = "12K 12B 11B"
DEAL = dealt(HANDS, OFFER, STOCK)
LEFT = after(DEAL, "leave")
KEPT = after(DEAL, "keep")


def counted(state: State, kind: str) -> int:
    """Return how many allowed moves are of this kind."""
    return sum(code.startswith(kind) for code in move_codes(state))


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("dealer", [0, 1])
def test_r1_r3_four_cards_each_one_at_a_time_and_the_dealer_looks_at_four(
    mode: str, dealer: int
) -> None:
    seats = GAME.mode(mode, {}).seats
    session = table(seats, dealer)
    pack = rules.pack(session)
    state = rules.deal(session, [pack])
    assert GAME.play is not None
    assert (len(set(pack)), GAME.play.shuffles(session)) == (40, 1)
    assert codes([state.hands[(dealer + 1) % seats][0]]) == pack[0]
    assert codes([state.hands[dealer][3]]) == pack[4 * seats - 1]
    assert codes(state.offer) == " ".join(pack[4 * seats : 4 * seats + 4])
    assert len(state.stock) == 40 - 4 * seats - 4
    assert rules.seat_to_move(state) == dealer
    assert all_cards(state) == sorted(pack)


def test_r2_r9_r10_those_without_tokens_get_no_cards() -> None:
    session = after_sheets(table(4), pays(1), pays(1), pays(1))  # seat 1 is out, seat 3 deals
    state = rules.deal(session, [ordered(session, {0: "1D 13D 2S 3K"})])
    assert (session.dealer, state.playing) == (3, (0, 2, 3))
    assert [len(hand) for hand in state.hands] == [4, 0, 4, 4]
    assert codes(state.hands[0]) == "1D 13D 2S 3K"
    assert len(state.stock) == 40 - 4 * 3 - 4
    assert [rules.seat_to_move(each) for each in turns_of(after(state, "leave"), 4)] == [0, 2, 3, 0]


def turns_of(state: State, number: int) -> list[State]:
    """Return the states in which so many turns begin, everybody swapping one card and no more."""
    begun = [state]
    while len(begun) < number:
        swap = next(code for code in move_codes(state) if code.startswith("swap"))
        state = after(state, f"{swap} stand")
        begun.append(state)
    return begun


def test_r3_the_dealer_must_choose_first() -> None:
    assert move_codes(DEAL) == ["keep", "leave"]
    assert refused(DEAL, "stand") == refused(DEAL, "draw:1K") == "choose-first"
    assert refused(LEFT, "keep") == refused(KEPT, "leave") == "chosen"


def test_r3_leaving_them_makes_them_the_monte_and_no_knock() -> None:
    assert codes(LEFT.monte) == OFFER
    assert codes(LEFT.hands[0]) == HANDS[0]
    assert (LEFT.knocker, LEFT.offer, rules.seat_to_move(LEFT)) == (None, (), 1)


def test_r3_keeping_them_turns_the_unseen_hand_up_and_is_a_knock() -> None:
    assert codes(KEPT.monte) == HANDS[0]
    assert codes(KEPT.hands[0]) == OFFER
    assert (KEPT.knocker, rules.seat_to_move(KEPT)) == (0, 1)
    last = after(KEPT, "stand")
    assert rules.seat_to_move(last) == 2
    assert rules.seat_to_move(after(last, "stand")) is None  # the dealer has no turn


def test_r4_one_to_three_cards_go_for_as_many_of_the_monte() -> None:
    assert counted(LEFT, "swap") == 16 + 36 + 16
    assert counted(LEFT, "draw") == 4
    assert counted(LEFT, "") == 16 + 36 + 16 + 4 + 2  # and take_monte, and stand
    state = after(LEFT, "swap:3K,2S/12S,12D")
    assert codes(state.hands[1]) == "1D 13D 12D 12S"
    assert codes(state.monte) == "4B 5K 2S 3K"
    assert (state.stage, rules.seat_to_move(state)) == (DealStage.SWAPPED, 1)


@pytest.mark.parametrize(
    ("move", "code"),
    [
        ("swap:1D,2S/12D", "swap-size"),
        ("swap:1D,13D,2S,3K/12D,12S,4B,5K", "swap-size"),
        ("swap:1S/12D", "not-held"),
        ("swap:2S/13K", "not-in-monte"),
        ("draw:1S", "not-held"),
        ("knock", "no-knock"),
    ],
)
def test_r4_a_turn_that_the_rules_do_not_allow_is_refused(move: str, code: str) -> None:
    assert refused(LEFT, move) == code


def test_r4_after_the_swap_one_card_may_be_drawn_and_the_turn_is_over() -> None:
    swapped = after(LEFT, "swap:3K/12D")
    assert move_codes(swapped)[1:] == ["draw:1D", "draw:13D", "draw:2S", "draw:12D"]
    assert refused(swapped, "swap:2S/12S") == refused(swapped, "take_monte") == "swapped"
    assert rules.seat_to_move(after(swapped, "stand")) == 2
    drawn = after(swapped, "draw:2S")
    assert codes(drawn.hands[1]) == "1D 13D 12D 12K"
    assert (rules.seat_to_move(drawn), drawn.knocker) == (2, None)


def test_m3_the_discard_goes_first_face_down_and_may_be_a_card_just_taken() -> None:
    state = after(LEFT, "swap:3K/4B draw:4B")
    assert codes(state.hands[1]) == "1D 13D 2S 12K"
    assert [codes(cards) for cards in state.discards] == ["", "4B", ""]
    assert "4B" not in codes(state.monte)


def test_r4_m2_standing_pat_is_a_knock_and_so_is_the_whole_monte() -> None:
    stood, taken = after(LEFT, "stand"), after(LEFT, "take_monte")
    assert (stood.knocker, taken.knocker) == (1, 1)
    assert codes(taken.hands[1]) == "12D 12S 5K 4B"
    assert codes(taken.monte) == "1D 13D 2S 3K"
    assert after(LEFT, "swap:3K/4B stand").knocker is None
    assert after(LEFT, "draw:3K").knocker is None


def test_m2_in_some_houses_any_turn_may_end_with_a_knock() -> None:
    start = after(dealt(HANDS, OFFER, STOCK, voluntary_knock=True), "leave")
    assert refused(start, "knock") == "knock-bare"
    assert after(start, "swap:3K/12D knock").knocker == 1
    drawn = after(start, "draw:2S")
    assert move_codes(drawn) == ["stand", "knock"]
    assert refused(drawn, "draw:3K") == refused(drawn, "swap:3K/12D") == "drawn"
    assert after(drawn, "knock").knocker == 1
    assert after(drawn, "stand").knocker is None
    last = after(drawn, "knock swap:3B/12S")
    assert refused(last, "knock") == "knocked"
    assert rules.seat_to_move(after(last, "draw:2K")) == 0  # nothing is left to choose


def test_m4_with_eight_the_stock_runs_out_and_standing_pat_then_knocks() -> None:
    state = after(dealt({}, seats=8), "leave draw:2B")
    for _ in range(3):
        state = after(state, next(code for code in move_codes(state) if code.startswith("draw")))
    assert (state.stock, counted(state, "draw")) == ((), 0)
    assert refused(state, f"draw:{state.hands[state.turn][0]}") == "stock-gone"
    swap = next(code for code in move_codes(state) if code.startswith("swap"))
    assert after(state, swap).turn != state.turn  # there is nothing more to do in the turn
    assert after(state, "stand").knocker == state.turn


def test_r5_m5_after_a_knock_each_other_player_has_one_turn_with_every_choice_but_that() -> None:
    last = after(LEFT, "stand")
    assert rules.seat_to_move(last) == 2
    assert counted(last, "") == 16 + 36 + 16 + 4 + 2
    dealers = after(last, "take_monte")
    assert (dealers.knocker, rules.seat_to_move(dealers)) == (1, 0)
    over = after(dealers, "stand")
    assert event(over) == ("normal", None, [2])
    assert refused(over, "stand") == "hand-over"


def test_m5_in_some_houses_the_last_turns_have_no_stock() -> None:
    start = after(dealt(HANDS, OFFER, STOCK, last_turn_stock=False), "leave")
    last = after(start, "stand")
    assert counted(start, "draw") == 4
    assert (counted(last, "draw"), counted(last, "swap")) == (0, 68)
    assert refused(last, "draw:2K") == "stock-closed"
    assert rules.seat_to_move(after(last, "swap:3B/12S")) == 0


def test_m6_after_so_many_times_round_somebody_must_knock() -> None:
    start = after(dealt(HANDS, OFFER, max_orbits=2), "leave")
    *_, before, state = turns_of(start, 2 * 3 + 1)
    assert counted(before, "swap") == 68
    assert move_codes(state) == ["take_monte", "stand"]
    assert refused(state, f"draw:{state.hands[1][0]}") == "must-knock"
    assert after(state, "take_monte").knocker == 1
    assert counted(after(state, "stand"), "swap") == 68  # the others have a turn as ever
