"""The evening of the demo that is announced, and a tournament with fewer places than people."""

from datetime import timedelta

from tracker.common.actor import Actor
from tracker.management.demo.evening import PLACE, Teller, who_comes
from tracker.models import Season
from tracker.nights.services.attendance import record_rsvp
from tracker.nights.services.nights import announce_night
from tracker.tournaments.services.entering import enter_players, limit_places, withdraw
from tracker.tournaments.services.tournaments import Terms, make_tournament

CUP = "Kombe la Bahari"
_PLACES = 16


def announce_next(tell: Teller, season: Season) -> None:
    """Announce the next evening with some replies, and take entries for its cup.

    There are more entries than places: one who had a place could not come after all, the first
    of the reserve list moved up, and the rest of it waits.
    """
    start = tell.today.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(
        days=14, hours=19
    )
    by = tell.by(tell.today - timedelta(days=3))
    night = announce_night(
        club_id=tell.club.pk,
        starts_at=start,
        place=PLACE,
        games="Albastini in pairs",
        by=by,
    )
    for player in who_comes(tell, 17):
        record_rsvp(
            night_id=night.pk, player_id=player.pk, yes=tell.rng.random() < 0.8, by=Actor(at=by.at)
        )
    cup = make_tournament(
        club_id=tell.club.pk,
        name=CUP,
        game="albastini",
        mode="4t2",
        length=8,
        season_id=season.pk,
        terms=Terms(planned=5, minutes=40),
        by=by,
    )
    limit_places(tournament_id=cup.pk, places=_PLACES, by=by)
    people = [player.pk for player in who_comes(tell, _PLACES + 4)]
    entered = enter_players(tournament_id=cup.pk, players=people, by=by)
    withdraw(entrant_id=entered[6].pk, by=by)
