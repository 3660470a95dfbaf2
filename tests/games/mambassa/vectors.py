"""How the game answers its vectors: sheets, and which of two hands is better."""

from typing import Any

from games.mambassa import GAME
from games.mambassa.cards import parse_card
from games.mambassa.hand_ranking import strength
from tests.games import book


def answer(question: dict[str, Any], expected: Any) -> object:
    """Put one question of the vectors to the engine, in the engine's own words."""
    match question:
        case {"better": better, "worse": worse}:
            return compared(better, worse, question.get("options", {}))
        case _:
            return book.answer("mambassa", question, expected)


def compared(better: str, worse: str, house: dict[str, Any]) -> str:
    options = GAME.complete_options(house)
    first, second = (
        strength([parse_card(code) for code in hand.split()], options) for hand in (better, worse)
    )
    return "tied" if first == second else "better" if first > second else "worse"
