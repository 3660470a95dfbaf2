"""Who may play in a coming round: everybody of the tournament, and whoever is not in it yet."""

from tracker.models import Entrant, Format, Player, Team, Tournament


def entrants_by_name(tournament: Tournament) -> list[tuple[int, str]]:
    """Return those who have a place in the tournament, in one query."""
    playing = Entrant.objects.playing().filter(tournament=tournament)
    return [(entrant.pk, str(entrant)) for entrant in playing.by_name()]


def newcomers(tournament: Tournament) -> list[tuple[int, str]]:
    """Return who of the club is not in the tournament yet, in one query."""
    if tournament.format == Format.TEAMS:
        teams = Team.objects.filter(club=tournament.club_id)
        there = tournament.entrants.filter(withdrawn_at=None).values("team")
        new = teams.exclude(pk__in=there)
        return list(new.order_by("name_key").values_list("pk", "name"))
    entered = tournament.entrants.filter(withdrawn_at=None).values("player")
    players = Player.objects.present().filter(club=tournament.club_id).exclude(pk__in=entered)
    return list(players.order_by("name_key").values_list("pk", "name"))
