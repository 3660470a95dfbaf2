"""What a terminal shows: lines, in colour where it can show colours."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from textwrap import wrap
from typing import TextIO

_RED_CARD = re.compile(r"[^\s,.(]*[♥♦][^\s,.)]*")
_ORDER = re.compile(r"[\x00-\x1f\x7f-\x9f]")  # what a terminal obeys instead of showing it
_MARGIN = 4


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
            return _RED_CARD.sub(lambda found: _inked(found[0], Ink.RED), text)
        return _inked(text, ink)


def shown(text: str) -> str:
    r"""Return a text that only shows: one from a file may hold orders to the terminal.

    >>> shown("Asha\x1b[31m")
    'Asha?[31m'
    """
    return _ORDER.sub("?", text)


def _inked(text: str, ink: Ink) -> str:
    return f"\x1b[{ink.value}m{text}\x1b[0m"


def shows_colours(out: TextIO, environment: Mapping[str, str]) -> bool:
    """Say whether what is written there may be coloured (https://no-color.org)."""
    return out.isatty() and not environment.get("NO_COLOR") and environment.get("TERM") != "dumb"
