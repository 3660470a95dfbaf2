"""Taking in the players of a whole list: looked at first, all or nothing, safe to repeat."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.db import transaction

from games.errors import RuleError, gettext_noop
from tracker.common.actor import Actor
from tracker.common.audit_log import log
from tracker.common.errors import Refused
from tracker.common.names import CLUB_NAME, FULL_NAME, PLAYER_NAME, clean_name
from tracker.common.workbooks import is_workbook, text_of_workbook
from tracker.models import Player, name_key
from tracker.people.logic.listing import Line, Listing, read_listing
from tracker.people.services.players import find_or_make

MOST_LINES = 1000
MOST_BYTES = 2_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """What one line of a list comes to."""

    line: Line
    known: bool = False  # the club has this player already
    refused: RuleError | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What a list comes to, before anything is kept."""

    lines: tuple[Planned, ...]
    unknown: tuple[str, ...]  # columns that are passed over

    @property
    def new(self) -> tuple[Line, ...]:
        return tuple(one.line for one in self.lines if not (one.known or one.refused))

    @property
    def refused(self) -> tuple[Planned, ...]:
        return tuple(one for one in self.lines if one.refused)


def text_of(content: bytes) -> str:
    """Return the list that a CSV or XLSX file holds.

    :raises Refused: if it is neither, or too large.
    """
    if len(content) > MOST_BYTES:
        raise _unreadable()
    if not is_workbook(content):
        return _decoded(content)
    try:
        return text_of_workbook(content, most=MOST_LINES + 2)
    except ValueError as error:
        raise _unreadable() from error


def plan_import(*, club_id: int, text: str) -> Plan:
    """Return what every line of a list comes to; nothing is kept.

    :raises Refused: if there is no column of names, or no line, or there are too many.
    """
    listing = read_listing(text)
    _check(listing)
    present = Player.objects.present().filter(club=club_id)
    there = set(present.values_list("name_key", flat=True))
    first: dict[str, int] = {}
    return Plan(
        lines=tuple(_planned(line, there, first) for line in listing.lines),
        unknown=listing.unknown,
    )


@transaction.atomic
def import_players(*, club_id: int, text: str, by: Actor) -> list[Player]:
    """Take in everybody on a list who is new, and return them; all of them or nobody.

    :raises Refused: on the terms of ``plan_import``, or ``lines-refused`` if a line cannot
        be kept.
    """
    plan = plan_import(club_id=club_id, text=text)
    if plan.refused:
        raise Refused(
            "lines-refused",
            gettext_noop("Line %(line)d cannot be kept, so nobody was taken in yet."),
            question="text",
            line=plan.refused[0].line.number,
        )
    # In the order of their keys, so that two lists at once wait for each other only one way.
    made = [
        find_or_make(
            club_id,
            line.shown,
            full_name=line.full_name,
            home=line.home,
            in_season=bool(line.in_season),
        )
        for line in sorted(plan.new, key=lambda line: name_key(line.shown))
    ]
    players = [player for player, new in made if new]
    if players:
        keys = sorted(player.pk for player in players)
        log(by, "players-imported", club_id=club_id, players=keys)
    return players


def _planned(line: Line, there: set[str], first: dict[str, int]) -> Planned:
    key = name_key(line.shown)
    try:
        _check_line(line)
        _check_once(line, first.setdefault(key, line.number))
    except Refused as refused:
        return Planned(line=line, refused=refused)
    return Planned(line=line, known=key in there)


def _check_once(line: Line, first: int) -> None:
    if first != line.number:
        raise Refused(
            "line-twice",
            gettext_noop(
                "%(name)s stands on line %(line)d already."
                " Two people need two names: give one of them a nickname."
            ),
            name=line.shown,
            line=first,
        )


def _check_line(line: Line) -> None:
    clean_name(line.shown, most=PLAYER_NAME)
    if line.full_name:
        clean_name(line.full_name, most=FULL_NAME)
    if line.home:
        clean_name(line.home, most=CLUB_NAME)
    if line.in_season is None:
        raise Refused(
            "line-season",
            gettext_noop("“%(said)s” is neither yes nor no."),
            said=line.season[:20],
        )


def _check(listing: Listing) -> None:
    if not listing.has_name:
        raise Refused(
            "list-nameless",
            gettext_noop("The first line names the columns, and one of them must be “Name”."),
            question="text",
        )
    if not listing.lines:
        raise Refused(
            "list-empty", gettext_noop("There is nobody on this list yet."), question="text"
        )
    if len(listing.lines) > MOST_LINES:
        raise Refused(
            "list-long",
            gettext_noop("%(count)d lines are a lot: please take in %(most)d at most at once."),
            question="text",
            count=len(listing.lines),
            most=MOST_LINES,
        )


def _decoded(content: bytes) -> str:
    for encoding in _encodings(content):
        try:
            return content.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise _unreadable()


def _encodings(content: bytes) -> Iterator[str]:
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        yield "utf-16"
    yield "utf-8-sig"
    yield "cp1252"  # what a spreadsheet writes on an old Windows


def _unreadable() -> Refused:
    return Refused(
        "list-unreadable",
        gettext_noop("This file cannot be read. Save the list as CSV or XLSX, up to 2 megabytes."),
        question="file",
    )
