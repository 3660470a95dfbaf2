"""What is on the wall: seats before a round, the clock during it, the standing after it.

At a night of several tournaments the wall of each is shown in turn.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import TypeVar

from django.utils.translation import gettext

from tracker.models import ClubNight, Round, RoundState, Tournament
from tracker.queries.clocks import ClockTold, clock_told
from tracker.queries.desk import DeskTable, tables_of
from tracker.queries.figures import figure, placing
from tracker.queries.night_desk import tournaments_of
from tracker.queries.standings import standings

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
class WallRow:
    place: str
    name: str
    points: str
    first: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Wall:
    """One sheet of what there is to show; where it is too much for one, they take turns."""

    face: Face
    round: Round | None
    clock: ClockTold | None = None
    tables: tuple[tuple[DeskTable, ...], ...] = ()  # by column
    rows: tuple[tuple[WallRow, ...], ...] = ()  # by column
    done: int = 0  # tables that have finished
    measure: str = ""
    sheet: int = 1
    sheets: int = 1

    @property
    def next_sheet(self) -> int:
        return self.sheet % self.sheets + 1


@dataclass(frozen=True, slots=True, kw_only=True)
class NightWall:
    """The wall of the tournament whose turn it is, and whose it is next."""

    tournament: Tournament | None
    wall: Wall
    next_turn: int = 1
    next_sheet: int = 1


def night_wall(night: ClubNight, *, turn: int, sheet: int, hide: bool, now: datetime) -> NightWall:
    """Return what is on the wall of a night now, in one query more than of a tournament.

    Tournaments take turns while they are not official; once all are, their last standings do.
    """
    cups = tournaments_of(night)
    cups = tuple(cup for cup in cups if cup.official_at is None) or cups
    if not cups:
        return NightWall(tournament=None, wall=Wall(face=Face.NOTHING, round=None))
    turn = turn if 1 <= turn <= len(cups) else 1
    cup = cups[turn - 1]
    shown = wall(cup, sheet=sheet, hide=hide, now=now)
    last = shown.sheet == shown.sheets
    return NightWall(
        tournament=cup,
        wall=shown,
        next_turn=turn % len(cups) + 1 if last else turn,
        next_sheet=1 if last else shown.sheet + 1,
    )


def wall(tournament: Tournament, *, sheet: int, hide: bool, now: datetime) -> Wall:
    """Return what is on the wall now, in four queries at most, one more where an award counts rounds.

    With *hide* a standing is not shown before it is put up as provisional, or official.
    """
    rounds = Round.objects.filter(tournament=tournament)
    last = rounds.exclude(state=RoundState.UNDONE).order_by("-number").first()
    if last is None:
        return Wall(face=Face.NOTHING, round=None)
    last.tournament = tournament  # known already: no question of its own
    if last.state == RoundState.OPEN:
        return _round(last, sheet, now)
    settled = tournament.official_at or tournament.provisional_until
    if hide and not settled:
        return Wall(face=Face.HIDDEN, round=last)
    return _standing(tournament, last, sheet)


def columns(items: Sequence[T], heights: Sequence[int]) -> list[list[T]]:
    """Put items one below the other, and begin a column where the next has no room.

    >>> columns("abcd", [LINES, 2, LINES - 2, 1])
    [['a'], ['b', 'c'], ['d']]
    """
    found: list[list[T]] = []
    room = 0
    for item, height in zip(items, heights, strict=True):
        if height > room or not found:
            found.append([])
            room = LINES
        found[-1].append(item)
        room -= height
    return found


def _round(round_: Round, sheet: int, now: datetime) -> Wall:
    """Return the seats until the first result is in, then the clock and who still plays."""
    tables = tables_of([round_], (), now)
    clock = clock_told(round_, now=now)
    if not any(table.done for table in tables):
        filled = columns(tables, [_height(table) for table in tables])
        shown, sheet, sheets = _turn(filled, sheet, COLUMNS)
        face = Face.SEATS
    else:
        playing = [table for table in tables if not table.finished]
        shown, sheet, sheets = _turn(columns(playing, [1] * len(playing)), sheet, COLUMNS - 1)
        face = Face.PLAYING
    return Wall(
        face=face,
        round=round_,
        clock=clock,
        tables=shown,
        done=sum(table.finished for table in tables),
        sheet=sheet,
        sheets=sheets,
    )


def _standing(tournament: Tournament, last: Round, sheet: int) -> Wall:
    standing = standings(tournament)
    points = standing.deciding[0]
    rows = [
        WallRow(
            place=placing(row.place, tied=row.tied),
            name=row.name,
            points=figure(row.figures[points.key], percent=points.percent),
            first=row.place == 1,
        )
        for row in standing.rows
    ]
    shown, sheet, sheets = _turn(columns(rows, [1] * len(rows)), sheet, COLUMNS - 1)
    return Wall(
        face=Face.STANDING,
        round=last,
        rows=shown,
        measure=gettext(points.label),
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
