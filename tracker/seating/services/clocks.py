"""Clocks of rounds: start, pause, resume, and more minutes for one table.

A clock is only shown: when its time is up, tables may play on. A *sitting* is one table in one round.
"""

from collections.abc import Callable
from datetime import datetime, timedelta

from django.db import transaction

from games.errors import gettext_noop
from tracker.common.actor import Actor
from tracker.common.audit_log import log
from tracker.common.errors import Refused
from tracker.models import ClubNight, Round, RoundState, Sitting, Tournament
from tracker.seating.services.rounds import record_round, running_round
from tracker.tables.clocks import Clock, read_clock

MOST_EXTRA_MINUTES = 60


@transaction.atomic
def start_clock(*, round_id: int, minutes: int, by: Actor) -> Round:
    """Start the round's clock with this number of minutes; a clock that runs starts again."""
    _check_minutes(minutes, Tournament.MOST_MINUTES)
    round_ = running_round(round_id)
    _save_clock(round_, Clock.start(minutes, by.at))
    record_round(by, "clock-started", round_, minutes=minutes)
    return round_


@transaction.atomic
def pause_clocks(*, night_id: int, by: Actor) -> int:
    """Pause every running clock of the night, and return how many there were."""
    return _change_all(night_id, "clocks-paused", Clock.pause, by)


@transaction.atomic
def resume_clocks(*, night_id: int, by: Actor) -> int:
    """Resume every paused clock of the night, end its break, and return how many clocks changed."""
    night = ClubNight.objects.select_for_update(no_key=True).get(pk=night_id)
    if night.break_until is not None:
        night.break_until = None
        night.save(update_fields=["break_until"])
        log(by, "break-ended", club_id=night.club_id, night=night.pk)
    return _change_all(night_id, "clocks-resumed", Clock.resume, by)


@transaction.atomic
def take_break(*, night_id: int, minutes: int, by: Actor) -> ClubNight:
    """Pause every clock, and show when the break should be over; the organiser ends the break."""
    _check_minutes(minutes, Tournament.MOST_MINUTES)
    night = ClubNight.objects.select_for_update(no_key=True).get(pk=night_id)
    night.break_until = by.at + timedelta(minutes=minutes)
    night.save(update_fields=["break_until"])
    log(by, "break-taken", club_id=night.club_id, night=night.pk, numbers={"minutes": minutes})
    _change_all(night_id, "clocks-paused", Clock.pause, by)
    return night


@transaction.atomic
def give_minutes(*, sitting_id: int, minutes: int, by: Actor) -> Round:
    """Give one table more minutes than the others."""
    _check_minutes(minutes, MOST_EXTRA_MINUTES)
    sitting = Sitting.objects.get(pk=sitting_id)
    round_ = running_round(sitting.round_id)
    clock = read_clock(round_.clock)
    if clock is None:
        raise Refused("no-clock", gettext_noop("This round has no clock to give minutes on."))
    _save_clock(round_, clock.add_minutes(minutes, sitting.number))
    record_round(by, "minutes-given", round_, table=sitting.number, minutes=minutes)
    return round_


def _change_all(
    night_id: int, verb: str, change: Callable[[Clock, datetime], Clock], by: Actor
) -> int:
    """Apply *change* to the clocks of the night's open rounds, and return how many changed."""
    changed = 0
    rounds = Round.objects.select_related("tournament").select_for_update(of=("self",), no_key=True)
    for round_ in rounds.filter(night=night_id, state=RoundState.OPEN).order_by("pk"):
        clock = read_clock(round_.clock)
        new_clock = None if clock is None else change(clock, by.at)
        if new_clock is not None and new_clock != clock:
            _save_clock(round_, new_clock)
            record_round(by, verb, round_)
            changed += 1
    return changed


def _check_minutes(minutes: int, most: int) -> None:
    if not 1 <= minutes <= most:
        template = gettext_noop("That takes from 1 to %(most)d minutes.")
        raise Refused("minutes", template, question="minutes", most=most)


def _save_clock(round_: Round, clock: Clock) -> None:
    round_.clock = clock.to_json()
    round_.save(update_fields=["clock"])
