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

    ``team`` is the name before a colon, or empty; ``joined`` is whether a colon, or a separator
    such as "&", shows that the line is a team.
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
    # Locked before new players are added, as a draw does, so that neither waits for the other.
    tournament = Tournament.objects.select_for_update(no_key=True).get(pk=tournament_id)
    club_id, with_teams = tournament.club_id, tournament.format == Format.TEAMS
    # All these mappings are keyed by line number.
    read = {number: read_entrant(line) for number, line in enumerate(lines, 1) if line.strip()}
    # A line that is only the name of a team, written as one name, enters that team.
    single_names = {
        number: name_key(line.written) for number, line in read.items() if len(line.people) == 1
    }
    team_keys = single_names.values() if with_teams else ()
    named = Team.objects.filter(club=club_id, name_key__in=team_keys)
    team_named = dict(named.values_list("name_key", "pk"))
    teams = {number: team_named[key] for number, key in single_names.items() if key in team_named}
    # The names on all other lines are people; they make teams, too, below.
    with_people = {number: line for number, line in read.items() if number not in teams}
    if errors := list(_line_errors(tournament, with_people)):
        raise LinesRefused(errors, question="names")
    names = [name for line in with_people.values() for name in line.people]
    people = add_players(club_id=club_id, names=names, by=by).players
    if not with_teams:
        players = [player.pk for player in people]
        return enter_players(tournament_id=tournament_id, players=players, by=by)
    player_named = {player.name_key: player for player in people}
    for number, line in with_people.items():
        members = [player_named[name_key(name)] for name in line.people]
        try:
            teams[number] = team_of(club_id, members, line.team)
        except Refused as refused:
            errors.append(refused)
    if errors := [*errors, *_two_team_errors(tournament, teams)]:
        raise LinesRefused(errors, question="names")
    return enter_teams(tournament_id=tournament_id, teams=[teams[number] for number in read], by=by)


def _line_errors(tournament: Tournament, lines: Mapping[int, EntrantLine]) -> Iterator[Refused]:
    """Yield the errors of *lines*, keyed by number, and of names that are repeated or ambiguous."""
    with_teams, side = tournament.format == Format.TEAMS, len(tournament.table_mode.sides[0])
    players = Player.objects.present().filter(club=tournament.club_id)
    name_of = dict(players.order_by("name_key").values_list("name_key", "name"))
    first_line: dict[str, int] = {}  # the number of the first line with a name, by name key
    for number, line in lines.items():
        if with_teams and len(line.people) != side:
            template = gettext_noop(
                "Line %(line)d, “%(who)s”: a team here is %(side)d people, such as “%(such)s”."
            )
            such = together(_EXAMPLES[:side])
            yield Refused("team-of", template, line=number, who=line.written, side=side, such=such)
        elif line.joined and not with_teams:
            template = gettext_noop(
                "Line %(line)d, “%(who)s”: everybody plays alone here. Write one name a line."
            )
            yield Refused("not-alone", template, line=number, who=line.written)
        for nth, name in enumerate(line.people):
            key = name_key(name)
            in_this_line = key in map(name_key, line.people[:nth])
            if first_line.setdefault(key, number) != number or in_this_line:
                template = gettext_noop(
                    "Line %(line)d: %(name)s is in line %(first)d already."
                    " Two people need two names, such as “%(other)s”."
                )
                first, other = first_line[key], suggest_other(name)
                yield Refused(
                    "named-twice", template, line=number, name=name, first=first, other=other
                )
            # A first name alone is enough only if one player of the club has it.
            longer = [full for known, full in name_of.items() if known.startswith(f"{key} ")]
            if key not in name_of and len(longer) > 1:
                template = gettext_noop(
                    "Line %(line)d: “%(name)s” can be %(one)s or %(other)s. Write the whole name."
                )
                one, other = longer[:2]
                yield Refused("ambiguous", template, line=number, name=name, one=one, other=other)


def _two_team_errors(tournament: Tournament, teams: Mapping[int, int]) -> Iterator[Refused]:
    """Yield an error for each player who would be in two teams; *teams* are keyed by line."""
    entered = tournament.entrants.filter(withdrawn_at=None).values_list("team", flat=True)
    rosters = Team.roster.through.objects.filter(team__in={*entered, *teams.values()})
    teams_of: dict[str, dict[int, str]] = defaultdict(dict)  # names of teams by player and team
    rows = rosters.order_by("pk").values_list("player__name", "team", "team__name")
    for player, team, team_name in rows:
        teams_of[player][team] = team_name
    for name, team_names in teams_of.items():
        if len(team_names) > 1 and team_names.keys() & set(teams.values()):
            one, other = [*team_names.values()][:2]
            template = gettext_noop("%(name)s can play in one team only: “%(one)s” or “%(other)s”.")
            yield Refused("two-teams", template, name=name, one=one, other=other)
