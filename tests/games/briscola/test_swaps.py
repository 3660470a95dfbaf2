"""Swapping for the card face up (R10, B-6 to B-9), and partners' cards (R11, B-10)."""

from dataclasses import replace

import pytest

from games.briscola.play import rules
from games.briscola.play.narration import describe, describe_move
from games.briscola.play.state import State
from games.briscola.play.view import view
from tests.games.briscola.table import all_cards, dealt
from tests.games.hands import after, codes, move_codes, refused

# Seat 1 leads and holds the 7 of trumps, clubs; the 3 is turned up.
SEVEN = {1: "1S 7B 4D", 0: "4S 5S 6S"}
DEUCE = {1: "1S 4D 5D", 0: "4S 2B 6S"}


def test_r10_the_7_changes_places_with_the_card_face_up() -> None:
    state = after(dealt("2i", SEVEN, "3B 4K 5K"), "1S 4S")
    swapped = after(state, "swap7")
    assert codes(swapped.hands[1]) == "4D 4K 3B"
    assert (str(swapped.face_up), codes(swapped.stock[-1:])) == ("7B", "7B")
    assert (str(swapped.turned_up), swapped.exchanged) == ("3B", 1)
    assert codes(swapped.shown[1]) == "3B"  # all have seen who took it
    assert swapped.turn == 1  # and the turn goes on
    assert all_cards(swapped) == all_cards(state)
    assert rules.fill_sheet(swapped)["face_up"] == "3B"


def test_r10_once_only() -> None:
    state = after(dealt("2i", SEVEN, "3B"), "1S 4S swap7")
    assert refused(state, "swap7") == "not-held"


def test_b6_only_with_a_trick_of_ones_own() -> None:
    state = dealt("2i", SEVEN, "3B")
    assert "swap7" not in move_codes(state)
    assert refused(state, "swap7") == "swap-no-trick"
    assert "swap7" in move_codes(after(state, "1S 4S"))


@pytest.mark.parametrize(("house", "enough"), [("player", False), ("side", True)])
def test_b6_a_partners_trick_is_enough_where_the_house_says_so(house: str, enough: bool) -> None:
    hands = {1: "4S 4K 5K", 2: "5S 5D 6K", 3: "1S 4D 6D", 0: "6S 11K 11D"}
    state = dealt("4t2", hands, "3B 2D 2S 7B", options={"swap_trick": house})
    state = after(state, "4S 5S 1S 6S 4D 11D")  # seat 3 won, and its partner drew the 7
    assert ("swap7" in move_codes(state)) == enough
    assert enough or refused(state, "swap7") == "swap-no-trick"


def test_b6_not_when_the_7_itself_lies_there() -> None:
    state = after(dealt("2i", {1: "1S 4B", 0: "4S"}, "7B"), "1S 4S")
    assert refused(state, "swap7") == "not-held"


def test_b6_in_the_middle_of_a_trick_too() -> None:
    state = dealt("2i", {1: "4S 5D 1K", 0: "1S 7B 4D"}, "3B")
    state = after(state, "4S 1S 4D 5D 1K")  # one trick each; seat 1 has led the third
    assert "swap7" in move_codes(state)
    assert after(state, "swap7").trick == state.trick


@pytest.mark.parametrize(
    ("house", "dealt_one", "drawn_one"),
    [("on", "", ""), ("drawn_only", "swap-dealt", ""), ("off", "no-swap", "no-swap")],
)
def test_b7_dealt_or_drawn(house: str, dealt_one: str, drawn_one: str) -> None:
    options = {"seven_swap": house}
    had = after(dealt("2i", SEVEN, "3B", options=options), "1S 4S")
    drew = after(dealt("2i", {1: "1S 4D", 0: "4S"}, "3B 7B", options=options), "1S 4S")
    for state, code in ((had, dealt_one), (drew, drawn_one)):
        assert ("swap7" in move_codes(state)) == (not code)
        if code:
            assert refused(state, "swap7") == code


def tricks_to_go(state: State, tricks: int) -> State:
    """Return the state with so many tricks to go, were there still a card face up."""
    seats = len(state.hands)
    left = max(0, tricks - 3) * seats
    keep = min(tricks, 3)
    hands = tuple(hand[-keep:] for hand in state.hands)
    return replace(state, hands=hands, stock=state.stock[-left:] if left else ())


def test_b8_not_once_the_stock_is_gone_or_two_tricks_are_to_go_whatever_lies_there() -> None:
    state = after(dealt("2i", {1: "1S 4D 7B", 0: "4S"}, "3B"), "1S 4S")
    two_left = tuple(hand[-2:] for hand in state.hands)
    late = replace(state, hands=two_left, stock=state.stock[-1:])
    assert refused(tricks_to_go(state, 3), "swap7") == refused(late, "swap7") == "swap-late"
    assert "swap7" in move_codes(tricks_to_go(state, 4))


def test_b9_the_2_swaps_instead_before_ones_first_card() -> None:
    state = dealt("2i", DEUCE, "3B", options={"deuce_swap": True})
    assert refused(state, "swap2") == "not-held"
    state = after(state, "4D")
    assert refused(state, "swap7") == "no-swap"
    swapped = after(state, "swap2")
    assert codes(swapped.hands[0]) == "4S 6S 3B"
    assert (str(swapped.face_up), swapped.exchanged) == ("2B", 0)


def test_b9_not_after_the_first_trick() -> None:
    state = dealt("2i", {1: "4S", 0: "1S 2B"}, "3B", options={"deuce_swap": True})
    assert refused(after(state, "4S 1S"), "swap2") == "swap-late"
    assert refused(dealt("2i", DEUCE, "3B"), "swap2") == "no-swap"


def sees_partner(state: State) -> bool:
    seen = view(state, 0).known
    return len(seen[2]) == len(state.hands[2]) and all(
        len(seen[seat]) < len(state.hands[seat]) for seat in (1, 3)
    )


@pytest.mark.parametrize(
    ("house", "opening", "stock_gone", "last"),
    [
        ("stock_gone", False, True, True),
        ("last_trick", False, False, True),
        ("first_trick", True, True, True),
        ("off", False, False, False),
    ],
)
def test_r11_b10_when_partners_look(
    house: str, opening: bool, stock_gone: bool, last: bool
) -> None:
    state = dealt("4t2", {}, options={"partner_peek": house})
    looked = []
    for tricks in (0, 7, 9):
        while len(state.tricks) < tricks:
            state = rules.play(state, rules.legal_moves(state)[0])
        hidden = replace(state, shown=((),) * 4)  # whatever all have seen aside
        looked.append(sees_partner(hidden))
    assert looked == [opening, stock_gone, last]


def test_r11_nobody_alone_has_a_partner() -> None:
    state = dealt("3i", {}, options={"partner_peek": "first_trick"})
    assert [len(cards) for cards in view(state, 1).known] == [0, 3, 0]


def test_a_swap_is_told_and_offered() -> None:
    state = after(dealt("2i", SEVEN, "3B 4K 5K"), "1S 4S")
    assert str(describe_move(state, rules.legal_moves(state)[-1])) == (
        "seat 1 takes the 3 of batons and leaves the 7 of batons in its place."
    )
    assert "First you may swap a small trump for the 3 of batons." in map(
        str, describe(view(state, 1))
    )
    lines = [str(line) for line in describe(view(after(state, "swap7"), 0))]
    assert "seat 1 holds: 3 of batons" in lines
