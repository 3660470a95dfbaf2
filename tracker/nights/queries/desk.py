"""View models of the desk of a tournament and of the desk of a night."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from functools import cached_property
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

USUAL_MINUTES = 25


class NextStep(StrEnum):
    """What a tournament needs next, the most urgent first."""

    CLOSE = "close"  # all results are in
    TABLE = "table"  # in free play: a table for people who are free
    SEAT = "seat"  # draw the next round
    PUBLISH = "publish"  # the last planned round is over
    FINISH = "finish"  # the time to object is over: make the standing official
    OBJECT = "object"  # the standing is provisional, players may still object
    WAIT = "wait"  # tables are playing


@dataclass(frozen=True, slots=True, kw_only=True)
class Needs:
    """Open issues, oldest first: hands to settle, and tables that call the organiser."""

    waiting: tuple[Issue, ...] = ()
    calls: tuple[Issue, ...] = ()

    @property
    def count(self) -> int:
        return len(self.waiting) + len(self.calls)


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskTable:
    """A table on a desk, with its clock, and a text if no result came for long (``quiet``)."""

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
        """Return the side that has to confirm its one unconfirmed hand; empty if there are several."""
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
    def awaited(self) -> int:
        """Return how many tables keep the round from closing."""
        return sum(table.now.is_awaited for table in self.tables) if self.open else 0

    @property
    def still(self) -> int:
        """Return how many tables still play."""
        return sum(not table.now.done for table in self.tables) if self.open else 0

    @property
    def clock(self) -> ClockReading | None:
        return read_round_clock(self.round, now=self.now) if self.round else None

    @property
    def length(self) -> int | None:
        """Return how many hands, or games, the round has."""
        if self.round is None:
            return None
        return self.round.hands if self.round.games is None else self.round.games

    @property
    def next_number(self) -> int:
        return self.round.number + 1 if self.round else 1

    @property
    def fresh(self) -> bool:
        """Return whether this is the first round and nothing is reported: no phone has come yet."""
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
            return NextStep.WAIT if self.awaited else NextStep.CLOSE
        if until is None:
            over = self.round.is_last or _decided(tournament)
            return NextStep.PUBLISH if over else NextStep.SEAT
        return NextStep.FINISH if self.now >= until else NextStep.OBJECT


@dataclass(frozen=True, kw_only=True)
class Desk(RoundNow):
    """The desk of a tournament at its last round."""

    undone: Round | None  # a round taken back that could still be restored
    needs: Needs
    resting: tuple[tuple[str, int], ...]  # names, and how often they have sat out


def tournament_desk(tournament: Tournament, *, now: datetime) -> Desk:
    """Return the tournament's desk at its last round that is not undone, in a fixed number of queries."""
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
        undone = None  # a later round has replaced it
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
    """Return the rounds whose tables are shown: the last one, and in free play all open ones."""
    if last.tournament.movement != Movement.FREE:
        return [last]
    running = last.tournament.rounds.filter(state=RoundState.OPEN)
    return [*running.exclude(pk=last.pk).order_by("number"), last]


def _decided(tournament: Tournament) -> bool:
    """Return whether all matches of a knock-out are played, or all have met in a round robin.

    A round robin with a planned number of rounds ends with these. Other movements need no query.
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
    """Return the tables of these rounds with their clocks at this moment."""
    known = {round_.pk: round_ for round_ in rounds}
    return tuple(
        DeskTable(
            now=table,
            clock=read_round_clock(known[table.round_id], now=now, table=table.number),
            quiet=table.quiet_for(now),
        )
        for table in tables
    )


def tables_now(
    rounds: Iterable[Round],
    resting: Collection[Entrant],
    beside: Mapping[int, str] = MappingProxyType({}),
) -> tuple[list[TableNow], tuple[tuple[str, int], ...], PageNames]:
    """Return the tables of these rounds by number, the names of those *resting*, and all short names.

    Each name comes with how often they have sat out, see ``resting_of``. One query, two if sides have
    to agree. A short name is unique among the people of the tables, those resting, and the other
    people on the page, *beside*, by player.
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
    """Return who sits out in these rounds, with how many ``times`` they have by now, in one query."""
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
    resting: tuple[tuple[str, int], ...]  # names, and how often they have sat out
    free: tuple[str, ...]  # names of those who are here and sit at no table
    here: int
    waiting: Sequence[Person]  # new names at the door
    rsvps: Mapping[str, Sequence[Rsvp]] | None  # before the first round
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
    def fresh(self) -> bool:
        """Return whether first rounds are open and nothing is reported: no phone has come yet."""
        begins = any(each.open and each.next_number == 2 for each in self.playing)
        return begins and not any(table.now.begun for table in self.tables)

    @property
    def several(self) -> bool:
        """Return whether the tables are of several tournaments."""
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
        """Return the minutes that are left of a break, 0 if it should be over."""
        if self.night.break_until is None:
            return None
        seconds = (self.night.break_until - self.now).total_seconds()
        return max(0, -int(-seconds // 60))


def night_desk(night: ClubNight, *, now: datetime) -> NightDesk:
    """Return the desk of a night, in seven queries, and one more if its door is open."""
    standing = Round.objects.filter(night=night).exclude(state=RoundState.UNDONE)
    known = standing.select_related("tournament").defer("published_standing").order_by("number")
    known = known.annotate(
        continues_elsewhere=ExpressionWrapper(continues_elsewhere("tournament"), BooleanField())
    )
    # The last round of each tournament.
    rounds = list({round_.tournament_id: round_ for round_ in known}.values())
    # A stage that another one follows needs nothing any more.
    going = [
        round_
        for round_ in rounds
        if round_.tournament.official_at is None
        and not getattr(round_, "continues_elsewhere", False)
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
    # Those of the last clock, or as planned.
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
