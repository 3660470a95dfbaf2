"""What is on the wall: seats before a round, the clock during it, the standing after it.

Between rounds, once the coming one is drawn for everybody to see, its seats and the standing
take turns. At a night of several tournaments the wall of each is shown in turn.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import TypeVar

from django.utils.translation import gettext

from tracker.common.figures import figure, placing
from tracker.draws.queries.published import DrawnRound, DrawnTable, published_round
from tracker.models import ClubNight, Round, RoundState, Tournament
from tracker.models.players import name_key
from tracker.nights.queries.nights import tournaments_of
from tracker.nights.queries.tables import DeskTable, Needs, tables_of
from tracker.seating.clock_face import ClockReading, clock_reading
from tracker.standings.queries.standings import standings

LINES = 14  # in a column, large enough to be read from the last table
LETTERS = 22  # in a line of a column of seats
COLUMNS = 3  # of seats, which are short; of a standing and beside a clock one less
BY_NAME = 40  # people who would read ten tables to find themselves
T = TypeVar("T")


class Face(StrEnum):
    SEATS = "seats"
    PLAYING = "playing"
    STANDING = "standing"
    HIDDEN = "hidden"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True, kw_only=True)
class DisplayRow:
    place: str
    name: str
    points: str
    first: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Display:
    """One sheet of what there is to show; where it is too much for one, they take turns."""

    face: Face
    round: Round | None
    clock: ClockReading | None = None
    coming: int | None = None  # the number of a round that is drawn and not open yet
    tables: tuple[tuple[DeskTable | DrawnTable, ...], ...] = ()  # by column
    people: tuple[
        tuple[tuple[str, int | None], ...], ...
    ] = ()  # by column; without a table they rest
    resting: tuple[str, ...] = ()
    rows: tuple[tuple[DisplayRow, ...], ...] = ()  # by column
    done: int = 0  # tables that have finished
    criterion: str = ""
    sheet: int = 1
    sheets: int = 1

    @property
    def next_sheet(self) -> int:
        return self.sheet % self.sheets + 1


@dataclass(frozen=True, slots=True, kw_only=True)
class NightDisplay:
    """The wall of the tournament whose turn it is, and whose it is next."""

    tournament: Tournament | None
    display: Display
    next_turn: int = 1
    next_sheet: int = 1


def night_display(
    night: ClubNight, *, turn: int, sheet: int, hide: bool, now: datetime
) -> NightDisplay:
    """Return what is on the wall of a night now, in one query more than of a tournament.

    Tournaments take turns while they are not official; once all are, their last standings do.
    """
    tournaments = tournaments_of(night)
    tournaments = (
        tuple(tournament for tournament in tournaments if tournament.official_at is None)
        or tournaments
    )
    if not tournaments:
        return NightDisplay(tournament=None, display=Display(face=Face.NOTHING, round=None))
    turn = turn if 1 <= turn <= len(tournaments) else 1
    tournament = tournaments[turn - 1]
    shown = display(tournament, sheet=sheet, hide=hide, now=now)
    last = shown.sheet == shown.sheets
    return NightDisplay(
        tournament=tournament,
        display=shown,
        next_turn=turn % len(tournaments) + 1 if last else turn,
        next_sheet=1 if last else shown.sheet + 1,
    )


def display(tournament: Tournament, *, sheet: int, hide: bool, now: datetime) -> Display:
    """Return what is on the wall now, in five queries at most.

    There is one more where a round is drawn for everybody to see, and where an award counts
    rounds. With *hide* a standing is not shown before it is put up as provisional, or official.
    """
    rounds = Round.objects.filter(tournament=tournament)
    last = rounds.exclude(state=RoundState.UNDONE).order_by("-number").first()
    if last is not None:
        last.tournament = tournament  # known already: no question of its own
        if last.state == RoundState.OPEN:
            return _in_turn(_round(last, now), sheet)
    faces: list[Display] = []
    if tournament.official_at is None:
        coming = published_round(tournament, last.number + 1 if last else 1)
        faces += _coming(coming, last) if coming else []
    settled = tournament.official_at or tournament.provisional_until
    if last is not None and (settled or not hide):
        faces += _standing(tournament, last)
    if not faces:
        faces = [Display(face=Face.HIDDEN if last else Face.NOTHING, round=last)]
    return _in_turn(faces, sheet)


def columns(items: Sequence[T], heights: Sequence[int]) -> list[list[T]]:
    """Put items one below the other, and begin a column where the next has no room.

    >>> columns("abcd", [LINES, 2, LINES - 2, 1])
    [['a'], ['b', 'c'], ['d']]
    """
    filled: list[list[T]] = []
    room = 0
    for item, height in zip(items, heights, strict=True):
        if height > room or not filled:
            filled.append([])
            room = LINES
        filled[-1].append(item)
        room -= height
    return filled


def _round(round_: Round, now: datetime) -> list[Display]:
    """Return the seats until the first result is in, then the clock and who still plays."""
    tables = tables_of([round_], Needs(), now)
    clock = clock_reading(round_, now=now)
    seats = Display(face=Face.SEATS, round=round_, clock=clock)
    if not any(table.progress.done for table in tables):
        people = [(name, table.number) for table in tables for name in table.people]
        people.sort(key=lambda person: name_key(person[0]))
        return _seats(seats, tables, people)
    playing = [table for table in tables if not table.finished]
    done = sum(table.finished for table in tables)
    base = replace(seats, face=Face.PLAYING, done=done)
    sheets = _sheets(columns(playing, [1] * len(playing)), COLUMNS - 1)
    return [replace(base, tables=shown) for shown in sheets]


def _coming(coming: DrawnRound, last: Round | None) -> list[Display]:
    """Return the seats of a round that nobody plays yet, and who rests in it."""
    base = Display(face=Face.SEATS, round=last, coming=coming.number, resting=coming.resting)
    return _seats(base, coming.tables, coming.people)


def _seats(
    base: Display,
    tables: Sequence[DeskTable | DrawnTable],
    people: Sequence[tuple[str, int | None]],
) -> list[Display]:
    """Return who sits where by table; where they are many, first by name."""
    by_name = _sheets(columns(people, [1] * len(people)), COLUMNS) if len(people) >= BY_NAME else []
    filled = columns(tables, [_height(table) for table in tables])
    return [
        *(replace(base, people=shown) for shown in by_name),
        *(replace(base, tables=shown) for shown in _sheets(filled, COLUMNS)),
    ]


def _standing(tournament: Tournament, last: Round) -> list[Display]:
    standing = standings(tournament)
    points = standing.criteria[0]
    rows = [
        DisplayRow(
            place=placing(row.place, tied=row.tied),
            name=row.name,
            points=figure(row.figures[points.key], percent=points.percent),
            first=row.place == 1,
        )
        for row in standing.rows
    ]
    base = Display(face=Face.STANDING, round=last, criterion=gettext(points.label))
    sheets = _sheets(columns(rows, [1] * len(rows)), COLUMNS - 1)
    return [replace(base, rows=shown) for shown in sheets]


def _height(table: DeskTable | DrawnTable) -> int:
    """Return how many lines a table and its people take, with some air below."""
    return 2 + sum(-(-len(side) // LETTERS) for side in table.sides)


def _sheets(filled: Sequence[Sequence[T]], beside: int) -> list[tuple[tuple[T, ...], ...]]:
    """Return columns by the sheets they fill; there is one sheet even for nothing."""
    return [
        tuple(tuple(column) for column in filled[start : start + beside])
        for start in range(0, max(1, len(filled)), beside)
    ]


def _in_turn(faces: Sequence[Display], sheet: int) -> Display:
    """Return the one whose turn it is, the first if there are not so many."""
    sheet = sheet if 1 <= sheet <= len(faces) else 1
    return replace(faces[sheet - 1], sheet=sheet, sheets=len(faces))
