"""The engines as a command: ``python -m games list`` and ``python -m games score ...``.

What is asked and what is answered is JSON. A refusal is ``{"error": {"code", "message"}}``
in the place of the answer, and 2 as the command's exit code.
"""

import argparse
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any, NoReturn

from games import catalogue
from games.answers import seat
from games.errors import RuleError, gettext_noop
from games.game import AnyGame, Kind, Option, OptionValue
from games.sheet import Scored

REFUSED = 2
_TRUTHS: dict[str, OptionValue] = {
    **dict.fromkeys(("true", "yes", "on", "1"), True),
    **dict.fromkeys(("false", "no", "off", "0"), False),
}


class CommandError(RuleError):
    """A command that cannot be understood, or a file that cannot be read."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise CommandError("usage", "%(message)s", message=message)


def main(argv: Sequence[str]) -> int:
    """Answer one command on stdout, and return its exit code."""
    try:
        asked = _parser().parse_args(argv)
        if asked.command == "list":
            _print([_listed(game) for game in catalogue.GAMES.values()])
            return 0
        return _score(asked)
    except RuleError as error:
        _print(_refusal(error))
        return REFUSED


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="python -m games", description=__doc__, allow_abbrev=False)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("list", help="list the games, their modes, house rules and marks")
    score = commands.add_parser(
        "score", help="say what sheets earn and who deals next", allow_abbrev=False
    )
    score.add_argument("game", metavar="GAME")
    score.add_argument("--mode", required=True, help="who plays with whom, such as 4t2")
    score.add_argument("--dealer", type=int, default=0, metavar="N", help="the first dealer's seat")
    score.add_argument(
        "--option", action="append", default=[], metavar="NAME=VALUE", help="a house rule"
    )
    sheets = score.add_mutually_exclusive_group(required=True)
    sheets.add_argument("--sheet", metavar="JSON", help="one sheet; - reads it from stdin")
    sheets.add_argument("--sheets", metavar="FILE", help="one sheet a line; - reads stdin")
    return parser


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


def _score(asked: argparse.Namespace) -> int:
    """Fold the sheets, one answer a line; a refused one is answered and left out."""
    game = _game(asked.game)
    options = game.complete_options(dict(_option(game, given) for given in asked.option))
    mode = game.mode(asked.mode, options)
    dealer = seat(asked.dealer, range(mode.seats), question="dealer")
    session = game.open_session(mode, options, dealer, (None,) * mode.seats)
    code = 0
    for text in _texts(asked):
        try:
            scored = game.add_sheet(session, _sheet(text))
        except RuleError as error:
            _print(_refusal(error))
            code = REFUSED
        else:
            session = scored.session
            _print(_answer(scored))
    return code


def _game(slug: str) -> AnyGame:
    if slug not in catalogue.GAMES:
        raise CommandError(
            "game-unknown",
            gettext_noop("There is no game “%(game)s” here. There are: %(known)s."),
            game=slug,
            known=", ".join(catalogue.GAMES),
        )
    return catalogue.GAMES[slug]


def _option(game: AnyGame, given: str) -> tuple[str, OptionValue]:
    name, equals, text = given.partition("=")
    if not equals:
        raise CommandError(
            "option-shape",
            gettext_noop("Write a house rule as NAME=VALUE, not “%(given)s”."),
            given=given,
        )
    known = {option.name: option for option in game.options}
    return name, _value(known[name], text) if name in known else text


def _value(option: Option, text: str) -> OptionValue:
    """Return what *text* means to this house rule; itself, to be refused, if nothing."""
    if option.kind is Kind.FLAG:
        return _TRUTHS.get(text.lower(), text)
    if option.kind is Kind.CHOICE:
        return {str(value): value for value, _ in option.choices}.get(text, text)
    return int(text) if text.isdecimal() and len(text) < 10 else text


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
        raise CommandError(
            "file",
            gettext_noop("“%(file)s” cannot be read: %(why)s."),
            file=source,
            why=(isinstance(error, OSError) and error.strerror) or "it is not a text in UTF-8",
        ) from error


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
            {"code": caution.code, "message": str(caution.text)} for caution in scored.cautions
        ],
        "over": session.over,
    }


def _refusal(error: RuleError) -> dict[str, object]:
    return {"error": {"code": error.code, "message": str(error)}}


def _print(answer: object) -> None:
    sys.stdout.write(json.dumps(answer) + "\n")


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
