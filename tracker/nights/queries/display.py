"""What the hall's display shows now, one face after the other, all night.

Before a round it is who sits where, by name and by table; during it the clock, who deals at which
table and who still plays, and in turns the standing; after it the standing, the race, and the seats
of the coming round once everybody may see them; at the end the prizes. At the bell it says nothing
else than that. Letters fill the screen.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Any

from django.db.models import BooleanField, Exists, ExpressionWrapper, OuterRef
from django.utils.translation import gettext

from tracker.common.figures import figure
from tracker.common.names import short_names
from tracker.models import Attendance, ClubNight, Entrant, Round, RoundState, Tournament, name_key
from tracker.nights.logic.race_lines import RaceLine, race_lines
from tracker.nights.logic.screens import sheets
from tracker.nights.queries.desk import resting_of, rounds_shown, tables_now
from tracker.nights.queries.nights import tournaments_of
from tracker.seating.queries.drawn_round import DrawnTable, published_round
from tracker.standings.logic.called import page_names
from tracker.standings.queries.race import race
from tracker.standings.queries.results import prize_rows, resolution_lines
from tracker.standings.queries.standings import Standing, standings
from tracker.tables.clock_face import ClockReading, clock_reading
from tracker.tables.table import TableNow
from tracker.tournaments.queries.tournaments import gone_on

BY_NAME = 17  # people, from whom on names are listed: a table by itself is quicker to find
MANY = 20  # tables, too many to show one after the other until everybody has seen theirs
A_COLUMN = 12  # tables that stand one below the other
FEW = 6  # tables of which there is room to say who deals next
VERY_FEW = 4  # tables of which there is room to say it on a line of its own
NAMED = 7  # runners of a race
_BESIDE_CLOCK, _BESIDE_SMALL_CLOCK = 0.62, 0.7  # of the screen's width
_ROOM = 4  # letters' widths between a name and what stands beside it


class DisplayFace(StrEnum):
    WELCOME = "welcome"  # before anything is drawn: how to join, and who is here
    NAMES = "names"  # who sits at which table, by name
    SEATS = "seats"  # who sits where, by table
    TABLES = "tables"  # the clock, who deals where, who still plays
    STANDING = "standing"
    RACE = "race"
    PRIZES = "prizes"
    HIDDEN = "hidden"
    BREAK = "break"


# How long each face stays on the screen.
_SECONDS = {DisplayFace.NAMES: 15, DisplayFace.TABLES: 20, DisplayFace.RACE: 15}
_USUAL_SECONDS = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Display:
    """One face of what there is to show; where there are several, they take turns."""

    face: DisplayFace
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
    tournament: Tournament | None = None  # whose turn it is at a night
    next_turn: int = 1

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


def night_display(night: ClubNight, *, turn: int, sheet: int, hide: bool, now: datetime) -> Display:
    """Return what the display of a night shows, in one query more than that of a tournament.

    It follows whatever is on: tournaments take turns while they are played, or a round of them
    is to come; once nothing is, the last standings do.
    """
    if night.break_until is not None:
        return Display(face=DisplayFace.BREAK, until=night.break_until, ranked=True)
    tournaments = _on_now(night)
    if not tournaments:
        here = Attendance.objects.here(night).people()
        return _in_turn(_welcome(dict(here.values_list("pk", "name"))), sheet)
    turn = turn if 1 <= turn <= len(tournaments) else 1
    tournament = tournaments[turn - 1]
    shown = display(tournament, sheet=sheet, hide=hide, now=now)
    next_turn = turn % len(tournaments) + 1 if shown.sheet == shown.sheets else turn
    return replace(shown, tournament=tournament, next_turn=next_turn)


def display(tournament: Tournament, *, sheet: int, hide: bool, now: datetime) -> Display:
    """Return what the display shows now, in a fixed number of queries.

    With *hide* no standing is shown before it is put up as provisional, or official.
    """
    round_ = tournament.rounds.exclude(state=RoundState.UNDONE).order_by("-number").first()
    if round_ is not None and round_.state == RoundState.OPEN:
        return _in_turn(list(_during(round_, hide=hide, now=now)), sheet)
    shown = list(_between(tournament, round_, hide=hide))
    if not shown and round_ is None:
        entered = Entrant.objects.filter(tournament=tournament, reserve_since=None)
        shown = _welcome(entered.names())
    return _in_turn(shown or [Display(face=DisplayFace.HIDDEN, round=round_)], sheet)


def _on_now(night: ClubNight) -> Sequence[Tournament]:
    """Return the tournaments of a night that are on; once none is, all of them. In one query."""
    playing = Round.objects.filter(tournament=OuterRef("pk"), state=RoundState.OPEN)
    known = tournaments_of(night).annotate(
        plays=Exists(playing), went_on=ExpressionWrapper(gone_on(), BooleanField())
    )
    left = [each for each in known if not getattr(each, "went_on", False)] or [*known]
    on = [
        each
        for each in left
        if getattr(each, "plays", False) or not (each.official_at or each.provisional_until)
    ]
    return on or left


def _during(round_: Round, *, hide: bool, now: datetime) -> Iterator[Display]:
    """Yield the seats until the first result is in, then the tables and in turns the standing."""
    rounds = rounds_shown(round_)
    tables, resting, _names = tables_now(rounds, resting_of(rounds))
    clock = clock_reading(round_, now=now)
    begun = any(table.begun for table in tables)
    ranked = begun or round_.number > 1
    base = Display(face=DisplayFace.TABLES, round=round_, clock=clock, ranked=ranked)
    if not begun:
        rest = tuple(name for name, _times in resting)
        people: list[tuple[str, int | None]] = [
            *((name, table.number) for table in tables for name in table.coming_names.seats),
            *((name, None) for name in rest),
        ]
        people.sort(key=lambda person: name_key(person[0]))
        at = [(table, table.coming_names.sides) for table in tables]
        dealers = [len(table.dealer or "") + 7 for table in tables]
        yield from _seats(replace(base, resting=rest), people, at, dealers)
        return
    yield from _playing(base, round_, tables)
    last_hands = clock is not None and clock.rang and not clock.long
    still = any(not table.done for table in tables)
    if not hide and not (still and last_hands):
        yield from _standing(base, standings(round_.tournament))


def _between(tournament: Tournament, last: Round | None, *, hide: bool) -> Iterator[Display]:
    """Yield the seats of the coming round, the standing with its race, the prizes at the end."""
    settled = tournament.official_at or tournament.provisional_until
    standing = None if last is None or (hide and not settled) else standings(tournament)
    ranked = standing is not None and standing.begun
    base = Display(face=DisplayFace.SEATS, round=last, ranked=ranked)
    if tournament.official_at is None:
        coming = published_round(tournament, last.number + 1 if last else 1)
        if coming:
            drawn = replace(base, coming=coming.number, resting=coming.resting)
            tables = [(table, table.sides) for table in coming.tables]
            matches = [len(table.match) + 9 for table in coming.tables]
            yield from _seats(drawn, coming.people, tables, matches)
    if standing is None:
        return
    if tournament.official_at is not None:
        yield from _prizes(base, tournament, standing)
    yield from _standing(base, standing)
    if standing.by_bracket:
        return
    run = race(tournament)
    if len(run.rounds) > 1:  # two make a race
        runners = [
            (f"{figure(each.points[-1], percent=run.criterion.percent)} {each.name}", each.points)
            for each in run.runners[:NAMED]
        ]
        label = gettext(run.criterion.label)
        yield replace(base, face=DisplayFace.RACE, lines=race_lines(runners), criterion=label)


def _in_turn(shown: list[Display], sheet: int) -> Display:
    """Return the one whose turn it is, the first if there are not so many."""
    sheet = sheet if 1 <= sheet <= len(shown) else 1
    return replace(shown[sheet - 1], sheet=sheet, sheets=len(shown))


def _welcome(people: Mapping[int, str]) -> list[Display]:
    """Return who is here already, beside how to join."""
    names = [*short_names(people).values()]
    letters = max(map(len, names), default=0) + 1
    laid = sheets(names, [1] * len(names), letters, share=_BESIDE_CLOCK)
    base = Display(face=DisplayFace.WELCOME, of=len(names))
    return [replace(base, columns=sheet.columns, size=sheet.size) for sheet in laid]


def _seats(
    base: Display,
    people: Sequence[tuple[str, int | None]],
    tables: Sequence[tuple[TableNow | DrawnTable, tuple[str, ...]]],
    lines: Sequence[int],
) -> Iterator[Display]:
    """Yield the seats by name where people are many, and then by table.

    *people* are names with their tables, ``None`` of those who sit out; *tables* come with their
    sides, and *lines* are the letters of what else is said of each.
    """
    if len(people) >= BY_NAME:
        letters = max(len(name) for name, _table in people) + _ROOM
        for sheet in sheets(people, [1] * len(people), letters):
            yield replace(base, face=DisplayFace.NAMES, columns=sheet.columns, size=sheet.size)
    if len(tables) > MANY:
        return
    heights = [1.8 + len(sides) + (base.coming is None) for _table, sides in tables]
    letters = max((len(side) for _table, sides in tables for side in sides), default=1)
    for laid in sheets(tables, heights, max(letters, 9 * bool(tables), *lines)):
        yield replace(base, face=DisplayFace.SEATS, columns=laid.columns, size=laid.size)


def _playing(base: Display, round_: Round, tables: Sequence[TableNow]) -> Iterator[Display]:
    """Yield the tables that still play, beside the clock."""
    still = [table for table in tables if not table.done]
    few = len(still) <= FEW or not still
    unit = gettext(round_.tournament.rules.unit.one)
    base = replace(
        base,
        still=len(still),
        few=few,
        many=len(still) > A_COLUMN,
        of=len(tables),
        last_words=gettext("Finish this %(unit)s; don’t deal another.") % {"unit": unit},
    )
    lines = [
        (table, _hand(table, few=few), table.forecast.in_short if few else "") for table in still
    ]
    widest = max((len(table.dealer or "") for table in still), default=0)
    widest += 11 if base.many else 17
    if few:
        below = [(len(hand), len(coming)) for _table, hand, coming in lines]
        longest = max(map(max if len(lines) <= VERY_FEW else sum, below), default=0)
        widest = max(widest, int(longest * 0.7) + 2)
    else:
        widest += max(len(hand) for _table, hand, _coming in lines)
    beside = _BESIDE_SMALL_CLOCK if base.many else _BESIDE_CLOCK
    share = beside if base.clock else 1
    high = 2.4 if len(lines) <= VERY_FEW else 2.1 if few else 1.1
    for sheet in sheets(lines, [high] * len(lines), widest, share=share):
        yield replace(base, columns=sheet.columns, size=sheet.size)


def _hand(table: TableNow, *, few: bool) -> str:
    """Return how far a table is, in words where *few* tables leave room for them."""
    progress = table.progress
    if few:
        return table.match_says if progress.one_more else table.hand_called
    return f"{progress.done}" if progress.of is None else f"{progress.done}/{progress.of}"


def _standing(base: Display, ranked: Standing) -> Iterator[Display]:
    """Yield the whole standing, once anybody has played."""
    if not ranked.begun or base.round is None:
        return
    names = page_names(ranked.people)
    rows = [(*ranked.line(row, row.called(names)), row.place == 1) for row in ranked.rows]
    letters = max((len(row[1]) + len(row[2]) for row in rows), default=1) + _ROOM + 3
    base = replace(base, face=DisplayFace.STANDING, criterion=gettext(ranked.criteria[0].label))
    for sheet in sheets(rows, [1.1] * len(rows), letters):
        yield replace(base, columns=sheet.columns, size=sheet.size)


def _prizes(base: Display, tournament: Tournament, ranked: Standing) -> Iterator[Display]:
    """Yield who won, with whole names, and how ties for a prize were settled."""
    winners = [(*ranked.line(row), row.place == 1) for row in prize_rows(ranked)]
    if winners:
        [sheet, *_more] = sheets(winners, [1.6] * len(winners), 28)
        yield replace(
            base,
            face=DisplayFace.PRIZES,
            columns=(tuple(winners),),
            size=sheet.size,
            notes=tuple(resolution_lines(tournament, ranked.rows)),
            criterion=gettext(ranked.criteria[0].label),
        )
