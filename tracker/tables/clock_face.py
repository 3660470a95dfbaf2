"""What a clock shows."""

from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext_lazy

from tracker.models import Round, RoundState
from tracker.tables import clocks

_UP, _OVER = gettext_lazy("Time is up"), gettext_lazy("{minutes} min over")
LONG_OVER = 60  # minutes, after which nobody counts them


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockReading:
    """A clock at one moment; ``seconds`` are below zero past the bell."""

    bell: str  # which bell it counts down to: the round's, or a table's own
    face: str
    seconds: int
    running: bool
    warns: bool  # the bell is near
    rang: bool
    long: bool  # it rang so long ago that nobody counts the minutes
    minutes: int
    extra: int  # minutes that this table has more than the others

    @property
    def up(self) -> str:
        """Return the face of the first minute past the bell, and of a clock long past it."""
        return str(_UP)

    @property
    def over(self) -> str:
        """Return the face after that, with a hole for the minutes, as a script fills it too."""
        return str(_OVER)

    @property
    def warned(self) -> int:
        """Return how many seconds before the bell people are warned."""
        return int(clocks.WARNED.total_seconds())


def clock_reading(round_: Round, *, now: datetime, table: int | None = None) -> ClockReading | None:
    """Return what the clock of a round shows, for one of its tables or for all."""
    clock = clocks.read(round_.clock)
    if clock is None or round_.state != RoundState.OPEN:
        return None
    left = clocks.left(clock, now, table)
    rang, late = clocks.rang(clock, now, table), max(0, -int(left.total_seconds())) // 60
    past = str(_OVER).format(minutes=late) if 0 < late < LONG_OVER else str(_UP)
    return ClockReading(
        bell=f"{round_.pk}" if table is None else f"{round_.pk}-{table}",
        face=past if rang else clocks.face(left),
        seconds=int(left.total_seconds()),
        running=clock.running,
        warns=not rang and left <= clocks.WARNED,
        rang=rang,
        long=rang and late >= LONG_OVER,
        minutes=clock.minutes,
        extra=clock.extra.get(table, 0) if table is not None else 0,
    )
