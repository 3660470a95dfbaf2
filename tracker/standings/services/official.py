"""When a standing is provisional, when it is official, and when it is open again."""

from datetime import datetime

from django.db import transaction

from games.errors import gettext_noop
from tracker.common.actor import Actor
from tracker.common.errors import Refused
from tracker.models import RoundState, Tournament
from tracker.tournaments.services.tournaments import record_tournament


@transaction.atomic
def finish_tournament(*, tournament_id: int, by: Actor) -> Tournament:
    """Make the standing official; finishing it again changes nothing.

    :raises Refused: ``round-open`` if a round is still being played.
    """
    tournament = Tournament.objects.select_for_update().get(pk=tournament_id)
    if tournament.official_at is not None:
        return tournament
    _check_no_round(tournament)
    tournament.official_at = by.at
    tournament.save(update_fields=["official_at"])
    record_tournament(by, "tournament-finished", tournament)
    return tournament


@transaction.atomic
def publish_standing(*, tournament_id: int, until: datetime, by: Actor) -> Tournament:
    """Put the standing up as provisional *until* then; somebody makes it official after that.

    :raises Refused: ``round-open`` if a round is still being played, ``tournament-over``
        if it is official.
    """
    tournament = Tournament.objects.select_for_update().get(pk=tournament_id)
    if tournament.official_at is not None:
        raise Refused("tournament-over", gettext_noop("This tournament is finished."))
    _check_no_round(tournament)
    tournament.provisional_until = until
    tournament.save(update_fields=["provisional_until"])
    record_tournament(by, "standing-published", tournament)
    return tournament


@transaction.atomic
def reopen_tournament(*, tournament_id: int, by: Actor) -> Tournament:
    """Let a finished tournament go on; how its ties were settled is forgotten."""
    tournament = Tournament.objects.select_for_update().get(pk=tournament_id)
    if tournament.official_at is not None:
        tournament.official_at = tournament.provisional_until = tournament.tie_resolutions = None
        tournament.save(update_fields=["official_at", "provisional_until", "tie_resolutions"])
        record_tournament(by, "tournament-reopened", tournament)
    return tournament


def _check_no_round(tournament: Tournament) -> None:
    running = tournament.rounds.filter(state=RoundState.OPEN).first()
    if running:
        raise Refused(
            "round-open",
            gettext_noop("Round %(number)d is still being played: close it first."),
            number=running.number,
        )
