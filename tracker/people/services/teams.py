"""Teams of a club, each with a *roster* of players: make, change, find the team of some players."""

from collections.abc import Iterable, Sequence

from django.db import IntegrityError, transaction

from games.errors import gettext_noop
from tracker.common.actor import Actor
from tracker.common.audit_log import log
from tracker.common.errors import Refused
from tracker.common.names import clean_name
from tracker.common.wording import together
from tracker.models import Player, Team, name_key


@transaction.atomic
def make_team(*, club_id: int, name: str, players: Iterable[int], by: Actor) -> Team:
    """Make a team of two players or more, who sit in this order."""
    return _store(by, "team-made", Team(club_id=club_id), name, list(dict.fromkeys(players)))


@transaction.atomic
def edit_team(*, team_id: int, name: str, players: Iterable[int], by: Actor) -> Team:
    """Change a team's name and players; past seats stay, and new players sit after the others."""
    team = Team.objects.select_for_update(no_key=True).get(pk=team_id)
    return _store(by, "team-changed", team, name, list(dict.fromkeys(players)))


def teams_in_a_row(club_id: int, people: Sequence[Player], size: int) -> list[int]:
    """Return the keys of teams, each of the next *size* people; missing teams are made."""
    left_over = len(people) % size
    if left_over:
        template = gettext_noop("%(who)s has no partners: a team here is %(size)d people.")
        who = together([person.name for person in people[-left_over:]])
        raise Refused("no-partner", template, question="people", who=who, size=size)
    return [team_of(club_id, people[start : start + size]) for start in range(0, len(people), size)]


def team_taken(name: str, *, question: str = "name") -> Refused:
    """Return the refusal of a name that another team of the club has."""
    template = gettext_noop("There is a team called %(name)s already. Please choose another name.")
    return Refused("name-taken", template, question=question, name=name)


def team_of(club_id: int, people: Sequence[Player], name: str = "") -> int:
    """Return the key of the team of exactly these people, which is made if there is none.

    With a *name*, only a team of this name counts; without, a new team is named after its people.
    """
    most = Team.name.field.max_length
    team_name = clean_name(name, most=most, question="people") if name else ""
    teams = Team.objects.filter(club_id=club_id)
    for person in people:
        teams = teams.filter(roster=person)
    if team_name:
        teams = teams.filter(name_key=name_key(team_name))
    team_name = team_name or together([person.name for person in people])[:most]
    for team in teams.order_by("pk").prefetch_related("roster"):
        # All these people are in the team; this checks that nobody else is.
        if len(team.roster.all()) == len(people):
            return team.pk
    try:
        with transaction.atomic():
            key = name_key(team_name)
            team = Team.objects.create(club_id=club_id, name=team_name, name_key=key)
    except IntegrityError:
        template = gettext_noop("There is another team called “%(name)s”: rename it first.")
        raise Refused("team-name-taken", template, question="people", name=team_name) from None
    _fill_roster(team, [person.pk for person in people])
    return team.pk


def _store(by: Actor, verb: str, team: Team, name: str, players: Sequence[int]) -> Team:
    """Store a team with this name and these players, and log it under this verb."""
    team.name = clean_name(name, most=Team.name.field.max_length)
    team.name_key = name_key(team.name)
    wanted = set(players)
    if len(wanted) < 2:
        template = gettext_noop("A team is two people or more.")
        raise Refused("team-small", template, question="roster")
    if Player.objects.present().filter(club_id=team.club_id, pk__in=wanted).count() < len(wanted):
        template = gettext_noop("Somebody you chose has left this club. Please choose again.")
        raise Refused("team-stranger", template, question="roster")
    try:
        with transaction.atomic():
            team.save()
    except IntegrityError:
        raise team_taken(team.name) from None
    _fill_roster(team, players)
    log(by, verb, club_id=team.club_id, team=team.pk, players=sorted(wanted))
    return team


def _fill_roster(team: Team, players: Sequence[int]) -> None:
    """Make these players the team's roster; new players sit after the others, in this order."""
    before = set(team.roster.values_list("pk", flat=True))
    team.roster.remove(*before.difference(players))
    # One by one: together they would be added in any order.
    for player in players:
        if player not in before:
            team.roster.add(player)
