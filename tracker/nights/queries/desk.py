"""What the organiser stands in front of: the desk of a tournament, and that of an evening."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from django.db.models import BooleanField, ExpressionWrapper, Q, Subquery
from django.utils.translation import gettext

from tracker.models import Attendance, ClubNight, Movement, Round, RoundState, Tournament
from tracker.models.nights import EARLY
from tracker.nights.queries.attendance import RsvpSummary, rsvp_summary
from tracker.nights.queries.tables import (
    DeskTable,
    Needs,
    Resting,
    beside_the_tables,
    needs_of,
    resting_of,
    tables_now,
)
from tracker.seating.clock_face import ClockReading, clock_reading
from tracker.seating.queries.seats import waiting_players
from tracker.standings.queries.brackets import bracket_of
from tracker.tournaments.queries import gone_on

USUAL_MINUTES = 25


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
    resting: tuple[Resting, ...]
    now: datetime

    @property
    def open(self) -> bool:
        return self.round is not None and self.round.state == RoundState.OPEN

    @property
    def waits(self) -> int:
        """Return how many tables the round waits for, with those that have something to settle."""
        if not self.open:
            return 0
        return sum(table.waits for table in self.tables)

    @property
    def still(self) -> int:
        """Return how many tables still play."""
        return sum(not table.finished for table in self.tables) if self.open else 0

    @property
    def clock(self) -> ClockReading | None:
        return clock_reading(self.round, now=self.now) if self.round else None

    @property
    def step(self) -> Step | None:
        """Return what comes next, once somebody has sat down."""
        return step_of(self.round, self.waits, self.now) if self.round else None

    @property
    def fresh(self) -> bool:
        """Say whether nothing has been reported yet, so that people still look for their table."""
        return self.open and not any(table.progress.done for table in self.tables)

    @property
    def next_number(self) -> int:
        return self.round.number + 1 if self.round else 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Playing:
    """A tournament of the night that is not official yet."""

    tournament: Tournament
    game: str
    round: Round
    step: Step
    waits: int  # tables that owe something
    still: int  # tables that still play
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
    needs: Needs
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
        return any(each.clock for each in self.playing)

    @property
    def running(self) -> bool:
        return any(each.clock and each.clock.running for each in self.playing)

    @property
    def over(self) -> bool:
        return self.night.ended_at is not None

    @property
    def later(self) -> bool:
        """Say whether it is another day's night, and nobody is here yet."""
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


def desk(tournament: Tournament, *, now: datetime) -> Desk:
    """Return the last round that stands, in a fixed number of queries."""
    last, undone = _last_rounds(tournament)
    needs = needs_of([tournament])
    resting = resting_of([last]) if last else ()
    rounds = rounds_shown(last) if last else []
    seated = tables_now(rounds, needs, now, beside=beside_the_tables(resting)) if last else None
    return Desk(
        round=last,
        undone=undone,
        tables=seated.tables if seated else (),
        needs=needs,
        resting=seated.resting(resting) if seated else (),
        now=now,
    )


def rounds_shown(last: Round) -> list[Round]:
    """Return the rounds whose tables are shown: the last, and in free play all that run."""
    if last.tournament.movement != Movement.FREE:
        return [last]
    running = Round.objects.filter(tournament=last.tournament, state=RoundState.OPEN)
    beside = list(running.exclude(pk=last.pk).order_by("number"))
    for round_ in beside:
        round_.tournament = last.tournament  # known already: no question of its own
    return [*beside, last]


def _last_rounds(tournament: Tournament) -> tuple[Round | None, Round | None]:
    """Return the last round that stands, and the last one taken back if it would come after."""
    rounds = Round.objects.filter(tournament=tournament)
    standing = rounds.exclude(state=RoundState.UNDONE)
    back = rounds.filter(state=RoundState.UNDONE)
    both = rounds.filter(
        Q(pk=Subquery(standing.order_by("-number").values("pk")[:1]))
        | Q(pk=Subquery(back.order_by("-pk").values("pk")[:1]))
    )
    last = undone = None
    for round_ in both:
        round_.tournament = tournament  # known already: no question of its own
        if round_.state == RoundState.UNDONE:
            undone = round_
        else:
            last = round_
    if undone and last and undone.number <= last.number:
        undone = None
    return last, undone


def night_desk(night: ClubNight, *, now: datetime) -> NightDesk:
    """Return a night that is known already, in seven more queries."""
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
    resting = resting_of([round_ for round_ in going if round_.state == RoundState.OPEN])
    others = {**here, **beside_the_tables(resting)}
    seated = tables_now([*going, *beside], needs, now, beside=others)
    tables = seated.tables
    playing = [_playing(round_, tables, now) for round_ in going]
    free = set(waiting_players(night))
    # The coming clock runs as long as the last one, or as is planned.
    minutes = (
        round_.clock.get("minutes") or round_.tournament.minutes for round_ in reversed(rounds)
    )
    urgency = list(Step)
    return NightDesk(
        night=night,
        playing=tuple(sorted(playing, key=lambda each: urgency.index(each.step))),
        official=tuple(
            round_.tournament for round_ in rounds if round_.tournament.official_at is not None
        ),
        tables=tables,
        needs=needs,
        resting=seated.resting(resting),
        free=tuple(seated.called[player] for player in here if player in free),
        here=len(here),
        rsvps=None if rounds else rsvp_summary(night),
        minutes=next(filter(None, minutes), USUAL_MINUTES),
        now=now,
    )


def _playing(round_: Round, tables: Sequence[DeskTable], now: datetime) -> Playing:
    """Return how far a tournament is in its last round; *tables* are those of the whole night."""
    own = [table for table in tables if table.tournament_id == round_.tournament_id]
    waits = sum(table.waits for table in own)
    return Playing(
        tournament=round_.tournament,
        game=gettext(round_.tournament.rules.name),
        round=round_,
        step=step_of(round_, waits, now),
        waits=waits,
        still=sum(table.open and not table.finished for table in own),
        clock=clock_reading(round_, now=now),
        tables=len(own),
    )


def step_of(round_: Round, waits: int, now: datetime) -> Step:
    """Return what comes next after this round, the last that stands."""
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
    """Say whether every match of a knock-out is played; only of one is the database asked."""
    bracket = bracket_of(tournament)
    if bracket is None:
        return False
    return all(match.done or not match.needed for match in bracket.matches)
