"""View model of the tournament desk, with the organiser's next step."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from django.db.models import Q, Subquery

from tracker.models import Movement, Round, RoundState, Tournament
from tracker.nights.queries.tables import (
    DeskTable,
    Needs,
    desk_tables,
    needs_of,
    resting_of,
    tables_now,
)
from tracker.seating.clock_face import ClockReading, clock_reading
from tracker.seating.queries.rounds import rounds_until_all_met
from tracker.standings.queries.brackets import bracket_and_rounds


class Step(StrEnum):
    """What a tournament needs next, the most urgent first."""

    CLOSE = "close"  # everything is in
    TABLE = "table"  # in free play the next thing is always a table for whoever is free
    SEAT = "seat"  # the coming round
    PUBLISH = "publish"  # that was the last round planned: put the standing up
    FINISH = "finish"  # nobody objected in time: make it official
    OBJECT = "object"  # the standing is up, and people may still object
    WAIT = "wait"  # tables are playing


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """A round and everything about it that changes while people look."""

    round: Round | None
    undone: Round | None  # a round taken back that could still be restored
    tables: tuple[DeskTable, ...]
    needs: Needs
    resting: tuple[tuple[str, int], ...]  # and how often by now
    now: datetime

    @property
    def open(self) -> bool:
        return self.round is not None and self.round.state == RoundState.OPEN

    @property
    def waits(self) -> int:
        """Return how many tables the round waits for, with those that have something to settle."""
        return sum(table.now.waits for table in self.tables) if self.open else 0

    @property
    def still(self) -> int:
        """Return how many tables still play."""
        return sum(not table.now.done for table in self.tables) if self.open else 0

    @property
    def clock(self) -> ClockReading | None:
        return clock_reading(self.round, now=self.now) if self.round else None

    @property
    def step(self) -> Step | None:
        """Return the organiser's next step, ``None`` before the first round."""
        return step_of(self.round, self.waits, self.now) if self.round else None

    @property
    def fresh(self) -> bool:
        """Return whether no phone has come yet: nothing of the first round is reported."""
        begins = self.open and self.next_number == 2
        return begins and not any(table.now.begun for table in self.tables)

    @property
    def next_number(self) -> int:
        return self.round.number + 1 if self.round else 1


def desk(tournament: Tournament, *, now: datetime) -> Desk:
    """Return the tournament's desk at its last round not undone, in a fixed number of queries."""
    standing = tournament.rounds.exclude(state=RoundState.UNDONE).order_by("-number")
    back = tournament.rounds.filter(state=RoundState.UNDONE).order_by("-pk")
    last = undone = None
    for round_ in tournament.rounds.filter(
        Q(pk=Subquery(standing.values("pk")[:1])) | Q(pk=Subquery(back.values("pk")[:1]))
    ):
        if round_.state == RoundState.UNDONE:
            undone = round_
        else:
            last = round_
    if undone and last and undone.number <= last.number:
        undone = None  # it would not come after the last one
    needs = needs_of([tournament])
    rounds = rounds_shown(last) if last else []
    tables, resting, _names = tables_now(rounds, resting_of([last]) if last else ())
    return Desk(
        round=last,
        undone=undone,
        tables=desk_tables(tables, rounds, now),
        needs=needs,
        resting=resting,
        now=now,
    )


def rounds_shown(last: Round) -> list[Round]:
    """Return the rounds whose tables are shown: the last, and in free play all that run."""
    if last.tournament.movement != Movement.FREE:
        return [last]
    running = last.tournament.rounds.filter(state=RoundState.OPEN)
    return [*running.exclude(pk=last.pk).order_by("number"), last]


def step_of(round_: Round, waits: int, now: datetime) -> Step:
    """Return the organiser's next step after this round, the last one not undone."""
    if round_.tournament.movement == Movement.FREE and not round_.tournament.provisional_until:
        return Step.TABLE
    if round_.state == RoundState.OPEN:
        return Step.WAIT if waits else Step.CLOSE
    until = round_.tournament.provisional_until
    if until is None:
        over = round_.is_last or _decided(round_.tournament)
        return Step.PUBLISH if over else Step.SEAT
    return Step.FINISH if now >= until else Step.OBJECT


def _decided(tournament: Tournament) -> bool:
    """Return whether all matches of a knock-out are played, or all have met in a round robin.

    A round robin of which a number of rounds was planned ends with them. Of other movements
    the database is not asked.
    """
    if tournament.movement == Movement.ROUND_ROBIN and tournament.planned is None:
        return not rounds_until_all_met(tournament)
    bracket, _played = bracket_and_rounds(tournament)
    if bracket is None:
        return False
    return all(match.done or not match.needed for match in bracket.matches)
