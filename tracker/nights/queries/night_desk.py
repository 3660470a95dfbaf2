"""What the organiser of an evening stands in front of, over all its tournaments."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext

from tracker.models import ClubNight, Rest, Round, RoundState, Seat, Tournament
from tracker.nights.queries.desk import (
    DeskTable,
    Resting,
    Step,
    Waiting,
    resting_of,
    step_of,
    tables_of,
    waiting_line,
    waiting_of,
)
from tracker.nights.queries.nights import EARLY, RsvpSummary, present, rsvp_summary
from tracker.seating.queries.clocks import ClockReading, clock_reading

USUAL_MINUTES = 25


@dataclass(frozen=True, slots=True, kw_only=True)
class Playing:
    """A tournament of the night that is not official yet."""

    tournament: Tournament
    game: str
    round: Round
    step: Step
    waits: int  # tables that owe something
    clock: ClockReading | None
    tables: int

    @property
    def open(self) -> bool:
        return self.round.state == RoundState.OPEN

    @property
    def length(self) -> int | None:
        """Return of how many hands, or games, the round is."""
        return self.round.games if self.round.games is not None else self.round.hands


@dataclass(frozen=True, slots=True, kw_only=True)
class NightDesk:
    """An evening, and everything about it that changes while people look."""

    night: ClubNight
    playing: tuple[Playing, ...]  # whatever needs somebody first
    official: tuple[Tournament, ...]
    tables: tuple[DeskTable, ...]
    waiting: tuple[Waiting, ...]
    resting: tuple[Resting, ...]
    free: tuple[str, ...]  # here, and at no table
    here: int
    rsvps: RsvpSummary | None  # before anybody sits down
    minutes: int  # of the last clock, for the next one
    now: datetime

    @property
    def first(self) -> Playing | None:
        """Return the tournament whose next step is the next thing to do."""
        return self.playing[0] if self.playing else None

    @property
    def begun(self) -> bool:
        return bool(self.playing or self.official)

    @property
    def fresh(self) -> bool:
        """Say whether people still look for a table: one is open, and has told nothing yet."""
        return any(table.open and not table.progress.done for table in self.tables)

    @property
    def several(self) -> bool:
        """Say whether tables must be told apart by their tournament."""
        return len({table.tournament_id for table in self.tables}) > 1

    @property
    def clocks(self) -> bool:
        return any(one.clock for one in self.playing)

    @property
    def running(self) -> bool:
        return any(one.clock and one.clock.running for one in self.playing)

    @property
    def over(self) -> bool:
        return self.night.ended_at is not None

    @property
    def later(self) -> bool:
        """Say whether it is another day's night, and nobody is here yet."""
        return not self.here and self.night.starts_at > self.now + EARLY

    @property
    def can_end(self) -> bool:
        return not self.over and not any(one.open for one in self.playing)

    @property
    def break_left(self) -> int | None:
        """Return how many minutes of a break are left, 0 when it should be over."""
        if self.night.break_until is None:
            return None
        seconds = (self.night.break_until - self.now).total_seconds()
        return max(0, -int(-seconds // 60))


def night_desk(night: ClubNight, *, now: datetime) -> NightDesk:
    """Return a night that was found already, in seven more queries."""
    rounds = _last_rounds(night)
    going = [round_ for round_ in rounds if round_.tournament.official_at is None]
    waiting = waiting_of([round_.tournament for round_ in rounds])
    tables = tables_of(going, waiting, now)
    opened = [round_ for round_ in going if round_.state == RoundState.OPEN]
    rests = Rest.objects.sat_out().filter(round__in=opened)
    people = dict(present(night).values_list("pk", "name"))
    seated = Seat.objects.running().filter(round__in=opened).values_list("player", flat=True)
    busy = {*rests.people().values_list("pk", flat=True).union(seated)}
    playing = [_playing(round_, tables, now) for round_ in going]
    order = list(Step)
    return NightDesk(
        night=night,
        playing=tuple(sorted(playing, key=lambda one: order.index(one.step))),
        official=tuple(
            round_.tournament for round_ in rounds if round_.tournament.official_at is not None
        ),
        tables=tables,
        waiting=tuple(waiting_line(issue) for issue in waiting),
        resting=resting_of(opened),
        free=tuple(name for player, name in people.items() if player not in busy),
        here=len(people),
        rsvps=None if rounds else rsvp_summary(night),
        minutes=_minutes(rounds),
        now=now,
    )


def tournaments_of(night: ClubNight) -> tuple[Tournament, ...]:
    """Return what was played at the night, for anybody to read, in one query."""
    rounds = night.rounds.exclude(state=RoundState.UNDONE)
    return tuple(Tournament.objects.filter(pk__in=rounds.values("tournament")).order_by("pk"))


def _last_rounds(night: ClubNight) -> list[Round]:
    """Return the last round of every tournament of the night."""
    rounds = (
        Round.objects.filter(night=night)
        .exclude(state=RoundState.UNDONE)
        .select_related("tournament")
        .defer("published_standing")
        .order_by("number")
    )
    return list({round_.tournament_id: round_ for round_ in rounds}.values())


def _minutes(rounds: Sequence[Round]) -> int:
    """Return how long the coming clock is to run: as the last one, or as is planned."""
    for round_ in reversed(rounds):
        if minutes := round_.clock.get("minutes") or round_.tournament.minutes:
            return int(minutes)
    return USUAL_MINUTES


def _playing(round_: Round, tables: Iterable[DeskTable], now: datetime) -> Playing:
    own = [table for table in tables if table.tournament_id == round_.tournament_id]
    waits = sum(not table.finished or table.issues > 0 for table in own)
    return Playing(
        tournament=round_.tournament,
        game=gettext(round_.tournament.rules.name),
        round=round_,
        step=step_of(round_, waits, now),
        waits=waits,
        clock=clock_reading(round_, now=now),
        tables=len(own),
    )
