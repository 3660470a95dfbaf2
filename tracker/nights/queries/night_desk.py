"""View model of the night desk: all tournaments and tables of a club night."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import BooleanField, ExpressionWrapper

from tracker.models import Attendance, ClubNight, Round, RoundState, Rsvp, Tournament
from tracker.models.nights import EARLY
from tracker.nights.queries.attendance import Person, replies, waiting_at_door
from tracker.nights.queries.desk import (
    DeskTable,
    Needs,
    NextStep,
    RoundNow,
    desk_tables,
    needs_of,
    resting_of,
    tables_now,
)
from tracker.seating.queries.seats import waiting_players
from tracker.tournaments.queries import gone_on

USUAL_MINUTES = 25


@dataclass(frozen=True, slots=True, kw_only=True)
class NightDesk:
    """An evening, and everything about it that changes while people look."""

    night: ClubNight
    playing: tuple[RoundNow, ...]  # not official yet, whatever needs somebody first
    official: tuple[Tournament, ...]
    tables: tuple[DeskTable, ...]
    needs: Needs
    resting: tuple[tuple[str, int], ...]  # and how often by now
    free: tuple[str, ...]  # here, and at no table
    here: int
    waiting: Sequence[Person]  # new names at the door
    rsvps: Mapping[str, Sequence[Rsvp]] | None  # before anybody sits down
    minutes: int  # of the last clock, for the next one
    now: datetime

    @property
    def first(self) -> RoundNow | None:
        """Return the tournament whose next step is the next thing to do."""
        return self.playing[0] if self.playing else None

    @property
    def begun(self) -> bool:
        return bool(self.playing or self.official)

    @property
    def fresh(self) -> bool:
        """Return whether no phone has come yet: nothing of a first round is reported."""
        begins = any(each.open and each.next_number == 2 for each in self.playing)
        return begins and not any(table.now.begun for table in self.tables)

    @property
    def several(self) -> bool:
        """Say whether tables must be told apart by their tournament."""
        return len({table.now.tournament_id for table in self.tables}) > 1

    @property
    def clocks(self) -> bool:
        return any(each.clock for each in self.playing)

    @property
    def running(self) -> bool:
        return any(each.clock and each.clock.running for each in self.playing)

    @property
    def over(self) -> bool:
        return self.night.ended_at is not None

    @property
    def later(self) -> bool:
        """Return whether the night is on a later day and no player has arrived."""
        return not self.here and self.night.starts_at > self.now + EARLY

    @property
    def can_end(self) -> bool:
        return not self.over and not any(each.open for each in self.playing)

    @property
    def break_left(self) -> int | None:
        """Return how many minutes of a break are left, 0 when it should be over."""
        if self.night.break_until is None:
            return None
        seconds = (self.night.break_until - self.now).total_seconds()
        return max(0, -int(-seconds // 60))


def night_desk(night: ClubNight, *, now: datetime) -> NightDesk:
    """Return a night that is known already, in seven more queries, and one for its door."""
    standing = Round.objects.filter(night=night).exclude(state=RoundState.UNDONE)
    known = standing.select_related("tournament").defer("published_standing").order_by("number")
    known = known.annotate(gone_on=ExpressionWrapper(gone_on("tournament"), BooleanField()))
    # Of every tournament the last.
    rounds = list({round_.tournament_id: round_ for round_ in known}.values())
    # Where a stage follows there is nothing to do any more.
    going = [
        round_
        for round_ in rounds
        if round_.tournament.official_at is None and not getattr(round_, "gone_on", False)
    ]
    needs = needs_of([round_.tournament for round_ in rounds])
    beside = [each for each in known if each.state == RoundState.OPEN and each not in going]
    here = dict(Attendance.objects.here(night).people().values_list("pk", "name"))
    rest = resting_of([round_ for round_ in going if round_.state == RoundState.OPEN])
    shown = [*going, *beside]
    tables, resting, names = tables_now(shown, rest, here)
    at_desk = desk_tables(tables, shown, now)
    playing = [
        RoundNow(
            round=round_,
            tables=tuple(t for t in at_desk if t.now.tournament_id == round_.tournament_id),
            now=now,
        )
        for round_ in going
    ]
    free = set(waiting_players(night))
    # The coming clock runs as long as the last one, or as is planned.
    minutes = (
        round_.clock.get("minutes") or round_.tournament.minutes for round_ in reversed(rounds)
    )
    urgency: list[NextStep | None] = list(NextStep)
    return NightDesk(
        night=night,
        playing=tuple(sorted(playing, key=lambda each: urgency.index(each.step))),
        official=tuple(
            round_.tournament for round_ in rounds if round_.tournament.official_at is not None
        ),
        tables=at_desk,
        needs=needs,
        resting=resting,
        free=tuple(names.of_player[player] for player in here if player in free),
        here=len(here),
        waiting=waiting_at_door(night),
        rsvps=None if rounds else replies(night),
        minutes=next(filter(None, minutes), USUAL_MINUTES),
        now=now,
    )
