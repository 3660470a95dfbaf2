"""Import of a list of players: read the lines, check each, add all new players or none."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.db import transaction

from games.errors import gettext_noop
from tracker.common.actor import Actor
from tracker.common.audit_log import log
from tracker.common.errors import Refused
from tracker.common.names import clean_name, tidy
from tracker.common.uploads import lines_of
from tracker.models import Player, name_key
from tracker.people.services.players import find_or_make

MOST_LINES = 1000
# What the heading of a column may be, in small letters.
HEADINGS: Mapping[str, frozenset[str]] = {
    "name": frozenset({"name", "player", "full name"}),
    "nickname": frozenset({"nickname", "called"}),
    "home": frozenset({"home club", "home", "visits us from", "visitor from", "club"}),
    "season": frozenset({"season", "counts for the season", "in season"}),
}
YES = frozenset({"yes", "y", "1", "true", "x", "✓"})
NO = frozenset({"no", "n", "0", "false", ""})


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerLine:
    """A player on one line of an imported list; ``number`` counts lines from 1."""

    number: int
    name: str
    nickname: str = ""
    home: str = ""
    season: str = ""
    in_club: bool = False
    refused: Refused | None = None

    @property
    def shown(self) -> str:
        """Return the name that pages show: the nickname if there is one."""
        return self.nickname or self.name

    @property
    def full_name(self) -> str:
        return self.name if self.nickname else ""

    @property
    def in_season(self) -> bool | None:
        """Return whether the player counts for the season; ``None`` if that cannot be read."""
        answer = self.season.casefold()
        if answer in YES:
            return True
        if answer in NO:
            # A visitor counts for the night alone, unless the list says otherwise.
            return False if answer else not self.home
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportPlan:
    lines: tuple[PlayerLine, ...]
    unknown: tuple[str, ...]  # headings of columns that are ignored

    @property
    def new(self) -> tuple[PlayerLine, ...]:
        return tuple(line for line in self.lines if not (line.in_club or line.refused))

    @property
    def refused(self) -> tuple[PlayerLine, ...]:
        return tuple(line for line in self.lines if line.refused)


def read_lines(text: str) -> ImportPlan:
    r"""Read a list whose first line names its columns, with commas, semicolons or tabs between.

    >>> [line.name for line in read_lines("Name;Home club\nAsha;\n\nJuma;Ilala").lines]
    ['Asha', 'Juma']

    :raises Refused: if there is no column of names.
    """
    (_, first), *rows = list(lines_of(text)) or [(1, [])]
    headings = [tidy(cell).casefold() for cell in first]
    columns = [
        next((column for column, known in HEADINGS.items() if heading in known), None)
        for heading in headings
    ]
    if "name" not in columns:
        template = gettext_noop("The first line names the columns, and one of them must be “Name”.")
        raise Refused("list-nameless", template, question="text")
    lines = []
    for number, row in rows:
        cells: dict[str, Any] = {
            column: tidy(cell) for column, cell in zip(columns, row, strict=False) if column
        }
        lines.append(PlayerLine(number=number, **{"name": "", **cells}))
    ignored = [
        heading for heading, column in zip(headings, columns, strict=True) if heading and not column
    ]
    return ImportPlan(lines=tuple(lines), unknown=tuple(ignored))


def plan_import(*, club_id: int, text: str) -> ImportPlan:
    """Check every line of a list, without storing anything."""
    plan = read_lines(text)
    if not plan.lines:
        raise Refused("list-empty", gettext_noop("Nobody is on this list yet."), question="text")
    if len(plan.lines) > MOST_LINES:
        template = gettext_noop("%(count)d lines are a lot: please add %(most)d at most at once.")
        raise Refused(
            "list-long", template, question="text", count=len(plan.lines), most=MOST_LINES
        )
    present = Player.objects.present().filter(club=club_id)
    known = set(present.values_list("name_key", flat=True))
    first: dict[str, int] = {}
    lines = []
    for line in plan.lines:
        key = name_key(line.shown)
        try:
            _check_line(line, first.setdefault(key, line.number))
        except Refused as refused:
            lines.append(replace(line, refused=refused))
        else:
            lines.append(replace(line, in_club=key in known))
    return replace(plan, lines=tuple(lines))


@transaction.atomic
def import_players(*, club_id: int, text: str, by: Actor) -> list[Player]:
    """Add all new players of a list and return them; a refused line refuses the whole list."""
    plan = plan_import(club_id=club_id, text=text)
    if plan.refused:
        template = gettext_noop("Line %(line)d cannot be saved, so nobody was added yet.")
        raise Refused("lines-refused", template, question="text", line=plan.refused[0].number)
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
            "line-season", gettext_noop("Write yes or no, not “%(said)s”."), said=line.season[:20]
        )
    if first != line.number:
        template = gettext_noop(
            "%(name)s stands on line %(line)d already."
            " Two people need two names: give one of them a nickname."
        )
        raise Refused("line-twice", template, name=line.shown, line=first)
