"""Who may play in a coming round: the entrants, and people of the club who could enter."""

from tracker.models import Attendance, ClubNight, Entrant, Format, Player, Seat, Team, Tournament


def entrants_by_name(tournament: Tournament) -> list[tuple[int, str]]:
    """Return those who have a place in the tournament, in one query."""
    return list(Entrant.objects.playing().filter(tournament=tournament).names().items())


def free_to_sit(
    tournament: Tournament, night: ClubNight | None
) -> tuple[list[tuple[int, str]], list[tuple[int, str]]]:
    """Return by name who could sit down now: those present tonight, and the rest of the club.

    People who sit at a table are in neither; without a night nobody is known to be here. In a
    tournament of fixed teams they are teams, none of whose people sits at a table.
    """
    sitting = Seat.objects.active()
    if tournament.format == Format.TEAMS:
        busy = Team.objects.filter(roster__in=sitting.values("player"))
        teams = Team.objects.filter(club=tournament.club_id).exclude(pk__in=busy)
        return [], list(teams.order_by("name_key").values_list("pk", "name"))
    here = Attendance.objects.here(night) if night else Attendance.objects.none()
    present = set(here.values_list("player", flat=True))
    players = Player.objects.present().filter(club=tournament.club_id)
    free = players.exclude(pk__in=sitting.values("player")).order_by("name_key")
    return (
        list(free.filter(pk__in=present).values_list("pk", "name")),
        list(free.exclude(pk__in=present).values_list("pk", "name")),
    )
