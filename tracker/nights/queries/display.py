"""What is on the wall: seats before a round, the clock during it, the standing after it.

At a night of several tournaments the wall of each is shown in turn.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import TypeVar

from django.utils.translation import gettext

from tracker.common.figures import figure, placing
from tracker.models import ClubNight, Round, RoundState, Tournament
from tracker.nights.queries.nights import tournaments_of
from tracker.nights.queries.tables import DeskTable, Needs, tables_of
from tracker.seating.clock_face import ClockReading, clock_reading
from tracker.standings.queries.standings import standings

LINES = 14  # in a column, large enough to be read from the last table
LETTERS = 22  # in a line of a column of seats
COLUMNS = 3  # of seats, which are short; of a standing and beside a clock one less
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
    tables: tuple[tuple[DeskTable, ...], ...] = ()  # by column
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
    """Return what is on the wall now, in four queries at most, one more where an award counts rounds.

    With *hide* a standing is not shown before it is put up as provisional, or official.
    """
    rounds = Round.objects.filter(tournament=tournament)
    last = rounds.exclude(state=RoundState.UNDONE).order_by("-number").first()
    if last is None:
        return Display(face=Face.NOTHING, round=None)
    last.tournament = tournament  # known already: no question of its own
    if last.state == RoundState.OPEN:
        return _round(last, sheet, now)
    settled = tournament.official_at or tournament.provisional_until
    if hide and not settled:
        return Display(face=Face.HIDDEN, round=last)
    return _standing(tournament, last, sheet)


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


def _round(round_: Round, sheet: int, now: datetime) -> Display:
    """Return the seats until the first result is in, then the clock and who still plays."""
    tables = tables_of([round_], Needs(), now)
    clock = clock_reading(round_, now=now)
    if not any(table.progress.done for table in tables):
        filled = columns(tables, [_height(table) for table in tables])
        shown, sheet, sheets = _turn(filled, sheet, COLUMNS)
        face = Face.SEATS
    else:
        playing = [table for table in tables if not table.finished]
        shown, sheet, sheets = _turn(columns(playing, [1] * len(playing)), sheet, COLUMNS - 1)
        face = Face.PLAYING
    return Display(
        face=face,
        round=round_,
        clock=clock,
        tables=shown,
        done=sum(table.finished for table in tables),
        sheet=sheet,
        sheets=sheets,
    )


def _standing(tournament: Tournament, last: Round, sheet: int) -> Display:
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
    shown, sheet, sheets = _turn(columns(rows, [1] * len(rows)), sheet, COLUMNS - 1)
    return Display(
        face=Face.STANDING,
        round=last,
        rows=shown,
        criterion=gettext(points.label),
        sheet=sheet,
        sheets=sheets,
    )


def _height(table: DeskTable) -> int:
    """Return how many lines a table and its people take, with some air below."""
    return 2 + sum(-(-len(side) // LETTERS) for side in table.sides)


def _turn(
    filled: Sequence[Sequence[T]], sheet: int, beside: int
) -> tuple[tuple[tuple[T, ...], ...], int, int]:
    """Return the columns of this *sheet*, which it is, and how many there are."""
    sheets = max(1, -(-len(filled) // beside))
    sheet = sheet if 1 <= sheet <= sheets else 1
    shown = filled[(sheet - 1) * beside : sheet * beside]
    return tuple(tuple(column) for column in shown), sheet, sheets
