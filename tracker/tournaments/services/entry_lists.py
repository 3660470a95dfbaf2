"""Entering players or teams from a list of names, a player or team a line.

Lines are numbered from 1. People whose names are new are added to the club.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.db import transaction

from games.errors import gettext_noop
from tracker.common.actor import Actor
from tracker.common.errors import LinesRefused, Refused
from tracker.common.names import suggest_other, tidy
from tracker.common.wording import together
from tracker.models import Entrant, Format, Player, Team, Tournament, name_key
from tracker.people.services.players import add_players
from tracker.people.services.teams import team_of
from tracker.tournaments.services.entering import enter_players, enter_teams

_EXAMPLES = ("Asha", "Juma", "Neema")  # names in sentences
# Separators of the people of one team; commas may also separate single players.
_TEAM_SEPARATOR = re.compile(r"\s*[&+/]\s*|\s+and\s+", re.IGNORECASE)
_COMMA = re.compile(r"\s*[,;]\s*")


@dataclass(frozen=True, slots=True, kw_only=True)
class EntrantLine:
    """A line of a list of entrants, as ``written``, with the names of the ``people`` on it.

    ``team`` is the name before a colon, or empty. ``joined``: a colon, or a separator such as "&",
    shows that the line is a team.
    """

    written: str
    team: str
    people: tuple[str, ...]
    joined: bool


def read_entrant(line: str) -> EntrantLine:
    """Read a line that names a team, or one or more single players.

    >>> read_entrant("Lions: Asha, Juma")
    EntrantLine(written='Lions: Asha, Juma', team='Lions', people=('Asha', 'Juma'), joined=True)
    >>> read_entrant("Asha and Juma").people, read_entrant("Asha, Juma").joined
    (('Asha', 'Juma'), False)
    """
    written = tidy(line)
    team, colon, listed = written.rpartition(":")
    joined = bool(colon or _TEAM_SEPARATOR.search(listed))
    names = _COMMA.split(_TEAM_SEPARATOR.sub(",", listed.strip()))
    people = tuple(name for name in names if name)
    return EntrantLine(written=written, team=team.strip(), people=people, joined=joined)


def enter_newcomers(
    tournament: Tournament, chosen: Sequence[int], lines: Sequence[str], by: Actor
) -> list[Entrant]:
    """Enter the players or teams with the *chosen* keys, and those of a list of names.

    The caller must roll back if the list is refused: the chosen ones are entered before.
    """
    entrants: list[Entrant] = []
    if chosen and tournament.format == Format.TEAMS:
        entrants += enter_teams(tournament_id=tournament.pk, teams=chosen, by=by)
    elif chosen:
        entrants += enter_players(tournament_id=tournament.pk, players=chosen, by=by)
    if lines:
        entrants += enter_by_name(tournament_id=tournament.pk, lines=lines, by=by)
    return entrants


@transaction.atomic
def enter_by_name(*, tournament_id: int, lines: Sequence[str], by: Actor) -> list[Entrant]:
    """Enter the players or teams of a list, all or none; add new people to the club."""
    # The tournament is locked before players are added: in the order in which a draw locks them, as
    # otherwise each could wait for the other (a deadlock).
    tournament = Tournament.objects.select_for_update(no_key=True).get(pk=tournament_id)
    club_id, with_teams = tournament.club_id, tournament.format == Format.TEAMS
    # These mappings, and those of teams below, are keyed by line number.
    read = {number: read_entrant(line) for number, line in enumerate(lines, 1) if line.strip()}
    known_teams = _teams_by_name(club_id, read) if with_teams else {}
    # All other lines name people; if teams play, the people of a line form one, below.
    with_people = {number: line for number, line in read.items() if number not in known_teams}
    if line_errors := list(_line_errors(tournament, with_people)):
        raise LinesRefused(line_errors, question="names")
    names = [name for line in with_people.values() for name in line.people]
    people = add_players(club_id=club_id, names=names, by=by).players
    if not with_teams:
        players = [player.pk for player in people]
        return enter_players(tournament_id=tournament_id, players=players, by=by)
    player_named = {player.name_key: player for player in people}
    formed_teams: dict[int, int] = {}
    team_errors: list[Refused] = []
    for number, line in with_people.items():
        members = [player_named[name_key(name)] for name in line.people]
        try:
            formed_teams[number] = team_of(club_id, members, line.team)
        except Refused as refused:
            team_errors.append(refused)
    teams = known_teams | formed_teams
    team_errors += _two_team_errors(tournament, teams)
    if team_errors:
        raise LinesRefused(team_errors, question="names")
    return enter_teams(tournament_id=tournament_id, teams=[teams[number] for number in read], by=by)


def _teams_by_name(club_id: int, read: Mapping[int, EntrantLine]) -> dict[int, int]:
    """Return the key of a team for each line that is just the name of a team, by line number."""
    # A line that names no two people may be the name of a team of the club.
    name_keys = {
        number: name_key(line.written) for number, line in read.items() if len(line.people) == 1
    }
    known = Team.objects.filter(club=club_id, name_key__in=name_keys.values())
    team_named = dict(known.values_list("name_key", "pk"))
    return {number: team_named[key] for number, key in name_keys.items() if key in team_named}


def _line_errors(tournament: Tournament, lines: Mapping[int, EntrantLine]) -> Iterator[Refused]:
    """Yield the errors of *lines*, keyed by number, and of the names in them, line after line."""
    in_teams = tournament.format == Format.TEAMS
    team_size = len(tournament.table_mode.sides[0]) if in_teams else None
    players = Player.objects.present().filter(club=tournament.club_id)
    # Both mappings are keyed by the key of a name; the second has the first line with that name.
    in_club = dict(players.order_by("name_key").values_list("name_key", "name"))
    first_line: dict[str, int] = {}
    for number, line in lines.items():
        if team_size is not None and len(line.people) != team_size:
            text = gettext_noop(
                "Line %(line)d, “%(who)s”: a team here is %(side)d people, such as “%(such)s”."
            )
            who, such = line.written, together(_EXAMPLES[:team_size])
            yield Refused("team-of", text, line=number, who=who, side=team_size, such=such)
        elif team_size is None and line.joined:
            text = gettext_noop(
                "Line %(line)d, “%(who)s”: everybody plays alone here. Write one name a line."
            )
            yield Refused("not-alone", text, line=number, who=line.written)
        for name in line.people:
            key = name_key(name)
            if first := first_line.get(key):
                text = gettext_noop(
                    "Line %(line)d: %(name)s is in line %(first)d already."
                    " Two people need two names, such as “%(other)s”."
                )
                other = suggest_other(name)
                yield Refused("named-twice", text, line=number, name=name, first=first, other=other)
            # A new name with which the names of several players of the club begin.
            longer = [full for known, full in in_club.items() if known.startswith(f"{key} ")]
            if key not in in_club and len(longer) > 1:
                text = gettext_noop(
                    "Line %(line)d: “%(name)s” can be %(one)s or %(other)s. Write the whole name."
                )
                one, other = longer[:2]
                yield Refused("ambiguous", text, line=number, name=name, one=one, other=other)
            first_line.setdefault(key, number)  # it may be in this line twice


def _two_team_errors(tournament: Tournament, teams: Mapping[int, int]) -> Iterator[Refused]:
    """Yield an error for each player who would be in two teams; *teams* are keyed by line."""
    entered = tournament.entrants.filter(withdrawn_at=None).values_list("team", flat=True)
    rosters = Team.roster.through.objects.filter(team__in={*entered, *teams.values()})
    # Names of teams, keyed by the name of a player and the key of the team.
    teams_of: dict[str, dict[int, str]] = defaultdict(dict)
    rows = rosters.order_by("pk").values_list("player__name", "team", "team__name")
    for player, team, team_name in rows:
        teams_of[player][team] = team_name
    for name, team_names in teams_of.items():
        # One of the teams is in the list: what was entered before is not refused now.
        if len(team_names) > 1 and team_names.keys() & set(teams.values()):
            one, other = [*team_names.values()][:2]
            template = gettext_noop("%(name)s can play in one team only: “%(one)s” or “%(other)s”.")
            yield Refused("two-teams", template, name=name, one=one, other=other)
