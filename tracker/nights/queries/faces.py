"""The faces of the hall's display: what each holds, and for how long it is shown."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from tracker.models import Round, Tournament
from tracker.nights.logic.race_lines import RaceLine
from tracker.seating.clock_face import ClockReading


class Face(StrEnum):
    WELCOME = "welcome"  # before anything is drawn: how to join, and who is here
    NAMES = "names"  # who sits at which table, by name
    SEATS = "seats"  # who sits where, by table
    TABLES = "tables"  # the clock, who deals where, who still plays
    STANDING = "standing"
    RACE = "race"
    PRIZES = "prizes"
    HIDDEN = "hidden"
    BREAK = "break"


_SECONDS = {Face.NAMES: 15, Face.TABLES: 20, Face.RACE: 15}  # that a face is shown at a stretch
_USUAL_SECONDS = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatsAt:
    """A table and its sides; ``dealer`` deals first there."""

    number: int
    match: str
    sides: tuple[str, ...]
    dealer: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableLine:
    """A table that still plays: who deals there, which hand, and perhaps who deals next."""

    number: int
    dealer: str  # empty where the cards are to say who deals
    hand: str
    coming: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingLine:
    place: str
    name: str
    points: str
    separated_by: str  # the tie-breaks between equal points, in words
    first: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Display:
    """One face of what there is to show; where there are several, they take turns."""

    face: Face
    round: Round | None = None
    clock: ClockReading | None = None
    coming: int | None = None  # the number of a round that is drawn and not open yet
    columns: tuple[tuple[Any, ...], ...] = ()  # of what the face is made of
    size: int = 0  # of the letters, the largest first
    resting: tuple[str, ...] = ()
    still: int = 0  # tables that play
    few: bool = False  # of which there is room to say more
    many: bool = False  # of which there is room for little
    of: int = 0  # tables of the round
    last_words: str = ""  # at the bell
    ranked: bool = False  # a standing is there to be shown, or hidden
    criterion: str = ""
    lines: tuple[RaceLine, ...] = ()
    notes: tuple[str, ...] = ()
    until: datetime | None = None  # of a break
    sheet: int = 1
    sheets: int = 1

    @property
    def dots(self) -> str:
        """Return a dot for each face, that of this one filled."""
        return "".join("●" if self.sheet == each + 1 else "○" for each in range(self.sheets))

    @property
    def next_sheet(self) -> int:
        return self.sheet % self.sheets + 1

    @property
    def seconds(self) -> int:
        """Return how long the face is shown at a stretch."""
        return _SECONDS.get(self.face, _USUAL_SECONDS)

    @property
    def of_round(self) -> bool:
        """Say whether it is about a round that is being played."""
        return bool(self.round and self.round.closed_at is None and self.coming is None)


@dataclass(frozen=True, slots=True, kw_only=True)
class NightDisplay:
    """What is shown of the tournament whose turn it is, and whose it is next."""

    tournament: Tournament | None
    display: Display
    next_turn: int = 1
    next_sheet: int = 1
