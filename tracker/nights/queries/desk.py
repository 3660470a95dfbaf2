"""View models of the desk: the page on which organisers run a tournament, or all of a night.

A desk shows each round with its tables, the next step, and *issues* that wait for the organiser:
results in question, and calls. In *free play* tables form as people come, each as its own round.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from functools import cached_property
from math import ceil
from types import MappingProxyType

from django.db.models import BooleanField, Count, ExpressionWrapper, Q, Subquery

from tracker.common.names import PageNames, page_names
from tracker.models import (
    Attendance,
    ClubNight,
    Entrant,
    Issue,
    IssueKind,
    Movement,
    Rest,
    Round,
    RoundState,
    Rsvp,
    Tournament,
)
from tracker.models.nights import EARLY
from tracker.nights.queries.nights import Person, replies, waiting_at_door
from tracker.results.queries.hand_details import waits_for
from tracker.seating.queries.coming_round import rounds_until_all_met
from tracker.seating.queries.players import waiting_players
from tracker.standings.queries.brackets import bracket_and_rounds
from tracker.tables.clocks import ClockReading, read_round_clock
from tracker.tables.sql import read_tables
from tracker.tables.table_now import TableNow
from tracker.tournaments.queries import continues_elsewhere

USUAL_MINUTES = 25  # of a round's clock, if no minutes are planned


class NextStep(StrEnum):
    """What a tournament needs next, the most urgent first."""

    CLOSE = "close"  # close the round: all results are in
    TABLE = "table"  # seat one more table, in free play
    SEAT = "seat"  # draw the next round
    PUBLISH = "publish"  # publish the provisional standing: the last round is over
    FINISH = "finish"  # make the standing official: the time to object is over
    OBJECT = "object"  # wait while players may object to the provisional standing
    WAIT = "wait"  # wait while tables play


@dataclass(frozen=True, slots=True, kw_only=True)
class Needs:
    """Open issues, oldest first: results in question, and tables that call the organiser."""

    about_results: tuple[Issue, ...] = ()
    calls: tuple[Issue, ...] = ()

    @property
    def count(self) -> int:
        return len(self.about_results) + len(self.calls)


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskTable:
    """A table with its clock."""

    table: TableNow
    clock: ClockReading | None
    quiet: str  # for how long no result has come, in words; empty if that is not unusual

    @property
    def state(self) -> str:
        """Return a CSS class: "warn" to look at the table, "done" if it has all results, or ""."""
        if self.table.to_do.issues or self.table.to_do.calls or self.quiet:
            return "warn"
        return "done" if self.table.done and not self.table.short else ""

    @property
    def waits_for(self) -> str:
        """Return who has to confirm a hand; empty unless exactly one hand is unconfirmed."""
        if len(self.table.to_do.unconfirmed) != 1:
            return ""
        [(_number, reporting_side)] = self.table.to_do.unconfirmed
        return waits_for(self.table.coming_names, self.table.mode, reporting_side)


@dataclass(frozen=True, kw_only=True)
class RoundNow:
    """A tournament's last round with its tables, at the time ``now``."""

    round: Round | None  # ``None`` before the first round
    tables: tuple[DeskTable, ...]  # in free play, those of all open rounds
    now: datetime

    @property
    def open(self) -> bool:
        return self.round is not None and self.round.state == RoundState.OPEN

    @property
    def awaited(self) -> int:
        """Return how many tables keep the round open: results are missing or in question."""
        return sum(desk_table.table.is_awaited for desk_table in self.tables) if self.open else 0

    @property
    def tables_playing(self) -> int:
        """Return how many tables have results of the round still to come."""
        return sum(not desk_table.table.done for desk_table in self.tables) if self.open else 0

    @property
    def clock(self) -> ClockReading | None:
        return read_round_clock(self.round, now=self.now) if self.round else None

    @property
    def length(self) -> int | None:
        """Return how many games, or else hands, a table plays; ``None`` if there is no limit."""
        if self.round is None:
            return None
        return self.round.hands if self.round.games is None else self.round.games

    @property
    def before_first_result(self) -> bool:
        """Return whether round 1 is open without a result: phones have yet to scan their codes."""
        return self.in_round_1 and not any(desk_table.table.begun for desk_table in self.tables)

    @property
    def in_round_1(self) -> bool:
        return self.open and self.round is not None and self.round.number == 1

    @cached_property
    def step(self) -> NextStep | None:
        """Return the organiser's next step; ``None`` before the first round."""
        if self.round is None:
            return None
        tournament = self.round.tournament
        objections_end = tournament.provisional_until
        # In free play, tables are added until the standing is published.
        if tournament.movement == Movement.FREE and not objections_end:
            return NextStep.TABLE
        if self.open:
            return NextStep.WAIT if self.awaited else NextStep.CLOSE
        if objections_end is None:
            was_last = self.round.is_last or _is_played_out(tournament)
            return NextStep.PUBLISH if was_last else NextStep.SEAT
        return NextStep.FINISH if self.now >= objections_end else NextStep.OBJECT


@dataclass(frozen=True, kw_only=True)
class Desk(RoundNow):
    """The desk of a tournament; ``round`` is its last round that is not undone."""

    undone: Round | None  # the round that was undone last, if it can be restored
    needs: Needs
    resting: tuple[tuple[str, int], ...]  # who sits out: names, each with how often so far


def tournament_desk(tournament: Tournament, *, now: datetime) -> Desk:
    """Return the desk of a tournament, in a fixed number of queries."""
    played = tournament.rounds.not_undone().order_by("-number")
    undone = tournament.rounds.filter(state=RoundState.UNDONE).order_by("-pk")
    # One query reads both: the last round that is not undone, and the one that was undone last.
    is_last_played = Q(pk=Subquery(played.values("pk")[:1]))
    is_last_undone = Q(pk=Subquery(undone.values("pk")[:1]))
    last = last_undone = None
    for round_ in tournament.rounds.filter(is_last_played | is_last_undone):
        if round_.state == RoundState.UNDONE:
            last_undone = round_
        else:
            last = round_
    if last_undone and last and last_undone.number <= last.number:
        last_undone = None  # another round has replaced it
    needs = needs_of([tournament])
    rounds = rounds_shown(last) if last else []
    tables, resting, _names = tables_now(rounds, resting_of([last]) if last else ())
    at_desk = desk_tables(tables, rounds, now)
    return Desk(
        round=last, undone=last_undone, tables=at_desk, needs=needs, resting=resting, now=now
    )


def rounds_shown(last: Round) -> list[Round]:
    """Return the rounds whose tables are shown: the last one, and in free play all open ones."""
    if last.tournament.movement != Movement.FREE:
        return [last]
    running = last.tournament.rounds.filter(state=RoundState.OPEN)
    return [*running.exclude(pk=last.pk).order_by("number"), last]


def _is_played_out(tournament: Tournament) -> bool:
    """Return whether all matches of a knock-out are played, or all have met in a round robin.

    False for other movements, and for a round robin with a planned number of rounds.
    """
    if tournament.movement == Movement.ROUND_ROBIN and tournament.planned is None:
        return not rounds_until_all_met(tournament)
    bracket, _played = bracket_and_rounds(tournament)
    if bracket is None:
        return False
    # In a double knock-out, the second grand final is needed only if the first decided nothing.
    return all(match.done or not match.needed for match in bracket.matches)


def needs_of(tournaments: Collection[Tournament]) -> Needs:
    """Return the open issues of these tournaments' tables, in one query."""
    issues = (
        Issue.objects.waiting_in(tournaments)
        .select_related("sitting__round__tournament")
        .defer("sitting__session", "sitting__round__published_standing")
        .order_by("raised_at", "pk")
    )
    return Needs(
        about_results=tuple(issue for issue in issues if issue.kind != IssueKind.CALL),
        calls=tuple(issue for issue in issues if issue.kind == IssueKind.CALL),
    )


def desk_tables(
    tables: Iterable[TableNow], rounds: Iterable[Round], now: datetime
) -> tuple[DeskTable, ...]:
    """Return *tables* with their clocks at the time *now*; *rounds* are those that they are of."""
    round_of = {round_.pk: round_ for round_ in rounds}
    return tuple(
        DeskTable(
            table=table,
            clock=read_round_clock(round_of[table.round_id], now=now, table=table.number),
            quiet=table.quiet_for(now),
        )
        for table in tables
    )


def tables_now(
    rounds: Iterable[Round],
    resting: Collection[Entrant],
    others: Mapping[int, str] = MappingProxyType({}),
) -> tuple[list[TableNow], tuple[tuple[str, int], ...], PageNames]:
    """Return the tables of these rounds by number, who sits out, and the short names of all.

    Of *resting*, which ``resting_of`` gives, it returns each name with how often they have sat out.
    A short name is unique on the page: among the people at the tables, those resting, and *others*,
    names keyed by player. One query, two if results have to be confirmed by another side.
    """
    tables = read_tables(rounds=[round_.pk for round_ in rounds], to_do=True)
    people = [*others.items()]
    people += [(entrant.player_id, str(entrant)) for entrant in resting if entrant.player_id]
    people += [person for table in tables for person in table.people]
    names = page_names(people)
    tables.sort(key=lambda table: (table.number, table.sitting_id))
    # The name of a team is not shortened. ``resting_of`` has added ``times`` to each entrant.
    resting_names = tuple(
        (names.of_name.get(str(entrant), str(entrant)), getattr(entrant, "times", 1))
        for entrant in resting
    )
    return [replace(table, short_names=names.of_player) for table in tables], resting_names, names


def resting_of(rounds: Collection[Round]) -> list[Entrant]:
    """Return who sits out in these rounds, each with how many ``times`` so far, in one query."""
    rests = Rest.objects.sat_out()
    return list(
        Entrant.objects.filter(pk__in=rests.filter(round__in=rounds).values("entrant"))
        .annotate(times=Count("rests", filter=Q(rests__in=rests)))
        .select_related("player", "team")
        .order_by("pk")
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class NightDesk:
    """The desk of a night, with all its tournaments and tables."""

    night: ClubNight
    playing: tuple[RoundNow, ...]  # tournaments not official yet, the most urgent step first
    official: tuple[Tournament, ...]
    tables: tuple[DeskTable, ...]
    needs: Needs
    resting: tuple[tuple[str, int], ...]  # who sits out: names, each with how often so far
    free: tuple[str, ...]  # names of those who are checked in but sit at no table
    here: int  # how many are checked in
    waiting: Sequence[Person]  # new names at the door that the organiser has to let in
    rsvps: Mapping[str, Sequence[Rsvp]] | None  # by "yes" and "no"; None once a round has begun
    minutes: int  # proposed for the next clock
    now: datetime

    @property
    def first(self) -> RoundNow | None:
        """Return the tournament with the most urgent step."""
        return self.playing[0] if self.playing else None

    @property
    def begun(self) -> bool:
        return bool(self.playing or self.official)

    @property
    def before_first_result(self) -> bool:
        """Return whether a round 1 is open, and no table of the night has a result."""
        begins = any(round_now.in_round_1 for round_now in self.playing)
        return begins and not any(desk_table.table.begun for desk_table in self.tables)

    @property
    def several(self) -> bool:
        """Return whether the tables are of several tournaments."""
        return len({desk_table.table.tournament_id for desk_table in self.tables}) > 1

    @property
    def clocks(self) -> bool:
        """Return whether a round has a clock, running or not."""
        return any(round_now.clock for round_now in self.playing)

    @property
    def running(self) -> bool:
        """Return whether a clock runs."""
        clocks = [round_now.clock for round_now in self.playing]
        return any(clock is not None and clock.running for clock in clocks)

    @property
    def over(self) -> bool:
        return self.night.ended_at is not None

    @property
    def later(self) -> bool:
        """Return whether the hall is empty and the night is more than ``EARLY`` (8 hours) ahead."""
        return not self.here and self.night.starts_at > self.now + EARLY

    @property
    def can_end(self) -> bool:
        return not self.over and not any(round_now.open for round_now in self.playing)

    @property
    def break_left(self) -> int | None:
        """Return the minutes left of a break, rounded up; 0 after its end, ``None`` without one."""
        if self.night.break_until is None:
            return None
        return max(0, ceil((self.night.break_until - self.now).total_seconds() / 60))


def night_desk(night: ClubNight, *, now: datetime) -> NightDesk:
    """Return the desk of a night, in seven queries, and one more if its door is open."""
    followed = ExpressionWrapper(continues_elsewhere("tournament"), BooleanField())
    of_night = Round.objects.filter(night=night).not_undone().select_related("tournament")
    rounds = of_night.defer("published_standing").annotate(followed=followed).order_by("number")
    # Later rounds replace earlier ones, so that the last round of each tournament stays.
    last_rounds = list({round_.tournament_id: round_ for round_ in rounds}.values())
    # A tournament that is a stage needs nothing any more once another stage follows.
    unfinished = [
        round_
        for round_ in last_rounds
        if round_.tournament.official_at is None and not getattr(round_, "followed", False)
    ]
    # In free play several rounds are open at the same time.
    others_open = [
        round_ for round_ in rounds if round_.state == RoundState.OPEN and round_ not in unfinished
    ]
    people_here = dict(Attendance.objects.here(night).people().values_list("pk", "name"))
    rest = resting_of([round_ for round_ in unfinished if round_.state == RoundState.OPEN])
    shown = [*unfinished, *others_open]
    tables, resting, names = tables_now(shown, rest, people_here)
    at_desk = desk_tables(tables, shown, now)
    playing = []
    for round_ in unfinished:
        own = tuple(each for each in at_desk if each.table.tournament_id == round_.tournament_id)
        playing.append(RoundNow(round=round_, tables=own, now=now))
    urgency: list[NextStep | None] = list(NextStep)  # in order of definition
    playing.sort(key=lambda round_now: urgency.index(round_now.step))
    free = set(waiting_players(night))
    # Of each tournament the minutes of its last clock, or else those planned; the last one first.
    known = [last.clock.get("minutes") or last.tournament.minutes for last in reversed(last_rounds)]
    return NightDesk(
        night=night,
        playing=tuple(playing),
        official=tuple(last.tournament for last in last_rounds if last.tournament.official_at),
        tables=at_desk,
        needs=needs_of([last.tournament for last in last_rounds]),
        resting=resting,
        free=tuple(names.of_player[player] for player in people_here if player in free),
        here=len(people_here),
        waiting=waiting_at_door(night),
        rsvps=None if last_rounds else replies(night),
        minutes=next(filter(None, known), USUAL_MINUTES),
        now=now,
    )
