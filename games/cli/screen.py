"""Screen: what a terminal shows, in colour where it can, and what the seats are called on it."""

import os
import re
import shutil
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from textwrap import wrap
from typing import TextIO

from games.errors import RuleError
from games.mode import Mode
from games.wording import AtSeat, OnSide, Text, spoken

_ACTS = (
    "bid declare deal discard draw eat end hold keep knock lead leave pay play show stand take win"
)
# What people do, and what you do.
VERBS = {f"{verb}s": verb for verb in _ACTS.split()} | {
    "is": "are",
    "has": "have",
    "does": "do",
    "was": "were",
    "goes": "go",
    "passes": "pass",
}
_POSSESSIVE = "’s"
_SENTENCE_ENDS = re.compile(r"(?<=[.!?]) ")


def to_you(sentence: Text | RuleError, is_you: Callable[[object], bool]) -> Text:
    """Return the sentence with verbs in the second person where ``is_you`` holds of who acts.

    >>> who = Text("%(who)s takes it and leads.", {"who": "Asha"})
    >>> str(to_you(who, lambda param: param == "Asha"))
    'Asha take it and lead.'
    """
    template = sentence.template
    params: dict[str, object] = {}
    for hole, param in sentence.params.items():
        params[hole] = to_you(param, is_you) if isinstance(param, Text | RuleError) else param
        if is_you(param):
            template = " ".join(
                _second(part, f"%({hole})s") for part in _SENTENCE_ENDS.split(template)
            )
    return Text(template, params)


def _second(sentence: str, who: str) -> str:
    """Return one sentence, in the second person from the hole *who* on."""
    before, hole, after = sentence.partition(who)
    if after.startswith(_POSSESSIVE):
        return f"{before}your{after.removeprefix(_POSSESSIVE)}"
    known = "|".join(VERBS)
    after = re.sub(
        rf"(^ |, | and | so )({known})\b", lambda found: f"{found[1]}{VERBS[found[2]]}", after
    )
    return f"{before}{hole}{after}"


_RED_CARD = re.compile(r"[^\s,.(]*[♥♦][^\s,.)]*")
_ORDER = re.compile(r"[\x00-\x1f\x7f-\x9f]")  # what a terminal obeys instead of showing it
_MARGIN = 4
_NARROWEST = 20  # letters: a terminal that claims to have fewer gets long lines
_BEGINNING = re.compile(r"(?<=[.!?] )[sy](?=eats? \d|ou\b|our\b)")  # of a second sentence
_PLAIN = str.maketrans("♠♥♦♣×●○“”’–—·…", 'SHDCx*.""\'---.') | {ord("½"): ".5", ord("−"): "-"}
YOU = "you"  # at the table; no bot is called so


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
    height: int = 0  # lines of a terminal; 0 where what is written scrolls by for nobody

    def say(self, text: str = "", ink: Ink | None = None, *, hang: int = 0) -> None:
        """Write a sentence over as many lines as it needs, those after the first indented."""
        for line in self._lines(shown(text), hang):
            self.out.write(f"{self._painted(self._spelt(line), ink)}\n")

    def ask(self, read: Callable[[str], str], question: str) -> str:
        """Show a question, and return what is typed after its last line."""
        *above, last = self._lines(shown(question), 0)
        self.say_all(above)
        self.out.flush()
        return read(f"{self._spelt(last)} ")

    def say_all(self, lines: Iterable[str], ink: Ink | None = None, *, hang: int = 0) -> None:
        """Write several lines."""
        for line in lines:
            self.say(line, ink, hang=hang)

    def show_words(self, words: Iterable[str]) -> None:
        """Write words one after the other, over as many lines as they need."""
        # What belongs together stays together: wrapping must not part a number from its move.
        whole = "   ".join(word.replace(" ", "\0") for word in words)
        width = max(1, self.width - _MARGIN)
        for line in wrap(whole, width, break_long_words=False, break_on_hyphens=False):
            spaced = f"  {line}".replace("\0", " ")
            self.out.write(f"{self._painted(self._spelt(shown(spaced)), None)}\n")

    def _lines(self, text: str, hang: int) -> list[str]:
        indent = " " * (len(text) - len(text.lstrip()) + hang)
        if self.width < max(_NARROWEST, 2 * len(indent)) or len(text) <= self.width:
            return [text]
        return wrap(
            text,
            self.width,
            subsequent_indent=indent,
            break_long_words=False,
            break_on_hyphens=False,
        )

    def _spelt(self, text: str) -> str:
        """Return the text in letters that the terminal has: “JS” where it has no ♠."""
        try:
            text.encode(self.out.encoding or "utf-8")
        except UnicodeEncodeError:
            return text.translate(_PLAIN)
        return text

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


def sentence(text: str) -> str:
    """Return a text with a capital letter at the start of each sentence.

    >>> sentence("seat 0 is named twice.")
    'Seat 0 is named twice.'
    """
    begun = _BEGINNING.sub(lambda start: start[0].upper(), text)
    return begun[:1].upper() + begun[1:]


def screen_on(out: TextIO) -> Screen:
    """Return the terminal, or the file, that is written to."""
    width, lines = shutil.get_terminal_size()
    return Screen(
        out,
        colour=shows_colours(out, os.environ),
        width=width,
        height=lines if sys.stdin.isatty() and out.isatty() else 0,
    )


def _inked(text: str, ink: Ink) -> str:
    return f"\x1b[{ink.value}m{text}\x1b[0m"


def shows_colours(out: TextIO, environment: Mapping[str, str]) -> bool:
    """Say whether what is written there may be coloured (https://no-color.org)."""
    return out.isatty() and not environment.get("NO_COLOR") and environment.get("TERM") != "dumb"


@dataclass(frozen=True, slots=True)
class SeatNames:
    """What the seats and the sides of a table are called; ``you`` is the seat of the person."""

    seats: tuple[str, ...]
    sides: tuple[str, ...]
    you: int | None = None

    def say(self, text: Text | RuleError) -> str:
        """Return the sentence with names filled in, in the second person for the player “you”."""
        told = text if self.you is None else to_you(text, self._is_you)
        named = spoken(told, seat=self.seats.__getitem__, side=self.sides.__getitem__)
        return sentence(named)

    def _is_you(self, param: object) -> bool:
        match param:
            case AtSeat(seat):
                return seat == self.you
            case OnSide(side):
                return self.sides[side] == YOU
            case _:
                return False


def names_of(mode: Mode, sitting: tuple[str, ...], you: int | None = None) -> SeatNames:
    """Name the seats after who sits there, and a side of several after its seats.

    Whoever plays is “you”, and people are called by their names, bots by their seats.

    >>> from games.mode import teams
    >>> names_of(teams(4, 2, ""), ("you", "steady", "strong", "steady"), 0).sides
    ('you and seat 2 (strong)', 'seats 1 and 3 (steady and steady)')
    """
    alone = {who for who in sitting if sitting.count(who) == 1 and who[:1].isupper()}
    seats = tuple(
        YOU if seat == you else who if who in alone else f"seat {seat} ({who})"
        for seat, who in enumerate(sitting)
    )
    if mode.individual:
        return SeatNames(seats, tuple(seats[side[0]] for side in mode.sides), you)
    sides = []
    for side in mode.sides:
        others = [seat for seat in side if seat != you]
        called = len(others) < len(side) or all(sitting[seat] in alone for seat in side)
        if called:
            mine = [YOU] * (len(others) < len(side))
            sides.append(_together([*mine, *(seats[seat] for seat in others)]))
        else:
            numbers, people = map(str, side), (sitting[seat] for seat in side)
            sides.append(f"seats {_together(numbers)} ({_together(people)})")
    return SeatNames(seats, tuple(sides), you)


def _together(words: Iterable[str]) -> str:
    *others, last = words
    return f"{', '.join(others)} and {last}" if others else last
