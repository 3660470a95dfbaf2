"""The rule book's cases, as data: worked out by hand, not by the code under test."""

from typing import Any

import pytest

from games.mambassa import GAME
from games.mambassa.cards import parse_card
from games.mambassa.hand_ranking import strength
from tests.games import book


def compared(better: str, worse: str, house: dict[str, Any]) -> str:
    options = GAME.complete_options(house)
    first, second = (
        strength([parse_card(code) for code in hand.split()], options) for hand in (better, worse)
    )
    return "tied" if first == second else "better" if first > second else "worse"


@pytest.mark.parametrize(("question", "expected"), book.cases("mambassa"))
def test_engine_answers_as_the_book_does(question: dict[str, Any], expected: Any) -> None:
    match question:
        case {"better": better, "worse": worse}:
            answer: object = compared(better, worse, question.get("options", {}))
        case _:
            answer = book.answer("mambassa", question, expected)

    assert answer == expected
