"""Parser: reads hands that are written down as ``format`` says.

Only the shape is looked at: whether such a hand can be played is ``replayer``'s to say.
"""

import json
import textwrap
from collections.abc import Iterator
from typing import Any

from games.errors import gettext_noop
from games.play.playing import Pack
from games.records.format import HEADER, UNFINISHED, Record, RecordedMove, RecordError, clean
from games.sheet import Sheet
from games.strict_json import KeyTwiceError, parse_json

_REQUIRED = ("game", "mode", "first", "dealer", "pack", "result")


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
    readings: list[_RecordLines] = []
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
            readings.append(_RecordLines())
        elif readings:
            word, _, value = line.partition(" ")
            readings[-1].take(number, word, value.strip())
        else:
            raise _refused(
                "no-header",
                gettext_noop("Line %(line)d: a hand begins with the line “%(header)s”."),
                number,
                header=HEADER,
            )
    return tuple(reading.record() for reading in readings)


def _whole_lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield every line that says something, with its number, once it is put together."""
    held: tuple[int, str] | None = None
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


class _RecordLines:
    """The parsed lines of one hand so far."""

    def __init__(self) -> None:
        self._once: dict[str, Any] = {}
        self._options: dict[str, Any] = {}
        self._players: list[str] = []
        self._before: list[Sheet] = []
        self._packs: list[Pack] = []
        self._moves: list[RecordedMove] = []
        self._answers: dict[str, Any] = {}

    def take(self, line: int, word: str, text: str) -> None:
        match word:
            case "game" | "mode":
                _put(self._once, line, word, text)
            case "first" | "dealer":
                _put(self._once, line, word, _number(line, text))
            case "dealt-before":
                _put(self._once, line, word, _memory(line, text))
            case "option":
                name, _, value = text.partition(" ")
                _put(self._options, line, name, _read_json(line, value))
            case "player":
                self._player(line, text)
            case "before":
                self._before.append(_read_json(line, text))
            case "pack":
                self._once["pack"] = True
                self._packs.append(tuple(text.split()))
            case "move":
                self._move(line, text)
            case "result":
                self._result(line, text)
            case _:
                raise _refused(
                    "line-unknown",
                    gettext_noop("Line %(line)d: “%(word)s” means nothing here; see RECORDS.md."),
                    line,
                    word=word,
                )

    def record(self) -> Record:
        for word in _REQUIRED:
            if word not in self._once:
                raise RecordError(
                    "line-missing",
                    gettext_noop("A hand needs a line “%(word)s”, and has none."),
                    word=word,
                )
        finished = self._once["result"] != UNFINISHED
        return Record(
            game=self._once["game"],
            mode=self._once["mode"],
            options=self._options,
            players=tuple(self._players),
            first_dealer=self._once["first"],
            dealt_before=self._once.get("dealt-before", ()),
            before=tuple(self._before),
            dealer=self._once["dealer"],
            packs=tuple(self._packs),
            moves=tuple(self._moves),
            sheet=self._answers if finished else None,
        )

    def _player(self, line: int, text: str) -> None:
        seat, _, name = text.partition(" ")
        if _number(line, seat) != len(self._players):
            raise _refused(
                "player-order",
                gettext_noop("Line %(line)d: the next player to be named sits at %(seat)d."),
                line,
                seat=len(self._players),
            )
        self._players.append(clean(name))

    def _move(self, line: int, text: str) -> None:
        match text.partition(";")[0].split():
            case [number, "seat", seat, code]:
                due = len(self._moves) + 1
                if _number(line, number) != due:
                    raise _refused(
                        "move-number",
                        gettext_noop("Line %(line)d: here move %(due)d is due."),
                        line,
                        due=due,
                    )
                self._moves.append(RecordedMove(_number(line, seat), code))
            case _:
                raise _refused(
                    "move-shape",
                    gettext_noop("Line %(line)d: a move is written as “12 seat 3 CODE”."),
                    line,
                )

    def _result(self, line: int, text: str) -> None:
        name, _, value = text.partition(" ")
        if text == UNFINISHED:
            _put(self._once, line, "result", text)
            return
        if self._once.setdefault("result", "") == UNFINISHED:
            raise _twice(line, "result")
        _put(self._answers, line, name, _read_json(line, value))


def _put(values: dict[str, Any], line: int, word: str, value: Any) -> None:
    if word in values:
        raise _twice(line, word)
    values[word] = value


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
