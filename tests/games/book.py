"""The rule book as data: each game's ``vectors.json``, and how an engine answers it."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import games
from games import catalogue
from games.errors import SheetError
from games.game import AnyGame
from games.sheet import Scope, Scored, Sheet

GAMES = Path(games.__file__).parent


def vectors(slug: str) -> list[dict[str, Any]]:
    """Return a game's cases, worked out by hand: each an ``id``, an ``input``, what is
    ``expected`` of the engine, and ``why``.
    """
    read: list[dict[str, Any]] = json.loads(
        (GAMES / slug / "vectors.json").read_text(encoding="utf-8")
    )
    return read


def usual_sheets(slug: str) -> tuple[str, list[Sheet]]:
    """Return the usual mode for four, or else the first, and two sheets of it by the rule book."""
    game = catalogue.GAMES[slug]
    modes = game.modes(game.default_options())
    mode = next((mode for mode in modes if mode.seats == 4), modes[0]).code
    asked = [
        each["input"]
        for each in vectors(slug)
        if each["input"].keys() == {"mode", "sheets"} and "error" not in each["expected"]
    ]
    written = [question["sheets"][0] for question in asked if question["mode"] == mode]
    return mode, written[:2]


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


def after(session: Any, *sheets: Sheet) -> Any:
    """Return the session after these sheets."""
    game = catalogue.GAMES[type(session).__module__.split(".")[1]]
    return fold(game, session, sheets).session if sheets else session


def answer(slug: str, question: Mapping[str, Any], asked: Iterable[str]) -> dict[str, Any]:
    """Put one question of the vectors to the engine.

    A side's marks are answered side by side, a seat's seat by seat.
    """
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
        given = {
            "sheet": scored.sheet,
            "next_dealer": scored.session.dealer,
            "may_deal": list(scored.session.may_deal),
            "leader": scored.session.leader,
            "over": scored.session.over,
            "warnings": [warning.code for warning in scored.warnings],
        }
        for mark in game.marks if scored.marks else ():
            by_seat = [marks[mark.key] for marks in scored.marks or ()]
            sides = [(seat,) for seat in range(len(by_seat))]
            if mark.scope is Scope.SIDE:
                sides = list(session.mode.sides)
            given[mark.key] = [by_seat[seats[0]] for seats in sides]
            assert all(by_seat[seat] == by_seat[seats[0]] for seats in sides for seat in seats)
    return {key: given.get(key) for key in asked}
