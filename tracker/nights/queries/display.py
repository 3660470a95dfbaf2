"""Sheets of the display, the page for the hall's screen: of a tournament, and of a night.

A *sheet* is one screenful; the sheets of a display take turns. Before a round they show who sits
where, by name and by table; during it the clock, the dealers of the tables that still play, and the
standing; after it the standing, its race, and published seats of the next round; at the end prizes.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Any

from django.db.models import BooleanField, Exists, ExpressionWrapper, OuterRef
from django.utils.translation import gettext

from tracker.common.figures import figure
from tracker.common.names import page_names, short_names
from tracker.models import Attendance, ClubNight, Entrant, Round, RoundState, Tournament, name_key
from tracker.nights.display_layout import lay_out_sheets
from tracker.nights.queries.desk import resting_of, rounds_shown, tables_now
from tracker.nights.queries.nights import tournaments_of
from tracker.seating.queries.drawn_round import DrawnTable, published_round
from tracker.standings.logic.race_chart import ChartLine, ChartSheet, draw
from tracker.standings.queries.points_by_round import race
from tracker.standings.queries.prizes import prize_rows, resolution_lines
from tracker.standings.queries.standings import Standing, standings
from tracker.tables.clocks import ClockReading, read_round_clock
from tracker.tables.table_now import TableNow
from tracker.tournaments.queries import continues_elsewhere

LEAST_LISTED_BY_NAME = 17  # people; from this number on seats are also listed by name
MOST_LISTED_BY_TABLE = 20  # tables; if there are more, seats are listed by name only
_MOST_IN_ONE_COLUMN = 12  # tables that still play
MOST_WITH_DETAILS = 6  # such tables; *details* are the coming hand and who deals next
_MOST_ON_TWO_LINES = 4  # such tables with each detail on a line of its own
# In units of the race's drawing: ``display/race.html`` has letters of 46 units.
_RACE = ChartSheet(width=1600, height=770, font_size=50, most_labels=7, left=20, top=40)
_BESIDE_CLOCK = 0.62  # the part of the screen's width beside a clock
_BESIDE_SMALL_CLOCK = 0.7
_NAME_MARGIN = 4  # letters between a name and the text beside it
_PLACE = 3  # letters, such as "12="
_HEADING = len("Table 12 ")
_WINNERS = 28  # letters, enough for the full names of most winners
_DETAILS_SIZE = 0.7  # the size of the letters of details, in those of the line above
# Heights in lines (a name in a list has 1), each with the space below.
_ROW = 1.1  # of the standing or the tables
_PRIZE_ROW = 1.6
_HEADING_ROW = 1.8  # of a table
_ROW_AND_DETAILS = 2.1  # a table with its details on one line
_ROW_AND_TWO_LINES = 2.4  # a table with its details on two lines


class DisplayFace(StrEnum):
    """What a sheet shows; each face has its template."""

    WELCOME = "welcome"  # before the first draw: how to join, and who is here
    NAMES = "names"  # the table of each person, in order of the names
    SEATS = "seats"  # the people of each table
    TABLES = "tables"  # the clock, and the dealers at tables that still play
    STANDING = "standing"
    RACE = "race"  # a chart of the points round by round
    PRIZES = "prizes"
    HIDDEN = "hidden"  # nothing: the standing is hidden, or there is none yet
    BREAK = "break"


# How long a sheet stays on the screen.
_SECONDS = {DisplayFace.NAMES: 15, DisplayFace.TABLES: 20, DisplayFace.RACE: 15}
_USUAL_SECONDS = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class DisplaySheet:
    """A sheet of the display. Most fields belong to some faces only."""

    face: DisplayFace
    round: Round | None = None
    clock: ClockReading | None = None
    coming: int | None = None  # the round whose seats are shown, if it is drawn and not open yet
    # What the face lists: WELCOME names; NAMES (name, table or ``None``); SEATS (table, its sides);
    # TABLES (table, text, next dealer), as in ``_table_row``; STANDING and PRIZES (place, name,
    # points, tie-breaks that decide, whether it is the first place).
    columns: tuple[tuple[Any, ...], ...] = ()
    size: int = 0  # the index of the letter size in ``display_layout.SIZES``, 0 for the largest
    resting: tuple[str, ...] = ()  # names of those who sit out
    # TABLES: how many still play; whether they are few enough for details, or so many that they
    # need two columns and a small clock; and the sentence shown when the clock rings.
    playing: int = 0
    roomy: bool = False
    crowded: bool = False
    last_words: str = ""
    total: int = 0  # how many tables the round has, or how many people are here
    ranked: bool = False  # whether there may be a standing: then a button can hide it
    criterion: str = ""  # what ranks, such as "Victory points"
    # RACE: the curves of the chart, the leader's first, each with the text at its end.
    lines: tuple[tuple[ChartLine, str], ...] = ()
    notes: tuple[str, ...] = ()  # PRIZES: how ties were settled
    until: datetime | None = None  # BREAK: its end
    number: int = 1  # which sheet this is, from 1
    count: int = 1  # how many sheets there are
    # On the display of a night: the tournament shown, and the turn of the next sheet's tournament.
    tournament: Tournament | None = None
    next_turn: int = 1

    @property
    def dots(self) -> str:
        """Return a dot for each sheet; the dot of this one is filled."""
        return "".join("●" if self.number == n else "○" for n in range(1, self.count + 1))

    @property
    def next_sheet(self) -> int:
        return self.number % self.count + 1

    @property
    def seconds(self) -> int:
        return _SECONDS.get(self.face, _USUAL_SECONDS)

    @property
    def of_round(self) -> bool:
        """Return whether the sheet is about a round that is being played."""
        return bool(self.round and self.round.closed_at is None and self.coming is None)


def night_display(
    night: ClubNight, *, turn: int, sheet: int, hide: bool, now: datetime
) -> DisplaySheet:
    """Return a sheet of a night's display, in one query more than a tournament's.

    *turn* is the number of the tournament. The tournaments that are being played take turns, or all
    of the night if none is. The next turn comes after a tournament's last sheet.
    """
    if night.break_until is not None:  # ``ranked``, as some tournament may have a standing
        return DisplaySheet(face=DisplayFace.BREAK, until=night.break_until, ranked=True)
    open_rounds = Round.objects.filter(tournament=OuterRef("pk"), state=RoundState.OPEN)
    of_night = tournaments_of(night).annotate(
        plays=Exists(open_rounds), followed=ExpressionWrapper(continues_elsewhere(), BooleanField())
    )
    # A stage that another stage follows is not shown, unless all are followed.
    last_stages = [row for row in of_night if not vars(row)["followed"]] or [*of_night]
    # Being played: with an open round, or without a published standing.
    playing = [
        row
        for row in last_stages
        if vars(row)["plays"] or not (row.official_at or row.provisional_until)
    ]
    tournaments = playing or last_stages
    if not tournaments:
        here = Attendance.objects.here(night).people()
        return _pick_sheet(_welcome(dict(here.values_list("pk", "name"))), sheet)
    turn = turn if 1 <= turn <= len(tournaments) else 1
    tournament = tournaments[turn - 1]
    shown = display(tournament, sheet=sheet, hide=hide, now=now)
    next_turn = turn % len(tournaments) + 1 if shown.number == shown.count else turn
    return replace(shown, tournament=tournament, next_turn=next_turn)


def display(tournament: Tournament, *, sheet: int, hide: bool, now: datetime) -> DisplaySheet:
    """Return the sheet of this number of a tournament's display, in a fixed number of queries.

    With *hide* no standing is shown until it is provisional or official.
    """
    last = tournament.rounds.not_undone().order_by("-number").first()
    if last is not None and last.state == RoundState.OPEN:
        return _pick_sheet(list(_during_round(last, hide=hide, now=now)), sheet)
    sheets = list(_outside_rounds(tournament, last, hide=hide))
    if not sheets and last is None:
        sheets = _welcome(Entrant.objects.filter(tournament=tournament, reserve_since=None).names())
    return _pick_sheet(sheets or [DisplaySheet(face=DisplayFace.HIDDEN, round=last)], sheet)


def _pick_sheet(sheets: list[DisplaySheet], number: int) -> DisplaySheet:
    """Return the sheet of this number, or the first if there are fewer."""
    number = number if 1 <= number <= len(sheets) else 1
    return replace(sheets[number - 1], number=number, count=len(sheets))


def _during_round(round_: Round, *, hide: bool, now: datetime) -> Iterator[DisplaySheet]:
    """Yield the seats until the first result is in, then the tables and the standing."""
    rounds = rounds_shown(round_)
    tables, resting, _names = tables_now(rounds, resting_of(rounds))
    clock = read_round_clock(round_, now=now)
    begun = any(table.begun for table in tables)
    ranked = begun or round_.number > 1
    base = DisplaySheet(face=DisplayFace.TABLES, round=round_, clock=clock, ranked=ranked)
    if not begun:
        resting_names = tuple(name for name, _times in resting)
        people: list[tuple[str, int | None]] = [(name, None) for name in resting_names]
        people += [(name, table.number) for table in tables for name in table.coming_names.seats]
        people.sort(key=lambda person: name_key(person[0]))
        with_sides = [(table, table.coming_names.sides) for table in tables]
        # The widths of the lines "NAME deals", with a letter to spare.
        letters = [len(table.dealer or "") + len(" deals") + 1 for table in tables]
        yield from _seat_sheets(replace(base, resting=resting_names), people, with_sides, letters)
        return
    yield from _table_sheets(base, round_, tables)
    # For some time after the clock has rung, the last hands are played: only the tables are shown.
    just_rang = clock is not None and clock.has_rung and not clock.rang_long_ago
    last_hands = just_rang and not all(table.done for table in tables)
    if not hide and not last_hands:
        yield from _standing_sheets(base, standings(round_.tournament))


def _outside_rounds(
    tournament: Tournament, last: Round | None, *, hide: bool
) -> Iterator[DisplaySheet]:
    """Yield, if no round is open, the seats of the next, the prizes, the standing, and its race."""
    settled = tournament.official_at or tournament.provisional_until
    standing = None if last is None or (hide and not settled) else standings(tournament)
    ranked = standing is not None and standing.begun
    base = DisplaySheet(face=DisplayFace.SEATS, round=last, ranked=ranked)
    if tournament.official_at is None:
        coming = published_round(tournament, last.number + 1 if last else 1)
        if coming:
            drawn = replace(base, coming=coming.number, resting=tuple(map(str, coming.resting)))
            tables = [(table, table.side_names) for table in coming.tables]
            # The widths of the headings "Table 12 MATCH"; the match is in smaller letters.
            letters = [_HEADING + len(table.match) for table in coming.tables]
            yield from _seat_sheets(drawn, coming.people, tables, letters)
    if standing is None:
        return
    if tournament.official_at is not None and (winners := prize_rows(standing)):
        # Only the letter size is taken from the layout: the winners are in one column, in full.
        rows = [(*standing.line(row), row.place == 1) for row in winners]
        [sheet, *_more] = lay_out_sheets(rows, [_PRIZE_ROW] * len(rows), letters=_WINNERS)
        prizes = replace(base, face=DisplayFace.PRIZES, columns=(tuple(rows),), size=sheet.size)
        notes = tuple(resolution_lines(tournament, standing.rows))
        yield replace(prizes, notes=notes, criterion=gettext(standing.criteria[0].label))
    yield from _standing_sheets(base, standing)
    if standing.by_bracket:  # a knock-out has no race of points
        return
    run = race(tournament)
    if len(run.rounds) >= 2:
        percent, label = run.criterion.percent, gettext(run.criterion.label)
        runners = run.runners[: _RACE.most_labels]
        texts = {
            runner.entrant.pk: f"{figure(runner.points[-1], percent=percent)} {runner.name}"
            for runner in runners
        }
        series = {runner.entrant.pk: runner.points for runner in runners}
        curves = reversed(draw(series, texts, _RACE, percent=percent).lines)  # the last one leads
        lines = tuple((curve, texts[curve.key]) for curve in curves)
        yield replace(base, face=DisplayFace.RACE, lines=lines, criterion=label)


def _spread_over_sheets(
    base: DisplaySheet,
    items: Sequence[Any],
    heights: Sequence[float],
    letters: float,
    share: float = 1,
) -> Iterator[DisplaySheet]:
    """Yield *base* once for each sheet that the items take, with the columns of that sheet.

    *heights* are those of the items in lines, *letters* is the width of the widest item in letters,
    and *share* the part of the screen's width to use.
    """
    for sheet in lay_out_sheets(items, heights, letters, share=share):
        yield replace(base, columns=sheet.columns, size=sheet.size)


def _welcome(people: Mapping[int, str]) -> list[DisplaySheet]:
    """Return sheets with the names of those who are here, beside the QR code to join."""
    names = [*short_names(people).values()]
    letters = max(map(len, names), default=0) + 1
    base = DisplaySheet(face=DisplayFace.WELCOME, total=len(names))
    return [*_spread_over_sheets(base, names, [1] * len(names), letters, share=_BESIDE_CLOCK)]


def _seat_sheets(
    base: DisplaySheet,
    people: Sequence[tuple[str, int | None]],
    tables: Sequence[tuple[TableNow | DrawnTable, tuple[str, ...]]],
    letters_of_tables: Sequence[int],
) -> Iterator[DisplaySheet]:
    """Yield the seats by name if there are many people, then by table unless there are many tables.

    *people* are names with table numbers (``None``: sits out). *tables* have the names of their
    sides, and *letters_of_tables* is the width of each table's line with the dealer or the match.
    """
    if len(people) >= LEAST_LISTED_BY_NAME:
        letters = max(len(name) for name, _table in people) + _NAME_MARGIN
        by_name = replace(base, face=DisplayFace.NAMES)
        yield from _spread_over_sheets(by_name, people, [1] * len(people), letters)
    if len(tables) > MOST_LISTED_BY_TABLE:
        return
    # A heading, a line for each side, and a line with the dealer if the round is open.
    heights = [_HEADING_ROW + len(sides) + (base.coming is None) for _table, sides in tables]
    letters = max((len(side) for _table, sides in tables for side in sides), default=1)
    letters = max([letters, *(max(_HEADING, width) for width in letters_of_tables)])
    yield from _spread_over_sheets(replace(base, face=DisplayFace.SEATS), tables, heights, letters)


def _table_sheets(
    base: DisplaySheet, round_: Round, tables: Sequence[TableNow]
) -> Iterator[DisplaySheet]:
    """Yield the tables that still play, beside the clock."""
    playing = [table for table in tables if not table.done]
    unit = gettext(round_.tournament.rules.unit.one)
    base = replace(
        base,
        playing=len(playing),
        roomy=len(playing) <= MOST_WITH_DETAILS,
        crowded=len(playing) > _MOST_IN_ONE_COLUMN,
        total=len(tables),
        last_words=gettext("Finish this %(unit)s; don’t deal another.") % {"unit": unit},
    )
    rows = [_table_row(table, details=base.roomy) for table in playing]
    # The width of the first line: "Table 12: NAME deals", or "12: NAME deals" with little room.
    longest_name = max((len(table.dealer or "") for table in playing), default=0)
    letters = longest_name + len("12:  deals " if base.crowded else "Table 12:  deals ")
    height = _ROW
    if base.roomy:
        # The details are below that line, in smaller letters; two letters are spare.
        two_lines = len(playing) <= _MOST_ON_TWO_LINES
        height = _ROW_AND_TWO_LINES if two_lines else _ROW_AND_DETAILS
        widths = [(len(hand), len(next_dealer)) for _table, hand, next_dealer in rows]
        longest = max((max(pair) if two_lines else sum(pair) for pair in widths), default=0)
        letters = max(letters, int(longest * _DETAILS_SIZE) + 2)
    else:
        letters += max(len(count) for _table, count, _nothing in rows)  # it follows on that line
    beside_clock = _BESIDE_SMALL_CLOCK if base.crowded else _BESIDE_CLOCK
    share = beside_clock if base.clock else 1
    yield from _spread_over_sheets(base, rows, [height] * len(rows), letters, share=share)


def _table_row(table: TableNow, *, details: bool) -> tuple[TableNow, str, str]:
    """Return a table with coming hand and next dealer, or with the hands played ("5/8") and ""."""
    if not details:
        done, planned = table.progress.done, table.progress.of
        return table, f"{done}" if planned is None else f"{done}/{planned}", ""
    # Of a level match: the score, and that one more hand decides.
    hand = table.match_text if table.progress.one_more else table.hand_called
    return table, hand, table.forecast.in_short


def _standing_sheets(base: DisplaySheet, standing: Standing) -> Iterator[DisplaySheet]:
    """Yield the whole standing, once there is a result."""
    if not standing.begun or base.round is None:
        return
    names = page_names(standing.people)
    rows = [(*standing.line(row, row.called(names)), row.place == 1) for row in standing.rows]
    widths = [len(name) + len(points) for _place, name, points, *_more in rows]
    letters = _PLACE + max(widths, default=1) + _NAME_MARGIN
    base = replace(base, face=DisplayFace.STANDING, criterion=gettext(standing.criteria[0].label))
    yield from _spread_over_sheets(base, rows, [_ROW] * len(rows), letters)
