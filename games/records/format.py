"""Format: a hand written down as one text for any game, for people and for programs.

``games/RECORDS.md`` describes every line of it.
``parser`` looks at the shape alone; whether the hand can be played is ``replayer``'s to say.
"""

import json
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from games.errors import RuleError
from games.play.playing import Pack
from games.sheet import Sheet

HEADER = "Kula hand 1"
UNFINISHED = "unfinished"
_WIDTH = 88
_INDENT = 10


class RecordError(RuleError):
    """A text that is no record of a hand, or a record of a hand that cannot have been."""


@dataclass(frozen=True, slots=True)
class RecordedMove:
    """A move as it is written: whose, and its code in the game's own words."""

    seat: int
    code: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """A hand as it is written down. ``sheet`` is ``None`` while the hand is unfinished.

    ``dealt_before`` is empty where nobody remembers an earlier table, and ``players``
    where nobody was named.
    """

    game: str
    mode: str
    options: Mapping[str, Any] = field(default_factory=dict)
    players: tuple[str, ...] = ()
    first_dealer: int = 0
    dealt_before: tuple[int | None, ...] = ()
    before: tuple[Sheet, ...] = ()
    dealer: int = 0
    packs: tuple[Pack, ...] = ()
    moves: tuple[RecordedMove, ...] = ()
    sheet: Sheet | None = None


def write(record: Record, *, remarks: Sequence[str] = ()) -> str:
    """Return the text of a hand, with a remark behind every move there is one for."""
    return "".join(f"{line}\n" for line in (HEADER, *_lines(record, remarks)))


def _lines(record: Record, remarks: Sequence[str]) -> Iterator[str]:
    yield _line("game", record.game)
    yield _line("mode", record.mode)
    yield from (_line("option", name, _json(value)) for name, value in record.options.items())
    for seat, name in enumerate(record.players):
        yield _line("player", str(seat), clean(name))
    yield _line("first", str(record.first_dealer))
    if record.dealt_before:
        yield _line("dealt-before", _json(record.dealt_before))
    yield from (_line("before", _json(sheet)) for sheet in record.before)
    yield _line("dealer", str(record.dealer))
    for pack in record.packs:
        yield textwrap.fill(
            " ".join(pack),
            width=_WIDTH,
            initial_indent="pack".ljust(_INDENT),
            subsequent_indent=" " * _INDENT,
            break_long_words=False,
            break_on_hyphens=False,
        )
    for place, move in enumerate(record.moves):
        remark = f"  ; {clean(remarks[place])}" if place < len(remarks) else ""
        yield _line("move", str(place + 1), "seat", str(move.seat), move.code) + remark
    if record.sheet is None:
        yield _line("result", UNFINISHED)
    else:
        yield from (_line("result", name, _json(value)) for name, value in record.sheet.items())


def _line(word: str, *values: str) -> str:
    # Two spaces at least: ``dealt-before`` is longer than the column is wide.
    return f"{word.ljust(_INDENT)}{'  ' if len(word) >= _INDENT else ''}{' '.join(values)}".rstrip()


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def clean(text: str) -> str:
    """Return a name or a remark on one line."""
    return " ".join(text.split())
