"""What the organiser stands in front of: the round, its tables, and what needs a person."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from django.db.models import Count, OuterRef, Q, Subquery
from django.utils.translation import gettext, gettext_lazy

from tracker.common.wording import names_of
from tracker.models import (
    Issue,
    IssueKind,
    Progress,
    Rest,
    Round,
    RoundState,
    Seat,
    Sitting,
    Tournament,
)
from tracker.seating.queries.clocks import ClockReading, clock_reading

QUIET_AFTER = timedelta(minutes=8)
_SAID = {
    IssueKind.CONFLICT: gettext_lazy("two different counts"),
    IssueKind.PARKED: gettext_lazy("it would not add up"),
    IssueKind.LATE: gettext_lazy("it came after the round had closed"),
    IssueKind.QUERY: gettext_lazy("a player thinks it is wrong"),
}


class Step(StrEnum):
    """What a tournament needs next, the most urgent first."""

    CLOSE = "close"  # everything is in
    SEAT = "seat"  # the coming round
    PUBLISH = "publish"  # that was the last round planned: put the standing up
    FINISH = "finish"  # nobody objected in time: make it official
    OBJECT = "object"  # the standing is up, and people may still object
    WAIT = "wait"  # tables are playing


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """Something about a hand that somebody has to settle."""

    issue_id: int
    tournament: str
    round: int
    past: bool  # the round is over
    table: int
    unit: str  # "Hand 6"
    says: str
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskTable:
    """One table of the round, as it is this minute."""

    sitting_id: int
    tournament_id: int
    tournament: str
    number: int
    address: str  # of its own page
    card_token: str
    code: str
    sides: tuple[str, ...]
    dealer: str
    progress: Progress
    open: bool  # its round is being played
    finished: bool
    quiet: int | None  # minutes, if that is long
    issues: int
    clock: ClockReading | None

    @property
    def state(self) -> str:
        """Return what should meet the eye: ``warn``, ``done``, or nothing."""
        if self.issues or self.quiet is not None:
            return "warn"
        return "done" if self.finished else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Resting:
    name: str
    times: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """A round and everything about it that changes while people look."""

    round: Round | None
    undone: Round | None  # a round taken back that could still be restored
    tables: tuple[DeskTable, ...]
    waiting: tuple[Waiting, ...]
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
        return sum(not table.finished or table.issues > 0 for table in self.tables)

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


def desk(tournament: Tournament, *, now: datetime) -> Desk:
    """Return the last round that stands, in a fixed number of queries."""
    last, undone = _last_rounds(tournament)
    waiting = waiting_of([tournament])
    return Desk(
        round=last,
        undone=undone,
        tables=tables_of([last], waiting, now) if last else (),
        waiting=tuple(waiting_line(issue) for issue in waiting),
        resting=resting_of([last]) if last else (),
        now=now,
    )


def step_of(round_: Round, waits: int, now: datetime) -> Step:
    """Return what comes next after this round, the last that stands."""
    if round_.state == RoundState.OPEN:
        return Step.WAIT if waits else Step.CLOSE
    until = round_.tournament.provisional_until
    if until is None:
        return Step.PUBLISH if round_.is_last else Step.SEAT
    return Step.FINISH if now >= until else Step.OBJECT


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


def waiting_of(tournaments: Collection[Tournament]) -> list[Issue]:
    """Return what somebody has to settle in these tournaments, in one query."""
    return list(
        Issue.objects.filter(sitting__round__tournament__in=tournaments, settled_at=None)
        .exclude(sitting__round__state=RoundState.UNDONE)
        .select_related("sitting__round__tournament")
        .defer("sitting__session", "sitting__round__published_standing")
        .order_by("raised_at", "pk")
    )


def waiting_line(issue: Issue) -> Waiting:
    """Return an issue in words."""
    tournament = issue.sitting.round.tournament
    unit = tournament.rules.unit
    return Waiting(
        issue_id=issue.pk,
        tournament=tournament.name,
        round=issue.sitting.round.number,
        past=issue.sitting.round.state != RoundState.OPEN,
        table=issue.sitting.number,
        unit=gettext(unit.numbered) % {"number": issue.number},
        says=str(_SAID[IssueKind(issue.kind)]),
        note=issue.note,
    )


def tables_of(
    rounds: Sequence[Round], waiting: Sequence[Issue], now: datetime
) -> tuple[DeskTable, ...]:
    """Return the tables of these rounds by their numbers, in two queries."""
    known = {round_.pk: round_ for round_ in rounds}
    sittings = (
        Sitting.objects.filter(round__in=known).select_related("table").order_by("number", "pk")
    )
    people: dict[int, dict[int, str]] = defaultdict(dict)
    for seat in Seat.objects.running().filter(round__in=known).select_related("player"):
        people[seat.sitting_id][seat.place] = seat.player.name
    return tuple(
        _table(
            known[sitting.round_id],
            sitting,
            people[sitting.pk],
            waiting,
            now,
        )
        for sitting in sittings
    )


def _table(
    round_: Round,
    sitting: Sitting,
    people: dict[int, str],
    waiting: Iterable[Issue],
    now: datetime,
) -> DeskTable:
    rules = round_.tournament.rules
    mode = rules.mode(sitting.mode, rules.resume_options(sitting.options))
    names = names_of(mode, [people.get(place, gettext("nobody")) for place in range(mode.seats)])
    progress = sitting.progress(round_)
    finished = sitting.finished_at is not None or progress.whole
    silence = now - (sitting.last_at or sitting.started_at)
    quiet = silence >= QUIET_AFTER and not finished and round_.state == RoundState.OPEN
    return DeskTable(
        sitting_id=sitting.pk,
        tournament_id=round_.tournament_id,
        tournament=round_.tournament.name,
        number=sitting.number,
        address=sitting.get_absolute_url(),
        card_token=sitting.table.card_token if sitting.table else "",
        code=sitting.table.code if sitting.table else "",
        sides=names.sides,
        dealer=names.at(sitting.coming_dealer),
        progress=progress,
        finished=finished,
        quiet=int(silence.total_seconds() // 60) if quiet else None,
        issues=sum(issue.sitting_id == sitting.pk for issue in waiting),
        open=round_.state == RoundState.OPEN,
        clock=clock_reading(round_, now=now, table=sitting.number),
    )


def resting_of(rounds: Collection[Round]) -> tuple[Resting, ...]:
    """Return who rests in these rounds, each with how often they have by now, in one query."""
    before = (
        Rest.objects.sat_out()
        .filter(entrant=OuterRef("entrant"))
        .order_by()
        .values("entrant")
        .values_list(Count("pk"))
    )
    rests = (
        Rest.objects.sat_out()
        .filter(round__in=rounds)
        .annotate(times=Subquery(before))
        .select_related("entrant__player", "entrant__team")
    )
    return tuple(
        Resting(name=str(rest.entrant), times=rest.times) for rest in rests.order_by("entrant")
    )
