"""Services that announce, begin and end club nights."""

from datetime import datetime
from uuid import uuid4

from django.db import transaction
from django.utils.translation import gettext as _

from games.errors import gettext_noop
from tracker.common.actor import Actor
from tracker.common.audit_log import last_entry, log, set_columns
from tracker.common.errors import Refused
from tracker.models import Attendance, ClubNight, RoundState


@transaction.atomic
def announce_night(
    *, club_id: int, starts_at: datetime, place: str = "", games: str = "", by: Actor
) -> ClubNight:
    """Create a night; *games* says in words what is played."""
    night = ClubNight.objects.create(
        club_id=club_id, starts_at=starts_at, place=_one_line(place), games=_one_line(games)
    )
    log(by, "night-announced", club_id=night.club_id, night=night.pk)
    return night


@transaction.atomic
def edit_night(
    *, night_id: int, starts_at: datetime, place: str, games: str, by: Actor
) -> ClubNight:
    night = ClubNight.objects.select_for_update(no_key=True).get(pk=night_id)
    settings = {"starts_at": starts_at, "place": _one_line(place), "games": _one_line(games)}
    # Sets the fields, and returns those that changed; private ones are logged without values.
    changed = set_columns(night, settings, private=settings)
    night.save(update_fields=[*settings])
    log(by, "night-changed", club_id=night.club_id, night=night.pk, numbers={"changed": changed})
    return night


@transaction.atomic
def renew_link(*, night_id: int, by: Actor) -> ClubNight:
    """Give a night a new link for replies; the old one no longer works."""
    night = ClubNight.objects.select_for_update().get(pk=night_id)
    night.new_link = uuid4()
    night.save(update_fields=["new_link"])
    sentence = _("The night has a new link; the old one leads nowhere.")
    log(by, "night-link-renewed", club_id=night.club_id, night=night.pk, reason=sentence)
    return night


@transaction.atomic
def current_or_new_night(*, club_id: int, by: Actor) -> ClubNight:
    """Return the current night, or begin one that was not announced."""
    night = ClubNight.objects.going_on(club_id, by.at)
    if night is None:
        night = ClubNight.objects.create(club_id=club_id, starts_at=by.at)
        log(by, "night-begun", club_id=night.club_id, night=night.pk)
        return night
    return ClubNight.objects.select_for_update(no_key=True).get(pk=night.pk)


@transaction.atomic
def end_night(*, night_id: int, by: Actor) -> ClubNight:
    """End a night and check out everybody; a night that has ended stays as it is.

    :raises Refused: ``round-open`` if a round is still being played.
    """
    night = ClubNight.objects.select_for_update(no_key=True).get(pk=night_id)
    if night.ended_at is not None:
        return night
    running = night.rounds.filter(state=RoundState.OPEN).select_related("tournament").first()
    if running:
        raise Refused(
            "round-open",
            gettext_noop("Round %(number)d of “%(tournament)s” is being played: close it first."),
            number=running.number,
            tournament=running.tournament.name,
        )
    Attendance.objects.here(night).end(by.at)
    night.ended_at, night.break_until = by.at, None
    night.save(update_fields=["ended_at", "break_until"])
    log(by, "night-ended", club_id=night.club_id, night=night.pk)
    return night


@transaction.atomic
def reopen_night(*, night_id: int, by: Actor) -> ClubNight:
    """Reopen a night that has ended; its people have to be checked in again."""
    night = ClubNight.objects.select_for_update(no_key=True).get(pk=night_id)
    if night.ended_at is not None:
        night.ended_at = None
        night.save(update_fields=["ended_at"])
        ended = last_entry("night-ended", club_id=night.club_id, night=night.pk)
        log(by, "night-reopened", club_id=night.club_id, undoes=ended, night=night.pk)
    return night


def _one_line(text: str) -> str:
    return " ".join(text.split())
