"""Import of a list of players: read the lines, check each, add all new players or none.

The first line names the columns; each other line is a player.
"""

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
from tracker.people.services.players import clean_optional_name, find_or_make

MOST_LINES = 1000
# The possible headings of each column, in small letters.
HEADINGS: Mapping[str, frozenset[str]] = {
    "name": frozenset({"name", "player", "full name"}),
    "nickname": frozenset({"nickname", "called"}),
    "home": frozenset({"home club", "home", "visits us from", "visitor from", "club"}),
    "season": frozenset({"season", "counts for the season", "in season"}),
}
YES = frozenset({"yes", "y", "1", "true", "x", "✓"})
NO = frozenset({"no", "n", "0", "false"})


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerLine:
    """A player on one line of an imported list, with the texts of its columns.

    ``number`` is that of the line, from 1, ``home`` the home club of a visitor, ``season`` a word
    for yes or no, or empty. ``in_club``: a player of the club has the name already. ``refused`` is
    why the line cannot be imported.
    """

    number: int
    name: str
    nickname: str = ""
    home: str = ""
    season: str = ""
    in_club: bool = False
    refused: Refused | None = None

    @property
    def shown(self) -> str:
        """Return the name that pages show: the nickname, or the name if there is none."""
        return self.nickname or self.name

    @property
    def full_name(self) -> str:
        """Return the name behind a nickname, empty if there is no nickname."""
        return self.name if self.nickname else ""

    @property
    def in_season(self) -> bool | None:
        """Return whether the player counts for the season; ``None`` if the word is unknown."""
        answer = self.season.casefold()
        if answer in YES:
            return True
        if not answer:  # a visitor counts for the night alone, unless the list says otherwise
            return not self.home
        return False if answer in NO else None


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportPlan:
    """What an import would do. ``unknown`` are the headings of columns that are ignored."""

    lines: tuple[PlayerLine, ...]
    unknown: tuple[str, ...]

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
    # Pairs of the number of a line and its cells; an empty list has one line without cells.
    (_, heading_cells), *rows = list(lines_of(text)) or [(1, [])]
    headings = [tidy(cell).casefold() for cell in heading_cells]
    column_of = {heading: column for column, possible in HEADINGS.items() for heading in possible}
    columns = [column_of.get(heading) for heading in headings]
    if "name" not in columns:
        template = gettext_noop("The first line names the columns, and one of them must be “Name”.")
        raise Refused("list-nameless", template, question="text")
    lines = []
    for number, row in rows:
        cells: dict[str, Any] = {"name": ""}  # stays if the line ends before the column of names
        cells |= {column: tidy(cell) for column, cell in zip(columns, row, strict=False) if column}
        lines.append(PlayerLine(number=number, **cells))
    unknown = tuple(heading for heading in headings if heading and heading not in column_of)
    return ImportPlan(lines=tuple(lines), unknown=unknown)


def plan_import(*, club_id: int, text: str) -> ImportPlan:
    """Check every line of a list, without storing anything."""
    plan = read_lines(text)
    if not plan.lines:
        raise Refused("list-empty", gettext_noop("Nobody is on this list yet."), question="text")
    if len(plan.lines) > MOST_LINES:
        template = gettext_noop("%(count)d lines are a lot: please add %(most)d at most at once.")
        count = len(plan.lines)
        raise Refused("list-long", template, question="text", count=count, most=MOST_LINES)
    present = Player.objects.present().filter(club=club_id)
    keys_in_club = set(present.values_list("name_key", flat=True))
    first_line_of: dict[str, int] = {}  # {name key: the number of the first line with this name}
    lines = []
    for line in plan.lines:
        key = name_key(line.shown)
        try:
            _check_line(line, first_line_of.setdefault(key, line.number))
        except Refused as refused:
            lines.append(replace(line, refused=refused))
        else:
            lines.append(replace(line, in_club=key in keys_in_club))
    return replace(plan, lines=tuple(lines))


@transaction.atomic
def import_players(*, club_id: int, text: str, by: Actor) -> list[Player]:
    """Add all new players of a list and return them; a refused line refuses the whole list."""
    plan = plan_import(club_id=club_id, text=text)
    if plan.refused:
        template = gettext_noop("Line %(line)d cannot be saved, so nobody was added yet.")
        raise Refused("lines-refused", template, question="text", line=plan.refused[0].number)
    players = []
    # In order of the name keys: otherwise two imports at once could wait for each other.
    for line in sorted(plan.new, key=lambda line: name_key(line.shown)):
        in_season = bool(line.in_season)
        player, is_new = find_or_make(
            club_id, line.shown, full_name=line.full_name, home=line.home, in_season=in_season
        )
        if is_new:
            players.append(player)
    if players:
        keys = sorted(player.pk for player in players)
        log(by, "players-imported", club_id=club_id, players=keys)
    return players


def _check_line(line: PlayerLine, first_line: int) -> None:
    """Check that a line can be stored; *first_line* is the number of the first with this name."""
    clean_name(line.shown, most=Player.name.field.max_length)
    clean_optional_name(line.full_name, "full_name")
    clean_optional_name(line.home, "visitor_from")
    if line.in_season is None:
        template = gettext_noop("Write yes or no, not “%(said)s”.")
        raise Refused("line-season", template, said=line.season[:20])
    if first_line != line.number:
        template = gettext_noop(
            "%(name)s stands on line %(line)d already."
            " Two people need two names: give one of them a nickname."
        )
        raise Refused("line-twice", template, name=line.shown, line=first_line)
