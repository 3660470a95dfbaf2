"""Display for the hall's screen: of a tournament, and of a night.

Before a round it shows who sits where, by name and by table; during it the clock, the dealers of
the tables that still play, and the standing; after it the standing, the race of the points, and the
seats of the next round once they are published; at the end the prizes.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Any

from django.db.models import BooleanField, Exists, ExpressionWrapper, OuterRef
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path, reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.http import urlencode
from django.utils.translation import gettext
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from tracker.common.figures import figure
from tracker.common.names import page_names, short_names
from tracker.common.web import access
from tracker.common.web.addresses import address_to_type, full_address, qr_response
from tracker.common.web.polling import ONE_MINUTE, conditional_page
from tracker.common.web.requests import number_in
from tracker.models import (
    Attendance,
    ClubNight,
    Entrant,
    Role,
    Round,
    RoundState,
    Tournament,
    name_key,
)
from tracker.nights.display_layout import RaceLine, lay_out_sheets, race_lines
from tracker.nights.pages.nights import night_for
from tracker.nights.queries.desk import resting_of, rounds_shown, tables_now
from tracker.nights.queries.nights import tournaments_of
from tracker.seating.queries.drawn_round import DrawnTable, published_round
from tracker.standings.queries.points_by_round import race
from tracker.standings.queries.prizes import prize_rows, resolution_lines
from tracker.standings.queries.standings import Standing, standings
from tracker.tables import revisions
from tracker.tables.clocks import ClockReading, read_round_clock
from tracker.tables.table_now import TableNow
from tracker.tournaments.queries import continues_elsewhere

BY_NAME = 17  # from this number of people on, seats are also listed by name
MANY = 20  # with more tables, seats are listed by name only
A_COLUMN = 12  # tables in one column
FEW = 6  # up to this number of tables there is room for the next dealer
VERY_FEW = 4  # ... on a line of its own
RUNNERS_SHOWN = 7  # in the race
_BESIDE_CLOCK, _BESIDE_SMALL_CLOCK = 0.62, 0.7  # shares of the screen's width
_NAME_MARGIN = 4  # letters between a name and the text beside it


class DisplayFace(StrEnum):
    """What a sheet of the display shows; the face decides on its template."""

    WELCOME = "welcome"  # before the first draw: how to join, and who is here
    NAMES = "names"  # who sits at which table, by name
    SEATS = "seats"  # who sits where, by table
    TABLES = "tables"  # the clock, and the dealers at tables that still play
    STANDING = "standing"
    RACE = "race"
    PRIZES = "prizes"
    HIDDEN = "hidden"
    BREAK = "break"


# How long a face stays on the screen.
_SECONDS = {DisplayFace.NAMES: 15, DisplayFace.TABLES: 20, DisplayFace.RACE: 15}
_USUAL_SECONDS = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class DisplaySheet:
    """A sheet of the display; several sheets take turns."""

    face: DisplayFace
    round: Round | None = None
    clock: ClockReading | None = None
    coming: int | None = None  # the number of a round that is drawn and not open yet
    columns: tuple[tuple[Any, ...], ...] = ()  # of names, tables or rows, as the face has them
    size: int = 0  # index of the letter size, 0 for the largest
    resting: tuple[str, ...] = ()
    still: int = 0  # number of tables that still play
    few: bool = False  # so few tables that each has room for details
    many: bool = False  # so many tables that each has little room
    of: int = 0  # number of all tables of the round, or of people who are here
    last_words: str = ""  # shown at the bell
    ranked: bool = False  # there is a standing to show or to hide
    criterion: str = ""
    lines: tuple[RaceLine, ...] = ()
    notes: tuple[str, ...] = ()
    until: datetime | None = None  # of a break
    sheet: int = 1
    sheets: int = 1
    tournament: Tournament | None = None  # the one shown on the display of a night
    next_turn: int = 1

    @property
    def dots(self) -> str:
        """Return a dot for each sheet, that of this one filled."""
        return "".join("●" if self.sheet == each + 1 else "○" for each in range(self.sheets))

    @property
    def next_sheet(self) -> int:
        return self.sheet % self.sheets + 1

    @property
    def seconds(self) -> int:
        return _SECONDS.get(self.face, _USUAL_SECONDS)

    @property
    def of_round(self) -> bool:
        """Return whether the sheet is about a round that is being played."""
        return bool(self.round and self.round.closed_at is None and self.coming is None)


@access.page
@require_safe
@conditional_page(revisions.of_tournament, every=ONE_MINUTE)
def tournament_display(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """Show a sheet of a tournament's display; ``?hide=1`` hides the standing until the end."""
    tournament = access.tournament(request, tournament_id)
    number, hide = _number_in(request, "sheet"), _is_hidden(request)
    sheet = display(tournament, sheet=number, hide=hide, now=timezone.now())
    following = {"sheet": sheet.next_sheet}
    return _render(request, tournament.name, sheet, following, tournament=tournament)


@access.page
@require_safe
@conditional_page(revisions.of_night, every=ONE_MINUTE)
def night_display_page(request: HttpRequest, night_id: int) -> HttpResponse:
    """Show a sheet of a night's display, whose tournaments take turns."""
    night = night_for(request, night_id)
    sheet = night_display(
        night,
        turn=_number_in(request, "turn"),
        sheet=_number_in(request, "sheet"),
        hide=_is_hidden(request),
        now=timezone.now(),
    )
    day = date_format(timezone.localtime(night.starts_at), "MONTH_DAY_FORMAT")
    following = {"turn": sheet.next_turn, "sheet": sheet.next_sheet}
    return _render(request, day, sheet, following, tournament=sheet.tournament, night=night)


def _render(
    request: HttpRequest,
    title: str,
    sheet: DisplaySheet,
    following: Mapping[str, int],
    *,
    tournament: Tournament | None,
    night: ClubNight | None = None,
) -> HttpResponse:
    """Render a sheet; *following* are the query parameters of the next one."""
    about = night or tournament
    assert about is not None  # noqa: S101 - one of them is always given
    club, hidden = about.club, _is_hidden(request)
    query = urlencode({**following, **({"hide": 1} if hidden else {})})
    door = night.door_token if night and access.may(request, club, Role.ORGANISER) else None
    join = reverse("door", args=[door]) if door else reverse("my-table", args=[club.pk])
    context = {
        "club": club,
        "called": title,
        "back": about.get_absolute_url(),
        "tournament": tournament,
        "display": sheet,
        "hidden": hidden,
        "next_address": f"{request.path}?{query}",
        "address": address_to_type(request, join),
        "at_door": door,
        "join_code": f"{join}qr.svg" if door else reverse("my-table-qr", args=[club.pk]),
    }
    return render(request, "nights/display.html", context)


@access.page
@require_safe
@cache_control(private=True, max_age=3600)
def my_table_qr(request: HttpRequest, club_id: int) -> HttpResponse:
    """Draw the QR code of the page on which people find their table."""
    club = access.club(request, club_id)
    return qr_response(full_address(request, reverse("my-table", args=[club.pk])))


def _is_hidden(request: HttpRequest) -> bool:
    return bool(request.GET.get("hide"))


def _number_in(request: HttpRequest, name: str) -> int:
    """Return a number in the query string, 1 if it has none."""
    return number_in(request.GET.get(name, "")) or 1


def night_display(
    night: ClubNight, *, turn: int, sheet: int, hide: bool, now: datetime
) -> DisplaySheet:
    """Return the sheet that a night's display shows, in one query more than a tournament's.

    The tournaments that are played take turns; once none is, all of the night do.
    """
    if night.break_until is not None:
        return DisplaySheet(face=DisplayFace.BREAK, until=night.break_until, ranked=True)
    open_rounds = Round.objects.filter(tournament=OuterRef("pk"), state=RoundState.OPEN)
    known = tournaments_of(night).annotate(
        plays=Exists(open_rounds), went_on=ExpressionWrapper(continues_elsewhere(), BooleanField())
    )
    left = [each for each in known if not getattr(each, "went_on", False)] or [*known]
    playing = [
        each
        for each in left
        if getattr(each, "plays", False) or not (each.official_at or each.provisional_until)
    ]
    tournaments = playing or left
    if not tournaments:
        here = Attendance.objects.here(night).people()
        return _pick_sheet(_welcome(dict(here.values_list("pk", "name"))), sheet)
    turn = turn if 1 <= turn <= len(tournaments) else 1
    tournament = tournaments[turn - 1]
    shown = display(tournament, sheet=sheet, hide=hide, now=now)
    next_turn = turn % len(tournaments) + 1 if shown.sheet == shown.sheets else turn
    return replace(shown, tournament=tournament, next_turn=next_turn)


def display(tournament: Tournament, *, sheet: int, hide: bool, now: datetime) -> DisplaySheet:
    """Return the sheet that a tournament's display shows, in a fixed number of queries.

    With *hide* no standing is shown until it is provisional or official.
    """
    round_ = tournament.rounds.exclude(state=RoundState.UNDONE).order_by("-number").first()
    if round_ is not None and round_.state == RoundState.OPEN:
        return _pick_sheet(list(_during_round(round_, hide=hide, now=now)), sheet)
    shown = list(_between_rounds(tournament, round_, hide=hide))
    if not shown and round_ is None:
        entered = Entrant.objects.filter(tournament=tournament, reserve_since=None)
        shown = _welcome(entered.names())
    return _pick_sheet(shown or [DisplaySheet(face=DisplayFace.HIDDEN, round=round_)], sheet)


def _during_round(round_: Round, *, hide: bool, now: datetime) -> Iterator[DisplaySheet]:
    """Yield the seats until the first result is in, then the tables and the standing."""
    rounds = rounds_shown(round_)
    tables, resting, _names = tables_now(rounds, resting_of(rounds))
    clock = read_round_clock(round_, now=now)
    begun = any(table.begun for table in tables)
    ranked = begun or round_.number > 1
    base = DisplaySheet(face=DisplayFace.TABLES, round=round_, clock=clock, ranked=ranked)
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
    yield from _tables(base, round_, tables)
    last_hands = clock is not None and clock.has_rung and not clock.rang_long_ago
    still = any(not table.done for table in tables)
    if not hide and not (still and last_hands):
        yield from _standing(base, standings(round_.tournament))


def _between_rounds(
    tournament: Tournament, last: Round | None, *, hide: bool
) -> Iterator[DisplaySheet]:
    """Yield the seats of the coming round, the standing with its race, the prizes at the end."""
    settled = tournament.official_at or tournament.provisional_until
    standing = None if last is None or (hide and not settled) else standings(tournament)
    ranked = standing is not None and standing.begun
    base = DisplaySheet(face=DisplayFace.SEATS, round=last, ranked=ranked)
    if tournament.official_at is None:
        coming = published_round(tournament, last.number + 1 if last else 1)
        if coming:
            drawn = replace(base, coming=coming.number, resting=tuple(map(str, coming.resting)))
            tables = [(table, table.side_names) for table in coming.tables]
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
    if len(run.rounds) > 1:
        runners = [
            (f"{figure(each.points[-1], percent=run.criterion.percent)} {each.name}", each.points)
            for each in run.runners[:RUNNERS_SHOWN]
        ]
        label = gettext(run.criterion.label)
        yield replace(base, face=DisplayFace.RACE, lines=race_lines(runners), criterion=label)


def _pick_sheet(shown: list[DisplaySheet], sheet: int) -> DisplaySheet:
    """Return the sheet of this number, or the first if there are fewer."""
    sheet = sheet if 1 <= sheet <= len(shown) else 1
    return replace(shown[sheet - 1], sheet=sheet, sheets=len(shown))


def _sheets(
    base: DisplaySheet,
    items: Sequence[Any],
    heights: Sequence[float],
    letters: float,
    share: float = 1,
) -> Iterator[DisplaySheet]:
    """Yield *base* with the columns of each sheet that the items take."""
    for sheet in lay_out_sheets(items, heights, letters, share=share):
        yield replace(base, columns=sheet.columns, size=sheet.size)


def _welcome(people: Mapping[int, str]) -> list[DisplaySheet]:
    """Return sheets with the names of those who are here, beside the code to join."""
    names = [*short_names(people).values()]
    letters = max(map(len, names), default=0) + 1
    base = DisplaySheet(face=DisplayFace.WELCOME, of=len(names))
    return [*_sheets(base, names, [1] * len(names), letters, share=_BESIDE_CLOCK)]


def _seats(
    base: DisplaySheet,
    people: Sequence[tuple[str, int | None]],
    tables: Sequence[tuple[TableNow | DrawnTable, tuple[str, ...]]],
    lines: Sequence[int],
) -> Iterator[DisplaySheet]:
    """Yield the seats by name if there are many people, then by table.

    *people* are names with table numbers (``None``: sits out), *tables* come with their sides, and
    *lines* are the lengths of the other line of each table, its dealer or match.
    """
    if len(people) >= BY_NAME:
        letters = max(len(name) for name, _table in people) + _NAME_MARGIN
        by_name = replace(base, face=DisplayFace.NAMES)
        yield from _sheets(by_name, people, [1] * len(people), letters)
    if len(tables) > MANY:
        return
    heights = [1.8 + len(sides) + (base.coming is None) for _table, sides in tables]
    letters = max((len(side) for _table, sides in tables for side in sides), default=1)
    letters = max(letters, 9 * bool(tables), *lines)
    yield from _sheets(replace(base, face=DisplayFace.SEATS), tables, heights, letters)


def _tables(
    base: DisplaySheet, round_: Round, tables: Sequence[TableNow]
) -> Iterator[DisplaySheet]:
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
    widest = max((len(table.dealer or "") for table in still), default=0)
    widest += 11 if base.many else 17
    if few:  # there is room to say in words how far each table is
        lines = [
            (
                table,
                table.match_text if table.progress.one_more else table.hand_called,
                table.forecast.in_short,
            )
            for table in still
        ]
        below = [(len(hand), len(coming)) for _table, hand, coming in lines]
        longest = max(map(max if len(lines) <= VERY_FEW else sum, below), default=0)
        widest = max(widest, int(longest * 0.7) + 2)
    else:
        played = [(table, table.progress.done, table.progress.of) for table in still]
        lines = [(at, f"{done}" if of is None else f"{done}/{of}", "") for at, done, of in played]
        widest += max(len(hand) for _table, hand, _coming in lines)
    beside = _BESIDE_SMALL_CLOCK if base.many else _BESIDE_CLOCK
    share = beside if base.clock else 1
    high = 2.4 if len(lines) <= VERY_FEW else 2.1 if few else 1.1
    yield from _sheets(base, lines, [high] * len(lines), widest, share=share)


def _standing(base: DisplaySheet, ranked: Standing) -> Iterator[DisplaySheet]:
    """Yield the whole standing, once there is a result."""
    if not ranked.begun or base.round is None:
        return
    names = page_names(ranked.people)
    rows = [(*ranked.line(row, row.called(names)), row.place == 1) for row in ranked.rows]
    letters = max((len(row[1]) + len(row[2]) for row in rows), default=1) + _NAME_MARGIN + 3
    base = replace(base, face=DisplayFace.STANDING, criterion=gettext(ranked.criteria[0].label))
    yield from _sheets(base, rows, [1.1] * len(rows), letters)


def _prizes(base: DisplaySheet, tournament: Tournament, ranked: Standing) -> Iterator[DisplaySheet]:
    """Yield the winners with their full names, and how ties for a prize were settled."""
    winners = [(*ranked.line(row), row.place == 1) for row in prize_rows(ranked)]
    if winners:
        [sheet, *_more] = lay_out_sheets(winners, [1.6] * len(winners), 28)
        yield replace(
            base,
            face=DisplayFace.PRIZES,
            columns=(tuple(winners),),
            size=sheet.size,
            notes=tuple(resolution_lines(tournament, ranked.rows)),
            criterion=gettext(ranked.criteria[0].label),
        )


urlpatterns = [
    path("clubs/<int:club_id>/my-table.svg", my_table_qr, name="my-table-qr"),
    path("nights/<int:night_id>/display/", night_display_page, name="night-display"),
    path("tournaments/<int:tournament_id>/display/", tournament_display, name="tournament-display"),
]
