"""How a deal ends, rule by rule: declaring, paying, and the end of a game (R6, R8 to R10, S30)."""

import pytest

from games.mambassa import GAME
from games.mambassa.play import rules
from tests.games.hands import after, codes, move_codes
from tests.games.mambassa.table import all_cards, dealt, event, ordered
from tests.games.mambassa.test_rules import HANDS, LEFT, OFFER
from tests.games.mambassa.test_table import table

QUARANTUNA = "1D 13D 12D 11D"


def test_r6_m7_a_quarantuna_dealt_ends_the_deal_at_once() -> None:
    state = dealt({1: QUARANTUNA, 2: "1S 13S 2K 3B", 0: "1K 13K 2B 3D"})
    assert event(state) == ("quarantuna", 1, [0, 2])
    assert (state.offer, state.monte, state.turns) == ((), (), 0)
    assert all_cards(state) == sorted(rules.pack(table()))


def test_m7_in_some_houses_all_wait_for_the_dealers_choice() -> None:
    hands = {1: "1S 13S 12S 11S", 2: "2K 3B 5D 6K", 0: QUARANTUNA}
    state = dealt(hands, declare_after_dealer_choice=True)
    assert rules.seat_to_move(state) == 0
    assert event(after(state, "leave")) == ("quarantuna", 0, [2])  # M-8: coins are higher
    assert event(after(state, "keep")) == ("quarantuna", 1, [0])
    assert event(dealt(hands)) == ("quarantuna", 1, [2])  # usually, the dealer has not looked


def test_m7_the_dealers_hand_is_declared_after_the_choice() -> None:
    state = dealt({0: QUARANTUNA}, "1S 13S 12S 11S")
    assert event(after(state, "leave"))[:2] == ("quarantuna", 0)
    keeping = after(state, "keep")
    assert event(keeping)[:2] == ("quarantuna", 0)
    assert codes(keeping.hands[0]) == "1S 13S 12S 11S"


def test_m8_of_two_quarantunas_the_higher_suit_declares() -> None:
    state = dealt({1: "1K 13K 12K 11K", 2: "1S 13S 12S 11S", 0: "2D 4D 5S 3K"})
    assert event(state) == ("quarantuna", 2, [0])


@pytest.mark.parametrize(
    ("moves", "stage"), [("swap:2S/11D", "swap"), ("draw:2S", "draw"), ("take_monte", "monte")]
)
def test_r6_whoever_forms_one_declares_it_and_nobody_has_another_turn(
    moves: str, stage: str
) -> None:
    offer = "11D 4S 4B 5K" if stage == "swap" else QUARANTUNA if stage == "monte" else "4S 4B 5K 6S"
    hand = "6D 7S 2B 3K" if stage == "monte" else "1D 13D 12D 2S"
    state = after(dealt({1: hand, 2: "1S 13S 2K 3B"}, offer, "11D"), f"leave {moves}")
    assert event(state)[:2] == ("quarantuna", 1)


@pytest.mark.parametrize(("spares", "payers"), [(False, [0, 1, 2]), (True, [0, 2])])
def test_r8_m17_mambassa_costs_everybody_a_token(spares: bool, payers: list[int]) -> None:
    state = dealt({1: "1D 1S 1K 1B"}, mambassa_spares_declarer=spares)
    assert event(state) == ("mambassa", 1, payers)


def test_r8_m14_all_who_hold_the_lowest_hand_pay() -> None:
    hands = {1: "7D 2S 3K 4B", 2: "7S 2K 3B 4D", 0: "1K 13K 2B 3D"}
    state = after(dealt(hands, OFFER), "leave stand stand stand")
    assert event(state) == ("normal", None, [1, 2])


def test_s30_the_sheet_shows_all_hands_the_monte_and_who_knocked() -> None:
    state = after(LEFT, "stand stand stand")
    sheet = rules.fill_sheet(state)
    assert sheet == {
        "event": "normal",
        "payers": [0, 1, 2],
        "hands": [HANDS[0].split(), HANDS[1].split(), HANDS[2].split()],
        "dealer": 0,
        "monte": OFFER.split(),
        "knocker": 1,
    }
    assert "monte" not in rules.fill_sheet(dealt({1: QUARANTUNA}))
    scored = GAME.add_sheet(table(), sheet)
    assert (scored.session.tokens, scored.session.pool) == ((2, 2, 2), 6)


def test_r9_r10_deal_after_deal_until_all_go_out_in_one_and_its_dealer_wins() -> None:
    session = table()
    for number, dealer in enumerate((0, 1, 2), start=1):
        assert session.dealer == dealer
        state = rules.deal(session, [ordered(session, {1: "1D 1S 1K 1B"})])
        while rules.seat_to_move(state) is not None:
            # Seat 1 deals once, and does not look at its hand until the choice.
            assert (number, move_codes(state)) == (2, ["keep", "leave"])
            state = after(state, "leave")
        scored = GAME.add_sheet(session, rules.fill_sheet(state))
        session = scored.session
    assert session.over
    assert scored.marks is not None
    assert [marks["tokens"] for marks in scored.marks] == [0, 0, 12]
