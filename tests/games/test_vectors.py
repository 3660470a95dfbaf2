"""Every engine answers as the rule book does: each game's ``vectors.json`` is put to it.

A vector asks for what sheets leave. A game that is asked for more answers by itself, with
``answer(question, expected)`` in ``tests.games.<slug>.vectors``.
"""

from collections.abc import Callable
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import pytest

from games import catalogue
from tests.games import book

pytestmark = pytest.mark.every_game
CASES = [
    pytest.param(slug, each["input"], each["expected"], id=f"{slug}-{each['id']}: {each['why']}")
    for slug in catalogue.GAMES
    for each in book.vectors(slug)
]


def answerer(slug: str) -> Callable[[Any, Any], object]:
    """Return how a game answers its vectors."""
    if find_spec(f"tests.games.{slug}") and find_spec(f"tests.games.{slug}.vectors"):
        own: Callable[[Any, Any], object] = import_module(f"tests.games.{slug}.vectors").answer
        return own
    return partial(book.answer, slug)


@pytest.mark.parametrize(("slug", "question", "expected"), CASES)
def test_engine_answers_as_the_book_does(slug: str, question: Any, expected: Any) -> None:
    assert answerer(slug)(question, expected) == expected
