"""What is said at the table of the Great Dalmuti: beside the cards, of views and of moves."""

import pytest

from games.dalmuti.play import rules
from games.dalmuti.play.layout import layout
from games.dalmuti.play.narration import describe, describe_move
from games.dalmuti.play.state import parse_move
from games.dalmuti.play.view import view
from tests.games.dalmuti.table import laid
from tests.games.dalmuti.test_rules import DEALT, drawn_first
from tests.games.dalmuti.test_scoring import table
from tests.games.hands import after


@pytest.mark.parametrize(
    ("hands", "moves", "beat", "asks"),
    [
        (("9 9 12", "8 12", "7 12"), "1x9", "To beat: seat 0’s 9", "Tap a card lower than 9, or"),
        (("9 9 12", "8 8 12", "7 12"), "2x9", "To beat: seat 0’s two 9s", "Tap a number lower than 9 to play two of it, or"),
        (("9 9 12", "8 12", "7 12"), "2x9", "To beat: seat 0’s two 9s", "You cannot beat this: pass."),
    ],
)  # fmt: skip
def test_what_is_to_be_beaten_is_said_as_people_say_it(
    hands: tuple[str, ...], moves: str, beat: str, asks: str
) -> None:
    drawn = layout(view(after(laid(*hands), moves), 1))
    assert [str(text) for text in drawn.says] == [beat]
    assert str(drawn.asks).startswith(asks)


HANDS = ("9 9 12", "8 8", "12 12 3", "12")


def lines(hands: tuple[str, ...], moves: str, seat: int) -> list[str]:
    return [str(line) for line in describe(view(after(laid(*hands), moves), seat))]


def test_a_seat_sees_its_cards_and_how_many_the_others_hold() -> None:
    assert lines(HANDS, "", 0) == [
        "In playing order: seat 0, seat 1, seat 2, seat 3",
        "Cards left: seat 0 3, seat 1 2, seat 2 3, seat 3 1",
        "In your hand: 1 × 12, 2 × 9",
        "Your turn to lead: as many cards of one number as you like.",
    ]


def test_a_seat_sees_what_was_done_in_the_trick_and_who_is_out() -> None:
    assert lines(HANDS, "2x9 2x8", 2)[1:] == [
        "Cards left: seat 0 1, seat 2 3, seat 3 1",
        "seat 1 is out first, and Dalmuti.",
        "seat 0 plays 2 × 9.",
        "seat 1 plays 2 × 8.",
        "In your hand: 2 × 12, 1 × 3",
        "Your turn: beat 2 × 8, or pass.",
    ]
    assert lines(HANDS, "2x9 skip", 1)[-1] == "It is seat 2’s turn."


def test_the_end_is_nobodys_turn() -> None:
    assert lines(("9", "8", "3 7"), "1x9 1x8", 2)[-2:] == [
        "seat 1 plays the 8.",
        "In your hand: 1 × 7, 1 × 3",
    ]


def test_the_cards_drawn_are_shown_until_the_first_trick_is_over() -> None:
    state = rules.deal(table(), [drawn_first(9, 2, 9, 5, 11, 4), DEALT])
    lines = [str(line) for line in describe(view(state, 0))][:4]
    assert lines == [
        "seat 2 drew the 2.",
        "seat 0 drew the 5.",
        "seat 3 drew the 4, after a tie on the 9.",
        "seat 1 drew the 11, after a tie on the 9.",
    ]
    led = after(state, "1x12 skip skip skip")
    assert str(describe(view(led, 0))[0]).startswith("In playing order")


@pytest.mark.parametrize(
    ("before", "move", "sentence"),
    [
        ("", "2x9", "seat 0 plays 2 × 9."),
        ("2x9", "skip", "seat 1 passes."),
        ("2x9", "2x8", "seat 1 plays 2 × 8. seat 1 is out first, and Dalmuti."),
        ("2x9 skip skip", "skip", "seat 3 passes. The cards are cleared away, and seat 0 leads."),
        ("2x9 2x8 skip skip", "skip", "seat 0 passes. The cards are cleared away, and seat 2 leads."),
        (
            "2x9 2x8 skip skip skip 1x3 skip skip 2x12 skip skip",
            "1x12",
            (
                "seat 3 plays the 12. seat 3 is third out. "
                "seat 0 is left with the 12, and the game is over."
            ),
        ),
    ],
)  # fmt: skip
def test_a_move_is_told_as_the_table_sees_it(before: str, move: str, sentence: str) -> None:
    state = after(laid(*HANDS), before)
    assert str(describe_move(state, parse_move(move))) == sentence
