"""View model of the tournament desk: its tables, who sits out, and the organiser's next step."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from functools import cached_property
from types import MappingProxyType

from django.db.models import Count, Q, Subquery

from tracker.ledger.statements import read_tables
from tracker.ledger.table import TableNow
from tracker.models import (
    Entrant,
    Issue,
    IssueKind,
    Movement,
    Rest,
    Round,
    RoundState,
    Tournament,
)
from tracker.reports.queries.hand_details import waits_for
from tracker.seating.clock_face import ClockReading, clock_reading
from tracker.seating.queries.rounds import rounds_until_all_met
from tracker.standings.logic.called import PageNames, page_names
from tracker.standings.queries.brackets import bracket_and_rounds


class NextStep(StrEnum):
    """What a tournament needs next, the most urgent first."""

    CLOSE = "close"  # everything is in
    TABLE = "table"  # in free play the next thing is always a table for whoever is free
    SEAT = "seat"  # the coming round
    PUBLISH = "publish"  # that was the last round planned: put the standing up
    FINISH = "finish"  # nobody objected in time: make it official
    OBJECT = "object"  # the standing is up, and people may still object
    WAIT = "wait"  # tables are playing


@dataclass(frozen=True, slots=True, kw_only=True)
class Needs:
    """Open issues: hands to settle, the oldest first, and tables that call the organiser."""

    waiting: tuple[Issue, ...] = ()
    calls: tuple[Issue, ...] = ()

    @property
    def count(self) -> int:
        return len(self.waiting) + len(self.calls)


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskTable:
    """A table on a desk, with what its clock shows and for how long no result came."""

    now: TableNow
    clock: ClockReading | None
    quiet: str

    @property
    def state(self) -> str:
        """Return the CSS state of the table: ``warn``, ``done``, or nothing."""
        if self.now.to_do.issues or self.now.to_do.calls or self.quiet:
            return "warn"
        return "done" if self.now.done and not self.now.short else ""

    @property
    def waits_for(self) -> str:
        """Return whom its only unconfirmed hand waits for; of several hands nothing is said."""
        sides = [side for _, side in self.now.to_do.unconfirmed]
        return waits_for(self.now.coming_names, self.now.mode, *sides) if len(sides) == 1 else ""


@dataclass(frozen=True, kw_only=True)
class RoundNow:
    """The last round of a tournament, if there is one, with its tables and the next step."""

    round: Round | None
    tables: tuple[DeskTable, ...]
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
    def length(self) -> int | None:
        """Return of how many hands, or games, the round is."""
        if self.round is None:
            return None
        return self.round.hands if self.round.games is None else self.round.games

    @property
    def next_number(self) -> int:
        return self.round.number + 1 if self.round else 1

    @property
    def fresh(self) -> bool:
        """Return whether no phone has come yet: nothing of the first round is reported."""
        begins = self.open and self.next_number == 2
        return begins and not any(table.now.begun for table in self.tables)

    @cached_property
    def step(self) -> NextStep | None:
        """Return the organiser's next step, ``None`` before the first round."""
        if self.round is None:
            return None
        tournament = self.round.tournament
        until = tournament.provisional_until
        if tournament.movement == Movement.FREE and not until:
            return NextStep.TABLE
        if self.open:
            return NextStep.WAIT if self.waits else NextStep.CLOSE
        if until is None:
            over = self.round.is_last or _decided(tournament)
            return NextStep.PUBLISH if over else NextStep.SEAT
        return NextStep.FINISH if self.now >= until else NextStep.OBJECT


@dataclass(frozen=True, kw_only=True)
class Desk(RoundNow):
    """A tournament's last round and everything else that changes while people look."""

    undone: Round | None  # a round taken back that could still be restored
    needs: Needs
    resting: tuple[tuple[str, int], ...]  # and how often by now


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


def needs_of(tournaments: Collection[Tournament]) -> Needs:
    """Return the open issues of these tournaments, in one query."""
    issues = (
        Issue.objects.waiting_in(tournaments)
        .select_related("sitting__round__tournament")
        .defer("sitting__session", "sitting__round__published_standing")
        .order_by("raised_at", "pk")
    )
    return Needs(
        waiting=tuple(issue for issue in issues if issue.kind != IssueKind.CALL),
        calls=tuple(issue for issue in issues if issue.kind == IssueKind.CALL),
    )


def desk_tables(
    tables: Iterable[TableNow], rounds: Iterable[Round], now: datetime
) -> tuple[DeskTable, ...]:
    """Return these tables of these rounds as a desk shows them at this moment."""
    known = {round_.pk: round_ for round_ in rounds}
    return tuple(
        DeskTable(
            now=table,
            clock=clock_reading(known[table.round_id], now=now, table=table.number),
            quiet=table.quiet_for(now),
        )
        for table in tables
    )


def tables_now(
    rounds: Iterable[Round],
    resting: Collection[Entrant],
    beside: Mapping[int, str] = MappingProxyType({}),
) -> tuple[list[TableNow], tuple[tuple[str, int], ...], PageNames]:
    """Return the tables of these rounds by their numbers, who rests, and what all are called.

    Those *resting* come by name, each with how often they have by now: see ``resting_of``.
    It takes one query, and two where sides have to agree. People go by their first names, or by
    as much as tells them from all others there and from those *beside* them on the page, by player.
    """
    tables = read_tables(rounds=[round_.pk for round_ in rounds], to_do=True)
    others = {**beside, **{each.player_id: str(each) for each in resting if each.player_id}}
    names = page_names([*others.items(), *(person for table in tables for person in table.people)])
    tables.sort(key=lambda table: (table.number, table.sitting_id))
    called = tuple(
        (names.of_name.get(str(each), str(each)), getattr(each, "times", 1)) for each in resting
    )
    return [replace(table, short_names=names.of_player) for table in tables], called, names


def resting_of(rounds: Collection[Round]) -> list[Entrant]:
    """Return who rests in these rounds, with the ``times`` they have by now, in one query."""
    rests = Rest.objects.sat_out()
    return list(
        Entrant.objects.filter(pk__in=rests.filter(round__in=rounds).values("entrant"))
        .annotate(times=Count("rests", filter=Q(rests__in=rests)))
        .select_related("player", "team")
        .order_by("pk")
    )
