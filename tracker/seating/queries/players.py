"""Players of a club and a night: to choose from, waiting for a seat, sitting out, in a lineup."""

from collections.abc import Iterable

from django.db.models import Q, QuerySet

from tracker.models import (
    Attendance,
    Club,
    ClubNight,
    Entrant,
    Format,
    Player,
    Rest,
    RoundState,
    Seat,
    Team,
    Tournament,
)


def players_to_choose(club: Club) -> list[tuple[int, str]]:
    """Return keys and names of the club's players, neither merged nor erased, in order of name."""
    players = Player.objects.present().filter(club=club)
    return list(players.order_by("name_key").values_list("pk", "name"))


def player_of(club: Club, player_id: int) -> Player | None:
    """Return a player of the club; for a merged one, the player they were merged into."""
    players = Player.objects.filter(club=club, erased_at=None)
    player = players.filter(pk=player_id).first()
    while player is not None and player.merged_into_id is not None:
        player = players.filter(pk=player.merged_into_id).first()
    return player


def rests_of(player: Player) -> QuerySet[Rest]:
    """Return the rests of a player or their team in open rounds (in which they sit out)."""
    rests = Rest.objects.sat_out().filter(round__state=RoundState.OPEN)
    return rests.filter(Q(entrant__player=player) | Q(entrant__team__roster=player))


def waiting_players(night: ClubNight | None) -> list[int]:
    """Return the keys of players at the night who neither sit nor rest, in order of name; one query."""
    if night is None:
        return []
    resting = Rest.objects.sat_out().filter(round__night=night, round__state=RoundState.OPEN)
    # ``people()`` are the players of attendances or rests; an *active* seat is sat in now.
    seated = Seat.objects.active().values("player")
    not_seated = Attendance.objects.here(night).people().exclude(pk__in=seated)
    return list(not_seated.exclude(pk__in=resting.people()).values_list("pk", flat=True))


def free_to_sit(
    tournament: Tournament, night: ClubNight | None
) -> tuple[list[tuple[int, str]], list[tuple[int, str]]]:
    """Return keys and names of players without a seat: those at the night, and others of the club.

    Both lists are in order of name. In a tournament of fixed teams the second list has all teams
    without a seated player, and the first is empty.
    """
    seated = Seat.objects.active().values("player")
    if tournament.format == Format.TEAMS:
        busy = Team.objects.filter(roster__in=seated)
        teams = Team.objects.filter(club=tournament.club_id).exclude(pk__in=busy)
        return [], list(teams.order_by("name_key").values_list("pk", "name"))
    attending = Attendance.objects.here(night) if night else Attendance.objects.none()
    at_night = set(attending.values_list("player", flat=True))
    players = Player.objects.present().filter(club=tournament.club_id)
    free = players.exclude(pk__in=seated).order_by("name_key")
    return (
        list(free.filter(pk__in=at_night).values_list("pk", "name")),
        list(free.exclude(pk__in=at_night).values_list("pk", "name")),
    )


def lineups(entrants: Iterable[Entrant]) -> dict[int, tuple[int, ...]]:
    """Return the keys of each entrant's players, keyed by entrant; a team's in order of its roster."""
    entered = list(entrants)
    teams = [entrant.team_id for entrant in entered if entrant.team_id]
    members: dict[int, list[int]] = {}
    roster_rows = Team.roster.through.objects.filter(team__in=teams).order_by("pk")
    for team, player in roster_rows.values_list("team", "player"):
        members.setdefault(team, []).append(player)
    lineup_of = {entrant.pk: tuple(members.get(entrant.team_id or 0, ())) for entrant in entered}
    lineup_of |= {entrant.pk: (entrant.player_id,) for entrant in entered if entrant.player_id}
    return lineup_of
