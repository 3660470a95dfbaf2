"""What is said at the table of the Great Dalmuti beside the cards."""

import pytest

from games.dalmuti.play import rules
from games.dalmuti.play.layout import layout
from games.dalmuti.play.state import parse_move
from games.dalmuti.play.view import view
from games.play.playing import IllegalMoveError
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


@pytest.mark.parametrize(
    ("hand", "asks"),
    [
        ("9 9 12", "You lead. Tap a number; if you hold several, say how many."),
        ("9 12", "You lead. Tap a card to play it."),
    ],
)
def test_who_leads_is_asked_how_many_only_where_there_is_a_choice(hand: str, asks: str) -> None:
    drawn = layout(view(laid(hand, "8 12", "7 12"), 0))
    assert str(drawn.asks) == asks


def test_whoever_drew_again_after_a_tie_is_said_to() -> None:
    drawn = layout(view(rules.deal(table(), [drawn_first(9, 2, 9, 5, 11, 4), DEALT]), 0))
    assert [str(text) for spot in drawn.spots for text in spot.says] == [
        "drew the 5",
        "drew the 9, then the 11",
        "drew the 2",
        "drew the 9, then the 4",
    ]


def test_places_are_said_in_words() -> None:
    drawn = layout(view(after(laid("9", "8", "7 12", "12 12"), "1x9 1x8"), 2))
    assert [str(text) for spot in drawn.spots[:2] for text in spot.says] == [
        "out first: Dalmuti",
        "second out",
    ]


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("3x9", "You have only two 9s."),
        ("2x12", "You have only one 12."),
        ("1x8", "You have no 8."),
    ],
)
def test_who_has_too_few_is_told_how_many(code: str, said: str) -> None:
    with pytest.raises(IllegalMoveError) as refusal:
        rules.play(laid("9 9 12", "8 12", "7 12"), parse_move(code))
    assert str(refusal.value) == said
