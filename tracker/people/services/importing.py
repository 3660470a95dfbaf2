"""A list of players taken in: looked at first, all or nothing, safe to repeat."""

from dataclasses import dataclass

from django.db import transaction

from games.errors import RuleError, gettext_noop
from tracker.common.actor import Actor
from tracker.common.audit_log import log
from tracker.common.errors import Refused
from tracker.common.names import clean_name
from tracker.models import Player, name_key
from tracker.people.logic import PlayerLine, read_listing
from tracker.people.services.players import find_or_make

MOST_LINES = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """The outcome of one line of a list."""

    line: PlayerLine
    known: bool = False  # the club has this player already
    refused: RuleError | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportPlan:
    """The outcome of a list, before anything is stored."""

    lines: tuple[Planned, ...]
    unknown: tuple[str, ...]  # columns that are passed over

    @property
    def new(self) -> tuple[PlayerLine, ...]:
        return tuple(each.line for each in self.lines if not (each.known or each.refused))

    @property
    def refused(self) -> tuple[Planned, ...]:
        return tuple(each for each in self.lines if each.refused)


def plan_import(*, club_id: int, text: str) -> ImportPlan:
    """Return the outcome of every line of a list, without storing anything.

    :raises Refused: if there is no column of names, or no line, or there are too many.
    """
    listing = read_listing(text)
    if not listing.has_name:
        raise Refused(
            "list-nameless",
            gettext_noop("The first line names the columns, and one of them must be “Name”."),
            question="text",
        )
    if not listing.lines:
        raise Refused("list-empty", gettext_noop("Nobody is on this list yet."), question="text")
    if len(listing.lines) > MOST_LINES:
        raise Refused(
            "list-long",
            gettext_noop("%(count)d lines are a lot: please add %(most)d at most at once."),
            question="text",
            count=len(listing.lines),
            most=MOST_LINES,
        )
    present = Player.objects.present().filter(club=club_id)
    there = set(present.values_list("name_key", flat=True))
    first: dict[str, int] = {}
    lines = []
    for line in listing.lines:
        key = name_key(line.shown)
        try:
            _check_line(line, first.setdefault(key, line.number))
        except Refused as refused:
            lines.append(Planned(line=line, refused=refused))
        else:
            lines.append(Planned(line=line, known=key in there))
    return ImportPlan(lines=tuple(lines), unknown=listing.unknown)


@transaction.atomic
def import_players(*, club_id: int, text: str, by: Actor) -> list[Player]:
    """Add all new players of a list and return them; a refused line refuses the whole list.

    :raises Refused: on the terms of ``plan_import``, or ``lines-refused`` if a line cannot
        be kept.
    """
    plan = plan_import(club_id=club_id, text=text)
    if plan.refused:
        raise Refused(
            "lines-refused",
            gettext_noop("Line %(line)d cannot be saved, so nobody was added yet."),
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


def _check_line(line: PlayerLine, first: int) -> None:
    """Check that a line can be stored; *first* is the number of the first line with this name."""
    clean_name(line.shown, most=Player.name.field.max_length)
    if line.full_name:
        clean_name(line.full_name, most=Player.full_name.field.max_length)
    if line.home:
        clean_name(line.home, most=Player.visitor_from.field.max_length)
    if line.in_season is None:
        raise Refused(
            "line-season",
            gettext_noop("Write yes or no, not “%(said)s”."),
            said=line.season[:20],
        )
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
