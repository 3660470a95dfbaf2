"""The clock of a round: stored as JSON with the round, and read for pages.

The clock warns and never stops play: when time is up a table finishes its hand and deals no more.
The organiser may give single tables extra minutes.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Self

from django.utils.translation import gettext

from tracker.models import Round, RoundState

_WARNING_TIME = timedelta(minutes=3)
# After time has been up for this long, the clock no longer shows for how many minutes.
_LONG_AGO = timedelta(minutes=60)


@dataclass(frozen=True, slots=True, kw_only=True)
class Clock:
    """A clock that was started; it may be paused."""

    minutes: int  # to play from ``started_at`` on, pauses not counted
    started_at: datetime
    paused_at: datetime | None = None  # set while the clock is paused
    pauses: tuple[tuple[datetime, datetime], ...] = ()  # (start, end) of earlier pauses
    extra: Mapping[int, int]  # number of a table -> the extra minutes that only it has

    @classmethod
    def start(cls, minutes: int, now: datetime) -> Self:
        return cls(minutes=minutes, started_at=now, extra={})

    @property
    def running(self) -> bool:
        return self.paused_at is None

    def pause(self, now: datetime) -> Self:
        """Return the clock paused; a paused clock is returned unchanged."""
        if not self.running:
            return self
        # The system clock may have been set back: no pause begins before the previous one ended.
        earliest = self.pauses[-1][1] if self.pauses else self.started_at
        return replace(self, paused_at=max(now, earliest))

    def resume(self, now: datetime) -> Self:
        """Return the clock running; a running clock is returned unchanged."""
        if self.paused_at is None:
            return self
        pause = (self.paused_at, max(now, self.paused_at))
        return replace(self, paused_at=None, pauses=(*self.pauses, pause))

    def add_minutes(self, minutes: int, table: int) -> Self:
        """Return the clock with more minutes for the *table* of this number."""
        return replace(self, extra={**self.extra, table: self.extra.get(table, 0) + minutes})

    def time_left(self, now: datetime, table: int | None = None) -> timedelta:
        """Return the time to play, with the extra minutes of a *table* if given; below 0 after it.

        >>> from datetime import UTC
        >>> eight = datetime(2026, 11, 20, 20, 0, tzinfo=UTC)
        >>> clock = Clock.start(25, eight).add_minutes(5, table=3)
        >>> [int(clock.time_left(eight, table).total_seconds()) // 60 for table in (None, 3)]
        [25, 30]
        """
        paused = sum((end - start for start, end in self.pauses), timedelta())
        # While the clock is paused, it stands at the moment when the pause began.
        elapsed = (self.paused_at or max(now, self.started_at)) - self.started_at - paused
        extra = self.extra.get(table, 0) if table is not None else 0
        return timedelta(minutes=self.minutes + extra) - elapsed

    def to_json(self) -> dict[str, Any]:
        return {
            "minutes": self.minutes,
            "started_at": self.started_at.isoformat(),
            "paused_at": self.paused_at.isoformat() if self.paused_at else None,
            "pauses": [[start.isoformat(), end.isoformat()] for start, end in self.pauses],
            "extra": {str(table): minutes for table, minutes in self.extra.items()},
        }


def read_clock(stored: Mapping[str, Any]) -> Clock | None:
    """Return the clock stored with a round, or ``None`` for a round without one."""
    if not stored:
        return None
    paused_at = stored["paused_at"]
    return Clock(
        minutes=stored["minutes"],
        started_at=datetime.fromisoformat(stored["started_at"]),
        paused_at=datetime.fromisoformat(paused_at) if paused_at else None,
        pauses=tuple(
            (datetime.fromisoformat(start), datetime.fromisoformat(end))
            for start, end in stored["pauses"]
        ),
        extra={int(table): minutes for table, minutes in stored["extra"].items()},
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockReading:
    """What the clock of a round shows at one moment, for all tables or for one."""

    bell_id: str  # by which the page's script remembers that the clock rang
    left: timedelta  # to play; below zero when time is up
    running: bool
    extra: int  # the extra minutes of the one table; 0 for all tables

    @property
    def seconds(self) -> int:
        return int(self.left.total_seconds())

    @property
    def has_rung(self) -> bool:
        """Return whether time is up: finish this hand, deal no more."""
        return self.left <= timedelta()

    @property
    def rings_soon(self) -> bool:
        return not self.has_rung and self.left <= _WARNING_TIME

    @property
    def rang_long_ago(self) -> bool:
        return self.seconds <= -_LONG_AGO.total_seconds()

    @property
    def text(self) -> str:
        """Return the minutes and seconds left, or for how many minutes time has been up.

        >>> lefts = timedelta(minutes=12, seconds=40), timedelta(hours=1, seconds=3)
        >>> [ClockReading(bell_id="1", left=left, running=True, extra=0).text for left in lefts]
        ['12:40', '60:03']
        """
        if not self.has_rung:
            return f"{self.seconds // 60}:{self.seconds % 60:02d}"
        minutes = -self.seconds // 60
        if self.rang_long_ago or not minutes:
            return self.time_is_up
        return self.minutes_over.format(minutes=minutes)

    @property
    def time_is_up(self) -> str:
        """Return the text for the first minute after time is up, and after ``_LONG_AGO`` again."""
        return gettext("Time is up")

    @property
    def minutes_over(self) -> str:
        """Return the text for later minutes; the page's script replaces {minutes} as well."""
        return gettext("{minutes} min over")

    @property
    def warning_seconds(self) -> int:
        return int(_WARNING_TIME.total_seconds())


def read_round_clock(
    round_: Round, *, now: datetime, table: int | None = None
) -> ClockReading | None:
    """Return what an open round's clock shows, for the *table* of this number or for all."""
    clock = read_clock(round_.clock)
    if clock is None or round_.state != RoundState.OPEN:
        return None
    return ClockReading(
        bell_id=f"{round_.pk}" if table is None else f"{round_.pk}-{table}",
        left=clock.time_left(now, table),
        running=clock.running,
        extra=clock.extra.get(table, 0) if table is not None else 0,
    )
