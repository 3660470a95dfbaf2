"""Entering players or teams from a list of names, one a line, some of them new to the club."""

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

_SUCH_AS = ("Asha", "Juma", "Neema")


# Separators of the people of one team; commas may also separate single players.
_JOINED = re.compile(r"\s*[&+/]\s*|\s+and\s+", re.IGNORECASE)
_APART = re.compile(r"\s*[,;]\s*")


@dataclass(frozen=True, slots=True, kw_only=True)
class EntrantLine:
    """A line of a list of entrants; ``joined`` if it can only mean a team."""

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
    team, colon, people = written.rpartition(":")
    joined = bool(colon or _JOINED.search(people))
    names = _APART.split(_JOINED.sub(",", people.strip()))
    return EntrantLine(
        written=written, team=team.strip(), people=tuple(filter(None, names)), joined=joined
    )


def enter_newcomers(
    tournament: Tournament, chosen: Sequence[int], lines: Sequence[str], by: Actor
) -> list[Entrant]:
    """Enter the *chosen* players or teams of the club, and those of a list, one a line.

    :raises Refused: as ``enter_by_name`` does, when the chosen ones are entered already: the caller
        must roll back.
    """
    entered: list[Entrant] = []
    if chosen and tournament.format == Format.TEAMS:
        entered += enter_teams(tournament_id=tournament.pk, teams=chosen, by=by)
    elif chosen:
        entered += enter_players(tournament_id=tournament.pk, players=chosen, by=by)
    if lines:
        entered += enter_by_name(tournament_id=tournament.pk, lines=lines, by=by)
    return entered


@transaction.atomic
def enter_by_name(*, tournament_id: int, lines: Sequence[str], by: Actor) -> list[Entrant]:
    """Enter the players or teams of a list, one a line, and add new people to the club.

    :raises LinesRefused: with all that is wrong with the lines; then none is entered.
    """
    # Locked before new players are added, in the same order as a draw does.
    tournament = Tournament.objects.select_for_update(no_key=True).get(pk=tournament_id)
    club_id, with_teams = tournament.club_id, tournament.format == Format.TEAMS
    read = {at: read_entrant(line) for at, line in enumerate(lines, start=1) if line.strip()}
    # A line that is the name of a team enters that team.
    alone = {at: name_key(line.written) for at, line in read.items() if len(line.people) == 1}
    known = Team.objects.filter(club=club_id, name_key__in=alone.values() if with_teams else ())
    by_name = dict(known.values_list("name_key", "pk"))
    teams = {at: by_name[key] for at, key in alone.items() if key in by_name}
    new = {at: line for at, line in read.items() if at not in teams}
    if wrong := list(_line_errors(tournament, new)):
        raise LinesRefused(wrong, question="names")
    names = [name for line in new.values() for name in line.people]
    added = add_players(club_id=club_id, names=names, by=by).players
    if not with_teams:
        players = [player.pk for player in added]
        return enter_players(tournament_id=tournament_id, players=players, by=by)
    people = {player.name_key: player for player in added}
    taken = []
    for at, line in new.items():
        try:
            teams[at] = team_of(
                club_id, [people[name_key(name)] for name in line.people], line.team
            )
        except Refused as refused:
            taken.append(refused)
    if wrong := [*taken, *_two_team_errors(tournament, teams)]:
        raise LinesRefused(wrong, question="names")
    in_order = [teams[at] for at in read]
    return enter_teams(tournament_id=tournament_id, teams=in_order, by=by)


def _line_errors(tournament: Tournament, lines: Mapping[int, EntrantLine]) -> Iterator[Refused]:
    """Yield the errors of single lines, and of names that are in two of them."""
    with_teams, side = tournament.format == Format.TEAMS, len(tournament.table_mode.sides[0])
    players = Player.objects.present().filter(club=tournament.club_id)
    known = dict(players.order_by("name_key").values_list("name_key", "name"))
    seen: dict[str, int] = {}
    for at, line in lines.items():
        if with_teams and len(line.people) != side:
            template = gettext_noop(
                "Line %(line)d, “%(who)s”: a team here is %(side)d people, such as “%(such)s”."
            )
            such = together(_SUCH_AS[:side])
            yield Refused("team-of", template, line=at, who=line.written, side=side, such=such)
        elif line.joined and not with_teams:
            template = gettext_noop(
                "Line %(line)d, “%(who)s”: everybody plays alone here. Write one name a line."
            )
            yield Refused("not-alone", template, line=at, who=line.written)
        for nth, name in enumerate(line.people):
            key = name_key(name)
            if seen.setdefault(key, at) != at or key in map(name_key, line.people[:nth]):
                template = gettext_noop(
                    "Line %(line)d: %(name)s is in line %(first)d already."
                    " Two people need two names, such as “%(other)s”."
                )
                first, other = seen[key], suggest_other(name)
                yield Refused("named-twice", template, line=at, name=name, first=first, other=other)
            longer = [known[each] for each in known if each.startswith(f"{key} ")]
            if key not in known and len(longer) > 1:
                template = gettext_noop(
                    "Line %(line)d: “%(name)s” can be %(one)s or %(other)s. Write the whole name."
                )
                one, other = longer[:2]
                yield Refused("ambiguous", template, line=at, name=name, one=one, other=other)


def _two_team_errors(tournament: Tournament, teams: Mapping[int, int]) -> Iterator[Refused]:
    """Yield an error for each player who would be in two teams of the tournament."""
    entered = tournament.entrants.filter(withdrawn_at=None).values_list("team", flat=True)
    rosters = Team.roster.through.objects.filter(team__in={*entered, *teams.values()})
    teams_of: dict[str, dict[int, str]] = defaultdict(dict)
    for name, team, called in rosters.order_by("pk").values_list(
        "player__name", "team", "team__name"
    ):
        teams_of[name][team] = called
    for name, both in teams_of.items():
        if len(both) > 1 and both.keys() & set(teams.values()):
            one, other = [*both.values()][:2]
            yield Refused(
                "two-teams",
                gettext_noop("%(name)s can play in one team only: “%(one)s” or “%(other)s”."),
                name=name,
                one=one,
                other=other,
            )
