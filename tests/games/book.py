"""The rule book as data: vectors read from ``tests/vectors`` and put to an engine."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest

from games import catalogue
from games.errors import SheetError
from games.game import AnyGame
from games.sheet import Scored, Sheet

VECTORS = Path(__file__).parent.parent / "vectors"


def cases(game: str) -> list[Any]:
    """Return ``(question, expected)`` of every vector, named by its id and its reason."""
    vectors = json.loads((VECTORS / f"{game}.json").read_text(encoding="utf-8"))
    return [
        pytest.param(each["input"], each["expected"], id=f"{each['id']}: {each['why']}")
        for each in vectors
    ]


def open_table(
    game: AnyGame,
    mode: str,
    options: Mapping[str, Any] | None = None,
    dealer: int = 0,
    dealt: list[int | None] | None = None,
) -> Any:
    """Return the session of people who have just sat down."""
    rules = game.complete_options(options or {})
    played = game.mode(mode, rules)
    return game.open_session(played, rules, dealer, dealt or [None] * played.seats)


def fold(game: AnyGame, session: Any, sheets: Iterable[Sheet]) -> Scored[Any]:
    """Return what the last of these sheets leaves."""
    scored: Scored[Any] | None = None
    for sheet in sheets:
        scored = game.add_sheet(session, sheet)
        session = scored.session
    assert scored is not None
    return scored


def answer(slug: str, question: Mapping[str, Any], asked: Iterable[str]) -> dict[str, Any]:
    """Put one question of the vectors to the engine; marks are answered side by side."""
    game = catalogue.GAMES[slug]
    session = open_table(
        game,
        question["mode"],
        question.get("options"),
        question.get("dealer", 0),
        question.get("dealt"),
    )
    try:
        scored = fold(game, session, question["sheets"])
    except SheetError as error:
        given: dict[str, Any] = {
            "error": error.code,
            "beside": [error.question, error.place],
            "message": str(error),
        }
    else:
        sides = session.mode.sides
        given = {
            "sheet": scored.sheet,
            "next_dealer": scored.session.dealer,
            "may_deal": list(scored.session.may_deal),
            "leader": scored.session.leader,
            "over": scored.session.over,
            "warnings": [warning.code for warning in scored.warnings],
        }
        for key in scored.marks[0] if scored.marks else ():
            by_seat = [marks[key] for marks in scored.marks or ()]
            given[key] = [by_seat[seats[0]] for seats in sides]
            assert all(by_seat[seat] == by_seat[seats[0]] for seats in sides for seat in seats)
    return {key: given.get(key) for key in asked}
