"""``list`` and ``score``: what is asked and what is answered is JSON.

A refusal is ``{"error": {"code", "message"}}`` in the place of the answer.
"""

import argparse
import json
import sys
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

from games import catalogue
from games.cli.table_setup import CommandError, add_table, read_setup, unreadable
from games.errors import RuleError, gettext_noop
from games.game import AnyGame
from games.sheet import Scored

REFUSED = 2


def add_score(parser: argparse.ArgumentParser) -> None:
    """Let ``score`` be told the table and its sheets."""
    add_table(parser)
    sheets = parser.add_mutually_exclusive_group(required=True)
    sheets.add_argument("--sheet", metavar="JSON", help="one sheet; - reads it from stdin")
    sheets.add_argument("--sheets", metavar="FILE", help="one sheet a line; - reads stdin")


def list_games(_asked: argparse.Namespace) -> int:
    """Answer which games there are, their modes, house rules and marks."""
    _print([_listed(game) for game in catalogue.GAMES.values()])
    return 0


def score(asked: argparse.Namespace) -> int:
    """Fold the sheets, one answer a line; a refused one is answered and left out."""
    table = read_setup(asked)
    game, session = table.game, table.open_session()
    code = 0
    for text in _texts(asked):
        try:
            scored = game.add_sheet(session, _sheet(text))
        except RuleError as error:
            print_refusal(error)
            code = REFUSED
        else:
            session = scored.session
            _print(_answer(scored))
    return code


def print_refusal(error: RuleError) -> None:
    """Answer what was wrong, in the place of the answer."""
    _print({"error": {"code": error.code, "message": str(error)}})


def _listed(game: AnyGame) -> dict[str, object]:
    return {
        "slug": game.slug,
        "name": game.name,
        "unit": game.unit.one,
        "modes": [
            {"code": mode.code, "name": mode.name, "seats": mode.seats, "sides": mode.sides}
            for mode in game.modes(game.default_options())
        ],
        "options": [
            {
                "name": option.name,
                "label": option.label,
                "kind": option.kind,
                "default": option.default,
                "choices": [value for value, _ in option.choices],
            }
            for option in game.options
        ],
        "marks": [
            {"key": mark.key, "label": mark.label, "scope": mark.scope, "parts": mark.parts}
            for mark in game.marks
        ],
    }


def _texts(asked: argparse.Namespace) -> Iterator[str]:
    """Yield the sheets as they are written; lines with nothing on them are none."""
    source = asked.sheets if asked.sheet is None else asked.sheet
    try:
        if asked.sheet is not None:
            yield sys.stdin.read() if source == "-" else source
        else:
            with _opened(source) as lines:
                yield from (line for line in lines if line.strip())
    except (OSError, UnicodeDecodeError) as error:
        raise unreadable(source, error) from error


def _opened(source: str) -> AbstractContextManager[Iterable[str]]:
    # Some editors put a byte order mark in front.
    return nullcontext(sys.stdin) if source == "-" else Path(source).open(encoding="utf-8-sig")


def _sheet(text: str) -> Any:
    try:
        return json.loads(text)
    # Beside what is no JSON: a number of thousands of digits, and lists a thousand deep.
    except (ValueError, RecursionError) as error:
        raise CommandError(
            "not-json", gettext_noop("This sheet is not JSON: %(why)s."), why=str(error)
        ) from error


def _answer(scored: Scored[Any]) -> dict[str, object]:
    session = scored.session
    return {
        "marks": scored.marks,
        "sides": session.mode.sides,
        "dealer": scored.sheet["dealer"],
        "next_dealer": session.dealer,
        "may_deal": session.may_deal,
        "warnings": [
            {"code": warning.code, "message": str(warning.text)} for warning in scored.warnings
        ],
        "over": session.over,
    }


def _print(answer: object) -> None:
    sys.stdout.write(json.dumps(answer) + "\n")
