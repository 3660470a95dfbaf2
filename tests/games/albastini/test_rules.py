"""How a hand goes, rule by rule, on hands laid out so that each rule bites (R1 to R8)."""

from typing import Any

import pytest

from games.albastini import GAME
from games.albastini.cards import BY_CODE, PACK
from games.albastini.options import threshold
from games.albastini.play import rules
from games.albastini.play.state import State, move_code
from games.albastini.play.view import view
from games.errors import ModeError, SheetError
from games.play.tricks import seat_to_move
from tests.games.albastini.table import MODES, all_cards, dealt, hands_of, opened
from tests.games.book import open_table
from tests.games.hands import after, codes, play_out, refused, taken

TWO = {0: "AS 7H KD JC QS", 1: "3H 4C 5D AH 7S"}


def pass_all(state: State) -> Any:
    return after(state, " ".join(["pass"] * len(state.to_bid)))


def test_r1_r2_the_pack() -> None:
    assert len(rules.pack(opened("2i"))) == len(set(rules.pack(opened("2i")))) == 36
    assert GAME.play is not None
    assert GAME.play.shuffles(opened("2i")) == 1
    assert sum(card.value for card in PACK) == 120
    by_strength = sorted(PACK[:9], key=lambda card: card.strength, reverse=True)
    assert [card.rank for card in by_strength] == [*"A7KJQ6543"]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("dealer", [0, 1])
def test_r4_five_each_one_at_a_time_from_the_dealers_left(mode: str, dealer: int) -> None:
    session = opened(mode, dealer)
    pack = rules.pack(session)
    state = rules.deal(session, [pack])
    seats = session.mode.seats
    assert codes([state.hands[(dealer + 1) % seats][0]]) == pack[0]
    assert codes([state.hands[dealer][0]]) == pack[seats - 1]
    assert codes([state.hands[dealer][4]]) == pack[5 * seats - 1]
    assert codes(state.stock) == " ".join(pack[5 * seats :])
    assert all_cards(state) == sorted(pack)


@pytest.mark.parametrize(
    ("mode", "dealer", "bidders"),
    [
        ("2i", 0, (1,)),
        ("3i", 1, (2, 0)),
        ("4t2", 3, (0, 2)),
        ("4i", 0, (1, 2, 3)),
        ("5i", 4, (0, 1, 2, 3)),
        ("6t2", 0, (1, 2, 4, 5)),
        ("6t3", 1, (2, 4, 0)),
        ("6i", 5, (0, 1, 2, 3, 4)),
    ],
)
def test_r5_a6_everybody_bids_once_but_the_dealers_side(
    mode: str, dealer: int, bidders: tuple[int, ...]
) -> None:
    state = dealt(mode, {}, dealer=dealer)
    in_turn = []
    while state.to_bid:
        in_turn.append(seat_to_move(state))
        state = after(state, "pass")
    assert tuple(in_turn) == bidders
    assert seat_to_move(state) == (dealer + 1) % len(state.hands)  # R7: who leads


def test_r5_a5_a7_any_card_may_be_bid_and_nobody_must() -> None:
    state = dealt("2i", TWO)
    moves = rules.legal_moves(state)
    assert [move_code(move) for move in moves] == [
        "pass", "bid:3H", "bid:4C", "bid:5D", "bid:AH", "bid:7S",
    ]  # fmt: skip


def test_r5_each_bid_is_in_another_suit() -> None:
    state = dealt("3i", {1: "4C 3H 5D AH 7S", 2: "JC 3C 7D AS QS"})
    state = after(state, "bid:4C")
    assert refused(state, "bid:JC") == "suit-bid"
    assert [move_code(move) for move in rules.legal_moves(state)] == [
        "pass", "bid:7D", "bid:AS", "bid:QS",
    ]  # fmt: skip


def test_r6_without_a_bid_in_its_suit_the_indicator_goes_under_the_stock() -> None:
    state = after(dealt("2i", TWO, "3S 6S"), "bid:3H")
    assert (state.trump, str(state.turned_up), str(state.face_up)) == (
        BY_CODE["3S"].suit, "3S", "3S",
    )  # fmt: skip
    assert codes(state.stock[:1]) == "6S"
    assert codes(state.stock[-1:]) == "3S"
    assert len(state.stock) == 26
    assert (state.exchanged, hands_of(state)[1]) == (None, "3H 4C 5D AH 7S")
    assert codes(state.shown[1]) == "3H"  # taken back, and seen by all


def test_r6_a_bid_in_trumps_must_be_exchanged_even_for_the_worse() -> None:
    state = after(dealt("2i", TWO, "6H"), "bid:AH")
    assert state.exchanged == 1
    assert hands_of(state)[1] == "3H 4C 5D 7S 6H"
    assert (str(state.turned_up), str(state.face_up), codes(state.stock[-1:])) == (
        "6H", "AH", "AH",
    )  # fmt: skip
    assert codes(state.shown[1]) == "6H"
    assert all_cards(state) == sorted(map(str, PACK))


@pytest.mark.parametrize(
    ("cards", "winner"),
    [
        ("7S QS", 1),  # the higher card of the suit led
        ("AH 7H", 1),
        ("3H 7H", 0),
        ("AH AS", 1),  # another plain suit never wins
        ("AH KD", 0),  # any trump does
        ("5D KD", 0),
    ],
)
def test_r7_who_eats_a_trick_leads_the_next(cards: str, winner: int) -> None:
    state = after(dealt("2i", TWO, "6D"), f"pass {cards}")
    assert state.leader == seat_to_move(state) == winner
    assert codes(taken(state)[winner]) == cards
    assert state.tricks[-1].winner == winner


def test_r8_all_draw_the_winner_first() -> None:
    state = after(dealt("2i", TWO, "6D JD QD"), "pass AH KD")
    assert codes(state.hands[0][-1:]) == "JD"
    assert codes(state.hands[1][-1:]) == "QD"
    assert len(state.stock) == 24


@pytest.mark.parametrize("mode", MODES)
def test_r3_r8_as_many_tricks_as_the_table_says(mode: str) -> None:
    tricks = {"2i": 18, "3i": 12, "4t2": 9, "4i": 9, "5i": 7, "6t2": 6, "6t3": 6, "6i": 6}
    cycles = {"2i": 13, "3i": 7, "4t2": 4, "4i": 4, "5i": 2, "6t2": 1, "6t3": 1, "6i": 1}
    state = pass_all(dealt(mode, {}))
    seats = len(state.hands)
    before = len(state.stock)
    state = play_out(state)
    assert len(state.tricks) == tricks[mode]
    assert (before - len(state.stock)) // seats == cycles[mode]
    assert seat_to_move(state) is None
    assert rules.legal_moves(state) == ()


@pytest.mark.parametrize("mode", [mode for mode in MODES if mode != "5i"])
def test_a8_the_last_to_draw_gets_the_face_up_card(mode: str) -> None:
    state = pass_all(dealt(mode, {}))
    face_up = state.face_up
    while state.stock:
        state = rules.play(state, rules.legal_moves(state)[0])
    right_of_winner = (state.leader - 1) % len(state.hands)
    assert state.hands[right_of_winner][-1] == face_up
    assert face_up in state.shown[right_of_winner]  # and all have seen it


def test_a8_r9_with_five_the_face_up_card_is_left_over() -> None:
    state = play_out(pass_all(dealt("5i", {}, "KD")))
    sheet = rules.fill_sheet(state)
    assert codes(state.stock) == sheet["face_up"] == "KD"
    assert sum(sheet["eaten"]) == 116
    assert sum(map(len, taken(state))) == 35


def test_r9_with_five_an_exchanged_bid_is_what_is_left_over() -> None:
    state = dealt("5i", {1: "7D"}, "KD")
    state = play_out(after(state, "bid:7D pass pass pass"))
    sheet = rules.fill_sheet(state)
    assert (sheet["face_up"], sheet["indicator"], sum(sheet["eaten"])) == ("7D", "KD", 110)
    assert GAME.add_sheet(opened("5i"), sheet).marks is not None


def test_s10_a_finished_hand_fills_in_its_sheet() -> None:
    state = play_out(after(dealt("2i", TWO, "6H"), "bid:3H"))
    sheet = rules.fill_sheet(state)
    assert sum(sheet["eaten"]) == 120
    assert {name: sheet[name] for name in sheet if name != "eaten"} == {
        "face_up": "3H",
        "indicator": "6H",
        "trump": "H",
        "bids": [None, "3H"],
        "dealer": 0,
    }
    assert GAME.add_sheet(opened("2i"), sheet).warnings == ()


@pytest.mark.parametrize(
    ("before", "move", "code"),
    [
        ("", "AH", "bidding-first"),
        ("", "bid:AS", "not-held"),
        ("pass", "pass", "bidding-over"),
        ("pass", "bid:AH", "bidding-over"),
        ("pass", "AS", "not-held"),
        ("pass AH", "AH", "not-held"),
    ],
)
def test_what_the_rules_do_not_allow_is_refused_by_name(before: str, move: str, code: str) -> None:
    state = after(dealt("2i", TWO, "6D"), before)
    assert refused(state, move) == code


def test_nothing_is_played_after_the_last_trick() -> None:
    state = play_out(pass_all(dealt("6t3", {})))
    assert refused(state, "AS") == "hand-over"


def test_r4_a4_the_first_dealer_is_whoever_suits() -> None:
    session = opened("4t2", dealer=2)
    assert (session.dealer, session.may_deal) == (2, (2,))
    assert rules.deal(session, [rules.pack(session)]).leader == 3


def test_a_view_counts_out_what_it_has_not_seen() -> None:
    state = after(dealt("2i", TWO, "6D JD QD"), "bid:3H AH KD")
    seen = view(state, 0)
    held = {"AS", "7H", "JC", "QS", "JD"}
    out = {str(card) for card in seen.unseen()}
    assert out == {str(card) for card in PACK} - held - {"AH", "KD", "6D", "3H"}
    assert len(out) == 36 - 5 - 2 - 1 - 1
    assert (seen.held, seen.stock, seen.legal) == ((5, 5), 24, rules.legal_moves(state))
    assert view(state, 1).legal == ()


def test_a2_four_may_play_in_pairs_or_alone() -> None:
    of_four = [mode.code for mode in GAME.modes({}) if mode.seats == 4]
    assert of_four == ["4t2", "4i"]  # the usual one first
    with pytest.raises(ModeError):
        GAME.mode("8i", {})  # R13: eight suits are another game


@pytest.mark.parametrize("mode", MODES)
def test_a12_the_most_is_never_short(mode: str) -> None:
    sides = len(opened(mode).mode.sides)
    least_to_win = -(-109 // sides)  # with five, an ace may be left over
    assert least_to_win >= threshold(opened(mode).mode)


def test_r12_a14_a15_it_goes_on_as_long_as_people_like_and_credits_all_of_a_side() -> None:
    session = opened("6t3")
    for _ in range(30):
        scored = GAME.add_sheet(session, {"eaten": [80, 40]})
        session = scored.session
    assert session.over is False
    assert [mark["victory_points"] for mark in scored.marks or ()] == [1, 0, 1, 0, 1, 0]


def test_s11_s13_a_refused_sheet_leaves_nothing_and_a_good_one_the_next_deal() -> None:
    session = open_table(GAME, "4t2")
    with pytest.raises(SheetError):
        GAME.add_sheet(session, {"eaten": [70, 49]})
    after = GAME.add_sheet(session, {"eaten": [49, 71]}).session
    assert (after.may_deal, after.dealer) == ((1, 3), 1)


def test_s15_a_tournament_adds_up_points_then_wins_then_twos_then_the_share() -> None:
    keys = [criterion.key for criterion in GAME.ranking({}, False)]
    assert keys == ["victory_points", "won", "twos", "share"]
