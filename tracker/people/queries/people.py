"""Who plays in a club, and in which teams."""

from dataclasses import dataclass

from django.db.models import Count, Prefetch

from tracker.models import Club, Entrant, Player, Team, name_key


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerRow:
    pk: int
    name: str
    key: str  # what the name sorts by
    visitor_from: str
    teams: str
    tournaments: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamRow:
    pk: int
    name: str
    key: str  # what the name sorts by
    people: tuple[str, ...]
    tournaments: int

    @property
    def says_all(self) -> bool:
        """Tell whether the name already says who they are."""
        return set(self.name.split(" & ")) == set(self.people)


def player_rows(club: Club, *, named: str = "") -> list[PlayerRow]:
    """Return the players of a club with *named* in their names, by name, in three queries."""
    players = (
        Player.objects.present()
        .filter(club=club, name_key__contains=name_key(named))
        .prefetch_related(Prefetch("teams", Team.objects.order_by("name_key")))
        .order_by("name_key")
    )
    by_player = Entrant.objects.filter(player__club=club).values("player")
    entered = dict(by_player.annotate(count=Count("pk")).values_list("player", "count"))
    return [
        PlayerRow(
            pk=player.pk,
            name=player.name,
            key=player.name_key,
            visitor_from=player.visitor_from,
            teams=", ".join(team.name for team in player.teams.all()),
            tournaments=entered.get(player.pk, 0),
        )
        for player in players
    ]


def team_rows(club: Club, *, named: str = "") -> list[TeamRow]:
    """Return the teams of a club with their people, by name, in two queries.

    With *named* only those with that in their name, or in that of one of their people.
    """
    key = name_key(named)
    roster = Prefetch("roster", Player.objects.present().order_by("name_key"))
    teams = (
        Team.objects.filter(club=club)
        .annotate(tournaments=Count("entrants"))
        .prefetch_related(roster)
        .order_by("name_key")
    )
    return [
        TeamRow(
            pk=team.pk,
            name=team.name,
            key=team.name_key,
            people=tuple(player.name for player in team.roster.all()),
            tournaments=team.tournaments,
        )
        for team in teams
        if key in team.name_key or any(key in player.name_key for player in team.roster.all())
    ]
