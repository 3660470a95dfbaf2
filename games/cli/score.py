"""``list`` and ``score``: what is asked and what is answered is JSON.

A refusal is ``{"error": {"code", "message"}}`` in the place of the answer, with the
``question`` and the ``place`` (the side or seat) it is about where it is about one.
"""

import argparse
import json
import sys
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from io import TextIOWrapper
from pathlib import Path
from typing import Any

from games import catalogue
from games.cli.screen import Ink, Screen, screen_on, sentence
from games.cli.table_setup import CommandError, add_table, read_setup, unreadable
from games.errors import RuleError, gettext_noop
from games.game import AnyGame
from games.mode import listed_modes
from games.sheet import Scored
from games.strict_json import KeyTwiceError, parse_json

REFUSED = 2
_SAID_BESIDE = ("dealer", "may_deal", "over")  # what of a session has a key of its own
_SHEETS = """a whole sitting, one sheet a line, in UTF-8; - reads stdin. Answer n is about line n:
a blank line is answered by null, a refused one by its error, and the others stand"""


def add_score(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``score``: the table and its sheets."""
    add_table(parser)
    sheets = parser.add_mutually_exclusive_group(required=True)
    sheets.add_argument("--sheet", metavar="JSON", help="one sheet; - reads it from stdin")
    sheets.add_argument("--sheets", metavar="FILE", help=_SHEETS)


def add_list(parser: argparse.ArgumentParser) -> None:
    """Add the argument of ``list``: whether to print JSON."""
    parser.add_argument("--json", action="store_true", help="as JSON, as it is without a terminal")


def list_games(asked: argparse.Namespace) -> int:
    """Answer which games there are, their modes, house rules and marks."""
    if asked.json or not sys.stdout.isatty():
        _print([_listed(game) for game in catalogue.GAMES.values()])
    else:
        show_games(screen_on(sys.stdout))
    return 0


def show_games(screen: Screen) -> None:
    """Show the games to people: who may play, and by which house rules."""
    for game in catalogue.GAMES.values():
        screen.say(f"{game.name} ({game.slug})", Ink.TITLE)
        screen.say(game.summary)
        screen.say(f"  Modes: {listed_modes(game.modes(game.default_options()))}", hang=2)
        if game.play is not None:
            screen.say(f"  Bots: {', '.join(game.play.bots)}", hang=2)
        for option in game.options:
            usual = json.dumps(option.default).strip('"')
            screen.say(f"  --option {option.name}={usual}", Ink.STRONG)
            screen.say(f"    {option.label} ({option.listed_values()})", hang=2)
        screen.say()


def score(asked: argparse.Namespace) -> int:
    """Fold the sheets, one answer a line; a refused one is answered and left out."""
    table = read_setup(asked)
    game, session = table.game, table.open_session()
    code = 0
    for text in _texts(asked):
        if asked.sheet is None and not text.strip():
            _print(None)
            continue
        try:
            scored = game.add_sheet(session, _sheet(text))
        except RuleError as error:
            print_refusal(error)
            code = REFUSED
        else:
            session = scored.session
            _print(_answer(game, scored))
    return code


def print_refusal(error: RuleError) -> None:
    """Answer what was wrong, in the place of the answer."""
    beside = {"question": error.question, "place": error.place}
    known = {name: value for name, value in beside.items() if value is not None}
    _print({"error": {"code": error.code, "message": sentence(str(error)), **known}})


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
    """Yield the one sheet, or every line of a file, as it is written."""
    if asked.sheet not in {None, "-"}:
        yield asked.sheet
        return
    source = "-" if asked.sheet else asked.sheets
    try:
        with _opened(source) as lines:
            yield from (lines if asked.sheet is None else ["".join(lines)])
    except OSError as error:
        raise unreadable(source, error) from error


def _opened(source: str) -> AbstractContextManager[Iterable[str]]:
    """Open a file whose bytes that are no text stay in their lines, to be refused there."""
    # Some editors put a byte order mark in front.
    if source != "-":
        return Path(source).open(encoding="utf-8-sig", errors="surrogateescape")
    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(encoding="utf-8-sig", errors="surrogateescape")
    return nullcontext(sys.stdin)


def _sheet(text: str) -> Any:
    try:
        text.encode()
        return parse_json(text)
    except UnicodeEncodeError as error:
        raise CommandError(
            "not-text", gettext_noop("This sheet is no text: save it in UTF-8.")
        ) from error
    except KeyTwiceError as error:
        raise CommandError(
            "key-twice",
            gettext_noop("“%(name)s” is written twice in this sheet: answer it once."),
            name=error.key,
        ) from error
    except ValueError as error:
        raise CommandError(
            "not-json",
            gettext_noop('Write a sheet as JSON, such as {"bare": "void"}: %(why)s.'),
            why=str(error),
        ) from error


def _answer(game: AnyGame, scored: Scored[Any]) -> dict[str, object]:
    session = scored.session
    return {
        "marks": scored.marks,
        "sides": session.mode.sides,
        "dealer": scored.sheet["dealer"],
        "next_dealer": session.dealer,
        "may_deal": session.may_deal,
        "leader": session.leader,
        "warnings": [
            {"code": warning.code, "message": sentence(str(warning.text))}
            for warning in scored.warnings
        ],
        "over": session.over,
        "leaves": {
            name: value
            for name, value in game.save_session(session).items()
            if name not in _SAID_BESIDE
        },
    }


def _print(answer: object) -> None:
    sys.stdout.write(json.dumps(answer) + "\n")
