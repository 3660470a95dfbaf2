"""Tables of open rounds as the desks show them: progress, open issues, and who sits out."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from types import MappingProxyType

from django.db.models import Count, Q

from tracker.ledger.statements import read_tables
from tracker.ledger.table import TableNow
from tracker.models import Entrant, Issue, IssueKind, Rest, Round, Tournament
from tracker.reports.queries.confirming import waits_for
from tracker.seating.clock_face import ClockReading, clock_reading
from tracker.standings.logic.called import PageNames, page_names


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
