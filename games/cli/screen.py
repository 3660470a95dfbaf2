"""Screen: what a terminal shows, in colour where it can, and what the seats are called on it."""

import os
import re
import shutil
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from textwrap import wrap
from typing import TextIO

from games.errors import RuleError
from games.mode import Mode
from games.wording import Text, spoken

_RED_CARD = re.compile(r"[^\s,.(]*[♥♦][^\s,.)]*")
_ORDER = re.compile(r"[\x00-\x1f\x7f-\x9f]")  # what a terminal obeys instead of showing it
_MARGIN = 4
_BEGINNING = re.compile(r"(?<=[.!?] )s(?=eats? \d)")  # of a second sentence


class Ink(Enum):
    """What a line is written in."""

    TITLE = "1;36"
    STRONG = "1"
    FAINT = "2"
    GOOD = "32"
    WRONG = "33"
    RED = "31"


@dataclass(frozen=True, slots=True)
class Screen:
    """Where lines are written. Without colour no line holds anything but its text."""

    out: TextIO
    colour: bool = False
    width: int = 80

    def say(self, text: str = "", ink: Ink | None = None) -> None:
        """Write a line."""
        self.out.write(f"{self._painted(shown(text), ink)}\n")

    def say_all(self, lines: Iterable[str], ink: Ink | None = None) -> None:
        """Write several lines."""
        for line in lines:
            self.say(line, ink)

    def show_words(self, words: Iterable[str]) -> None:
        """Write words one after the other, over as many lines as they need."""
        # What belongs together stays together: wrapping must not part a number from its move.
        whole = "   ".join(word.replace(" ", "\0") for word in words)
        width = max(1, self.width - _MARGIN)
        for line in wrap(whole, width, break_long_words=False, break_on_hyphens=False):
            self.say(f"  {line}".replace("\0", " "))

    def flush(self) -> None:
        self.out.flush()

    def _painted(self, text: str, ink: Ink | None) -> str:
        if not self.colour or not text:
            return text
        if ink is None:
            return _RED_CARD.sub(lambda card: _inked(card[0], Ink.RED), text)
        return _inked(text, ink)


def shown(text: str) -> str:
    r"""Return a text that only shows: one from a file may hold orders to the terminal.

    >>> shown("Asha\x1b[31m")
    'Asha?[31m'
    """
    return _ORDER.sub("?", text)


def stdout_screen() -> Screen:
    """Return the terminal, or the file, that is written to."""
    width = shutil.get_terminal_size().columns
    return Screen(sys.stdout, colour=shows_colours(sys.stdout, os.environ), width=width)


def _inked(text: str, ink: Ink) -> str:
    return f"\x1b[{ink.value}m{text}\x1b[0m"


def shows_colours(out: TextIO, environment: Mapping[str, str]) -> bool:
    """Say whether what is written there may be coloured (https://no-color.org)."""
    return out.isatty() and not environment.get("NO_COLOR") and environment.get("TERM") != "dumb"


@dataclass(frozen=True, slots=True)
class Names:
    """What the seats and the sides of a table are called."""

    seats: tuple[str, ...]
    sides: tuple[str, ...]

    def say(self, text: Text | RuleError) -> str:
        """Return the sentence with everybody's name in it."""
        named = spoken(text, seat=self.seats.__getitem__, side=self.sides.__getitem__)
        sentence = _BEGINNING.sub(lambda start: start[0].upper(), named)
        return sentence[:1].upper() + sentence[1:]


def names_of(mode: Mode, sitting: tuple[str, ...]) -> Names:
    """Name the seats after who sits there, and a side of several after its seats.

    >>> from games.mode import teams
    >>> names_of(teams(4, 2, ""), ("you", "steady", "strong", "steady")).sides
    ('seats 0 and 2 (you and strong)', 'seats 1 and 3 (steady and steady)')
    """
    seats = tuple(f"seat {seat} ({who})" for seat, who in enumerate(sitting))
    if mode.individual:
        return Names(seats, tuple(seats[side[0]] for side in mode.sides))
    return Names(
        seats,
        tuple(
            f"seats {_together(map(str, side))} ({_together(sitting[seat] for seat in side)})"
            for side in mode.sides
        ),
    )


def _together(words: Iterable[str]) -> str:
    *others, last = words
    return f"{', '.join(others)} and {last}"
