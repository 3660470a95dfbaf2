"""The clocks of rounds, kept here and not on anybody's phone; they warn and stop nobody."""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Count, Q

from games.errors import gettext_noop
from tracker.logic import clocks
from tracker.logic.clocks import Clock
from tracker.models import ClubNight, Round, RoundState, Sitting
from tracker.services.acts import record_act
from tracker.services.errors import Refused
from tracker.services.ledger import lock_sitting
from tracker.services.tournaments import kept_length

LONGEST_CLOCK = clocks.LONGEST
LONGEST_GIFT = 60


@transaction.atomic
def start_clock(*, round_id: int, minutes: int, now: datetime, user_id: int | None = None) -> Round:
    """Start the round's clock from the full; one that runs already begins anew.

    :raises Refused: if the round is not being played, or no clock is so short or so long.
    """
    _check_minutes(minutes, LONGEST_CLOCK)
    round_ = _running(round_id)
    _keep(round_, clocks.start(minutes, now))
    _record("clock-started", round_, {"minutes": minutes}, now, user_id)
    return round_


@transaction.atomic
def pause_clocks(*, night_id: int, now: datetime, user_id: int | None = None) -> int:
    """Stop every clock of the night that runs, and return how many did."""
    return _change_all(night_id, "clocks-paused", clocks.pause, now, user_id)


@transaction.atomic
def resume_clocks(*, night_id: int, now: datetime, user_id: int | None = None) -> int:
    """Let every clock of the night that stands go on; a break is then over."""
    ClubNight.objects.filter(pk=night_id).update(break_until=None)
    return _change_all(night_id, "clocks-resumed", clocks.resume, now, user_id)


@transaction.atomic
def take_break(
    *, night_id: int, minutes: int, now: datetime, user_id: int | None = None
) -> ClubNight:
    """Stop every clock, and say until when the break is; it ends when somebody ends it.

    :raises Refused: if no break is so short or so long.
    """
    _check_minutes(minutes, LONGEST_CLOCK)
    night = ClubNight.objects.select_for_update().get(pk=night_id)
    night.break_until = now + timedelta(minutes=minutes)
    night.save(update_fields=["break_until"])
    record_act(
        club_id=night.club_id,
        verb="break-taken",
        on={"night": night.pk},
        numbers={"minutes": minutes},
        user_id=user_id,
        at=now,
    )
    _change_all(night_id, "clocks-paused", clocks.pause, now, user_id)
    return night


@transaction.atomic
def give_minutes(
    *, sitting_id: int, minutes: int, now: datetime, user_id: int | None = None
) -> Round:
    """Give one table more time than the others.

    :raises Refused: if the round is not being played or has no clock, or nobody gives so much.
    """
    _check_minutes(minutes, LONGEST_GIFT)
    sitting = Sitting.objects.get(pk=sitting_id)
    round_ = _running(sitting.round_id)
    clock = clocks.read(round_.clock)
    if clock is None:
        raise Refused("no-clock", gettext_noop("This round has no clock to give minutes on."))
    _keep(round_, clocks.give(clock, minutes, sitting.number))
    numbers = {"table": sitting.number, "minutes": minutes}
    _record("minutes-given", round_, numbers, now, user_id)
    return round_


@transaction.atomic
def shorten_round(
    *, round_id: int, length: int, now: datetime, user_id: int | None = None
) -> Round:
    """Let the round end after fewer hands or games, alike at every table.

    :raises Refused: ``length`` if no round is so short, ``round-not-shorter`` if it would not be shorter, or ``played-more``
        if some table has played more than that.
    """
    # The tables first, in the order of their keys: each waits for a hand that is coming in.
    for pk in Sitting.objects.filter(round=round_id).order_by("pk").values_list("pk", flat=True):
        lock_sitting(pk)
    round_ = _running(round_id)
    unit = "games" if round_.games is not None else "hands"
    whole = getattr(round_, unit)
    kept_length(length)
    if whole is not None and length >= whole:
        raise Refused(
            "round-not-shorter",
            gettext_noop("Round %(number)d is of %(whole)s: shorter is less than that."),
            number=round_.number,
            whole=whole,
        )
    tables = _played(round_)
    furthest = max(tables, key=lambda table: table[1], default=None)
    if furthest and furthest[1] > length:
        raise Refused(
            "played-more",
            gettext_noop("Table %(table)d has played %(done)d already: no round is shorter."),
            table=furthest[2],
            done=furthest[1],
        )
    setattr(round_, unit, length)
    round_.save(update_fields=[unit])
    full = [pk for pk, done, _number in tables if done >= length]
    round_.sittings.filter(pk__in=full, finished_at=None).update(finished_at=now)
    _record("round-shortened", round_, {"from": whole, "to": length}, now, user_id)
    return round_


def _played(round_: Round) -> list[tuple[int, int, int]]:
    """Return the key of each table, how much of the round it has played, and its number."""
    hands = Count("hands", filter=Q(hands__struck_at=None))
    return [
        (sitting.pk, sitting.games_over if round_.games is not None else counted, sitting.number)
        for sitting in round_.sittings.annotate(counted=hands)
        for counted in [sitting.counted]
    ]


def _change_all(
    night_id: int,
    verb: str,
    change: Callable[[Clock, datetime], Clock],
    now: datetime,
    user_id: int | None,
) -> int:
    changed = 0
    rounds = Round.objects.select_related("tournament").select_for_update(of=("self",))
    for round_ in rounds.filter(night=night_id, state=RoundState.OPEN).order_by("pk"):
        clock = clocks.read(round_.clock)
        if clock is None or (after := change(clock, now)) == clock:
            continue
        _keep(round_, after)
        _record(verb, round_, {}, now, user_id)
        changed += 1
    return changed


def _running(round_id: int) -> Round:
    """Return a round that is being played, under its lock."""
    rounds = Round.objects.select_related("tournament").select_for_update(of=("self",))
    round_ = rounds.get(pk=round_id)
    if round_.state != RoundState.OPEN:
        raise Refused("round-not-open", gettext_noop("This round is not being played."))
    return round_


def _check_minutes(minutes: int, most: int) -> None:
    if not 1 <= minutes <= most:
        raise Refused(
            "minutes",
            gettext_noop("That takes from 1 to %(most)d minutes."),
            question="minutes",
            most=most,
        )


def _keep(round_: Round, clock: Clock) -> None:
    round_.clock = clocks.kept(clock)
    round_.save(update_fields=["clock"])


def _record(
    verb: str, round_: Round, numbers: Mapping[str, object], at: datetime, user_id: int | None
) -> None:
    record_act(
        club_id=round_.tournament.club_id,
        verb=verb,
        on={"tournament": round_.tournament_id, "round": round_.pk},
        numbers={"number": round_.number, **numbers},
        user_id=user_id,
        at=at,
    )
