"""Typed moves: what a person types at the table, and which move is meant by it."""

from collections.abc import Sequence
from typing import Any

from games.errors import gettext_noop
from games.play.playing import AnyPlay, IllegalMoveError

FEW = 24  # moves that are still listed one by one

HELP = (
    "Type the number of a move, or its code; small letters will do.",
    "",
    "  moves   list everything you may do now",
    "  view    look at the table again; so does an empty line",
    "  hint    ask the strongest bot what it would do",
    "  undo    take back your last move of this hand",
    "  score   see how everybody stands",
    "  rules   see what the rules have sections about; rules R7 shows one rule,",
    "          rules play a section, rules all everything",
    "  quit    leave the table (so do Ctrl-D and Ctrl-C)",
)


def meant(typed: str, play: AnyPlay, state: Any, legal: Sequence[Any]) -> Any:
    """Return the move that is meant: by its code, its number, or what is behind its colon.

    :raises IllegalMoveError: with the reason, if it is no move, or not one that is allowed.
    """
    codes = [play.move_code(move) for move in legal]
    if typed in codes:
        return legal[codes.index(typed)]
    if typed.isascii() and typed.isdecimal() and 0 < int(typed[:9]) <= len(legal):
        return legal[int(typed[:9]) - 1]
    for spelt in (codes, [code.partition(":")[2] for code in codes]):
        places = [place for place, code in enumerate(spelt) if code.lower() == typed.lower()]
        if len(places) == 1:
            return legal[places[0]]
    move = _parsed(typed, play, len(legal))
    play.play(state, move)
    return move


def _parsed(typed: str, play: AnyPlay, moves: int) -> Any:
    if typed.isascii() and typed.isdecimal():
        raise IllegalMoveError(
            "no-such-number",
            gettext_noop("The moves are numbered from 1 to %(moves)d."),
            moves=moves,
        )
    word, colon, cards = typed.partition(":")
    for spelt in (typed.upper(), word.lower() + colon + cards.upper()):
        try:
            return play.parse_move(spelt)
        except IllegalMoveError:
            continue
    return play.parse_move(typed)


def choices(codes: Sequence[str]) -> list[str]:
    """Return the moves to choose from, each with its number; of many only their kinds.

    >>> choices(["pass", "bid:3H"])
    ['1 pass', '2 bid:3H']
    """
    if len(codes) <= FEW:
        return numbered(codes)
    kinds: dict[str, list[str]] = {}
    for code in codes:
        kinds.setdefault(code.partition(":")[0], []).append(code)
    return [
        alike[0] if len(alike) == 1 else f"{alike[0]} (and {len(alike) - 1} more like it)"
        for alike in kinds.values()
    ]


def numbered(codes: Sequence[str]) -> list[str]:
    """Return every move with its number."""
    return [f"{number} {code}" for number, code in enumerate(codes, start=1)]
