"""Parser: reads hands that are written down as ``format`` says.

Only the shape is looked at: whether such a hand can be played is ``replayer``'s to say.
"""

import json
import textwrap
from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

from games.errors import gettext_noop
from games.records.format import HEADER, UNFINISHED, Record, RecordedMove, RecordError, clean
from games.sheet import Sheet
from games.strict_json import KeyTwiceError, parse_json

_WORDS = (
    *("game", "mode", "option", "player", "first", "before", "dealt-before"),
    *("dealer", "pack", "move", "result"),
)
_ONCE = {"game", "mode", "first", "dealt-before", "dealer"}
_REQUIRED = ("game", "mode", "first", "dealer", "pack", "result")
_Line: TypeAlias = tuple[int, str]  # its number, and what it says


def read(text: str) -> Record:
    """Return the one hand written here.

    :raises RecordError: if there is none, or several, or a line says nothing known.
    """
    records = read_all(text)
    if len(records) != 1:
        raise RecordError(
            "not-one",
            gettext_noop("Here one hand is needed, and there are %(hands)d."),
            hands=len(records),
        )
    return records[0]


def read_all(text: str) -> tuple[Record, ...]:
    """Return every hand written here.

    :raises RecordError: if a line says nothing known, or what it says cannot be read.
    """
    hands: list[list[_Line]] = []
    for number, line in _whole_lines(text):
        if line.startswith("Kula hand "):
            if line != HEADER:
                raise _refused(
                    "version",
                    gettext_noop("Line %(line)d: “%(text)s” is newer; here it is “%(header)s”."),
                    number,
                    text=line,
                    header=HEADER,
                )
            hands.append([])
        elif hands:
            hands[-1].append((number, line))
        else:
            raise _refused(
                "no-header",
                gettext_noop("Line %(line)d: a hand begins with the line “%(header)s”."),
                number,
                header=HEADER,
            )
    return tuple(map(_read_hand, hands))


def _whole_lines(text: str) -> Iterator[_Line]:
    """Yield every line that says something, with its number, once it is put together."""
    held: _Line | None = None
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), start=1):
        if line.startswith("#") or not line.strip():
            continue
        if held and line[0].isspace():
            held = (held[0], f"{held[1]} {line.strip()}")
            continue
        if held:
            yield held
        held = (number, line.strip())
    if held:
        yield held


def _read_hand(lines: Sequence[_Line]) -> Record:
    """Return the hand that is written in these lines, below its header."""
    said: dict[str, list[_Line]] = {word: [] for word in _WORDS}
    for number, line in lines:
        word, _, value = line.partition(" ")
        if word not in said:
            raise _refused(
                "line-unknown",
                gettext_noop("Line %(line)d: “%(word)s” means nothing here; see RECORDS.md."),
                number,
                word=word,
            )
        if word in _ONCE and said[word]:
            raise _twice(number, word)
        said[word].append((number, value.strip()))
    for word in _REQUIRED:
        if not said[word]:
            raise RecordError(
                "line-missing",
                gettext_noop("A hand needs a line “%(word)s”, and has none."),
                word=word,
            )
    return Record(
        game=said["game"][0][1],
        mode=said["mode"][0][1],
        options=_named(said["option"]),
        players=tuple(_player(seat, *line) for seat, line in enumerate(said["player"])),
        first_dealer=_number(*said["first"][0]),
        dealt_before=_memory(*said["dealt-before"][0]) if said["dealt-before"] else (),
        before=tuple(_read_json(*line) for line in said["before"]),
        dealer=_number(*said["dealer"][0]),
        packs=tuple(tuple(text.split()) for _, text in said["pack"]),
        moves=tuple(_move(due, *line) for due, line in enumerate(said["move"], start=1)),
        sheet=_sheet(said["result"]),
    )


def _named(lines: Sequence[_Line]) -> dict[str, Any]:
    """Return what is said by name, such as the answers of a sheet."""
    values: dict[str, Any] = {}
    for line, text in lines:
        name, _, value = text.partition(" ")
        if name in values:
            raise _twice(line, name)
        values[name] = _read_json(line, value)
    return values


def _sheet(lines: Sequence[_Line]) -> Sheet | None:
    """Return the result; ``None`` if the hand is unfinished."""
    if UNFINISHED not in (text for _, text in lines):
        return _named(lines)
    if len(lines) > 1:
        raise _twice(lines[1][0], "result")
    return None


def _player(due: int, line: int, text: str) -> str:
    """Return the name of the player who sits at *due*."""
    seat, _, name = text.partition(" ")
    if _number(line, seat) != due:
        raise _refused(
            "player-order",
            gettext_noop("Line %(line)d: the next player to be named sits at %(seat)d."),
            line,
            seat=due,
        )
    return clean(name)


def _move(due: int, line: int, text: str) -> RecordedMove:
    """Return the move that has the number *due*."""
    match text.partition(";")[0].split():
        case [number, "seat", seat, code]:
            if _number(line, number) == due:
                return RecordedMove(_number(line, seat), code)
            raise _refused(
                "move-number",
                gettext_noop("Line %(line)d: here move %(due)d is due."),
                line,
                due=due,
            )
        case _:
            raise _refused(
                "move-shape",
                gettext_noop("Line %(line)d: a move is written as “12 seat 3 CODE”."),
                line,
            )


def _twice(line: int, word: str) -> RecordError:
    return _refused(
        "line-twice",
        gettext_noop("Line %(line)d: “%(word)s” is written twice: write it once."),
        line,
        word=word,
    )


def _number(line: int, text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise _refused(
            "not-a-number",
            gettext_noop("Line %(line)d: write a whole number, not “%(text)s”."),
            line,
            text=text,
        )
    return int(text)


def _read_json(line: int, text: str) -> Any:
    try:
        read = parse_json(text)
        # Half a letter, as \ud800 is one, could be shown to nobody.
        json.dumps(read, ensure_ascii=False).encode()
    except KeyTwiceError as error:
        raise _twice(line, error.key) from error
    except ValueError as error:
        raise _refused(
            "not-json",
            gettext_noop("Line %(line)d: write JSON, such as true or [0, 1], not “%(text)s”."),
            line,
            text=textwrap.shorten(text, 40),
        ) from error
    return read


def _memory(line: int, text: str) -> tuple[int | None, ...]:
    """Return when every seat last dealt at an earlier table."""
    match _read_json(line, text):
        case [*dealt] if all(when is None or type(when) is int for when in dealt):
            return tuple(dealt)
        case _:
            raise _refused(
                "not-a-memory",
                gettext_noop("Line %(line)d: write a list of whole numbers and null here."),
                line,
            )


def _refused(code: str, template: str, line: int, **params: Any) -> RecordError:
    return RecordError(code, template, line=line, **params)
