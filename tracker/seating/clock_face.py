"""What a clock shows."""

from dataclasses import dataclass
from datetime import datetime

from tracker.models import Round, RoundState
from tracker.seating.logic import clocks


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockReading:
    """A clock at one moment; ``seconds`` are below zero past the bell."""

    face: str
    seconds: int
    running: bool
    rang: bool
    minutes: int
    extra: int  # minutes that this table has more than the others


def clock_reading(round_: Round, *, now: datetime, table: int | None = None) -> ClockReading | None:
    """Return what the clock of a round shows, for one of its tables or for all."""
    clock = clocks.read(round_.clock)
    if clock is None or round_.state != RoundState.OPEN:
        return None
    left = clocks.left(clock, now, table)
    return ClockReading(
        face=clocks.face(left),
        seconds=int(left.total_seconds()),
        running=clock.running,
        rang=clocks.rang(clock, now, table),
        minutes=clock.minutes,
        extra=clock.extra.get(table, 0) if table is not None else 0,
    )
