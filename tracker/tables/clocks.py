"""The clock of a round: pure arithmetic on moments, stored as JSON with the round.

It warns and never stops anybody: at the bell a table finishes its hand and deals no
more. Tables may have minutes more of their own.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

WARNED = timedelta(minutes=3)  # before the bell


@dataclass(frozen=True, slots=True, kw_only=True)
class Clock:
    """A clock that was started; ``extra`` are minutes by the number of a table."""

    minutes: int
    started_at: datetime
    paused_at: datetime | None = None
    pauses: tuple[tuple[datetime, datetime], ...] = ()
    extra: Mapping[int, int]

    @property
    def running(self) -> bool:
        return self.paused_at is None


def start(minutes: int, now: datetime) -> Clock:
    """Return a clock that runs from *now*."""
    return Clock(minutes=minutes, started_at=now, extra={})


def pause(clock: Clock, now: datetime) -> Clock:
    """Stop the clock; a stopped one stays as it is."""
    if not clock.running:
        return clock
    # A pause cannot begin before the last moment that the clock knows of.
    last = clock.pauses[-1][1] if clock.pauses else clock.started_at
    return replace(clock, paused_at=max(now, last))


def resume(clock: Clock, now: datetime) -> Clock:
    """Let the clock go on; one that runs stays as it is."""
    if clock.paused_at is None:
        return clock
    stood = (clock.paused_at, max(now, clock.paused_at))
    return replace(clock, paused_at=None, pauses=(*clock.pauses, stood))


def give(clock: Clock, minutes: int, table: int) -> Clock:
    """Return the clock with more minutes for one *table*."""
    return replace(clock, extra={**clock.extra, table: clock.extra.get(table, 0) + minutes})


def left(clock: Clock, now: datetime, table: int | None = None) -> timedelta:
    """Return how long there is to play, below zero past the bell.

    >>> from datetime import UTC
    >>> eight = datetime(2026, 11, 20, 20, 0, tzinfo=UTC)
    >>> clock = give(start(25, eight), 5, table=3)
    >>> [int(left(clock, eight, table).total_seconds()) // 60 for table in (None, 3)]
    [25, 30]
    """
    stood = sum((until - since for since, until in clock.pauses), timedelta())
    upto = clock.paused_at or max(now, clock.started_at)
    extra = clock.extra.get(table, 0) if table is not None else 0
    return timedelta(minutes=clock.minutes + extra) - (upto - clock.started_at - stood)


def rang(clock: Clock, now: datetime, table: int | None = None) -> bool:
    """Say whether the bell has gone: finish this hand, deal no more."""
    return left(clock, now, table) <= timedelta()


def face(duration: timedelta) -> str:
    """Return what is left as a clock shows it, before the bell.

    >>> face(timedelta(minutes=12, seconds=40)), face(timedelta(hours=1, seconds=3))
    ('12:40', '60:03')
    """
    minutes, seconds = divmod(max(0, int(duration.total_seconds())), 60)
    return f"{minutes}:{seconds:02d}"


def to_json(clock: Clock) -> dict[str, Any]:
    """Return the clock as it is saved with the round."""
    return {
        "minutes": clock.minutes,
        "started_at": clock.started_at.isoformat(),
        "paused_at": clock.paused_at.isoformat() if clock.paused_at else None,
        "pauses": [[since.isoformat(), until.isoformat()] for since, until in clock.pauses],
        "extra": {str(table): minutes for table, minutes in clock.extra.items()},
    }


def read(saved: Mapping[str, Any]) -> Clock | None:
    """Return the clock that was saved, or ``None`` for a round without one."""
    if not saved:
        return None
    paused_at = saved["paused_at"]
    return Clock(
        minutes=saved["minutes"],
        started_at=datetime.fromisoformat(saved["started_at"]),
        paused_at=datetime.fromisoformat(paused_at) if paused_at else None,
        pauses=tuple(
            (datetime.fromisoformat(since), datetime.fromisoformat(until))
            for since, until in saved["pauses"]
        ),
        extra={int(table): minutes for table, minutes in saved["extra"].items()},
    )
