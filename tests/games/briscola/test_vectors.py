from typing import Any

import pytest

from tests.games.book import answer, cases


@pytest.mark.parametrize(("question", "expected"), cases("briscola"))
def test_engine_answers_as_the_book_does(
    question: dict[str, Any], expected: dict[str, Any]
) -> None:
    assert answer("briscola", question, expected) == expected
