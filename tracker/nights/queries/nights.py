"""Nights of a club: by their links, and what was played at one."""

from uuid import UUID

from django.db.models import Q, QuerySet

from tracker.models import Club, ClubNight, Entrant, Player, Round, RoundState, Tournament
from tracker.seating.queries.players import lineups
from tracker.standings.queries.prizes import EventResult, results_of
from tracker.standings.queries.tournament_stages import events_of


def night_of_link(link: str) -> ClubNight | None:
    """Return the night that a link is for, with its club."""
    try:
        uid = UUID(link)
    except ValueError:
        return None
    good = Q(new_link=uid) | Q(new_link=None, uid=uid)
    return ClubNight.objects.select_related("club").filter(good).first()


def tournaments_of(night: ClubNight) -> QuerySet[Tournament]:
    """Return what was played at the night, for anybody to read, in one query."""
    rounds = night.rounds.exclude(state=RoundState.UNDONE)
    return Tournament.objects.filter(pk__in=rounds.values("tournament")).order_by("pk")


def results(night: ClubNight) -> list[EventResult]:
    """Return the official results of a night; after its end, all results."""
    events = events_of(tournaments_of(night))
    return results_of([event for event in events if event.official or night.ended_at])


def previous_tournament(club: Club, night: ClubNight | None) -> Tournament | None:
    """Return the first tournament of the club's latest night other than *night*; in one query."""
    rounds = Round.objects.exclude(state=RoundState.UNDONE).exclude(night=None)
    before = rounds.filter(tournament__club=club, tournament__follows=None).exclude(night=night)
    latest = before.select_related("tournament").defer("published_standing")
    round_ = latest.order_by("-night__starts_at", "tournament").first()
    return round_.tournament if round_ else None


def people_of(tournament: Tournament) -> list[int]:
    """Return the players of a tournament who are still of the club, partners beside each other."""
    entrants = Entrant.objects.playing().filter(tournament=tournament).order_by("pk")
    size = len(tournament.table_mode.sides[0])
    people = [key for lineup in lineups(entrants).values() for key in lineup[:size]]
    present = set(Player.objects.present().filter(pk__in=people).values_list("pk", flat=True))
    return [key for key in people if key in present]
