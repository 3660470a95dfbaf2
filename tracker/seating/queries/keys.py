"""The keys of a tournament's tables: which cards there are, and where they lead now."""

from dataclasses import dataclass

from tracker.models import RoundState, Sitting, Table, Tournament
from tracker.seating.logic.guessing import OLD_LENGTH
from tracker.seating.queries.tables import tables_of


@dataclass(frozen=True, slots=True, kw_only=True)
class TableKeys:
    """A table with the sitting that is played there now, if any."""

    table: Table
    sitting: Sitting | None

    @property
    def old_code(self) -> bool:
        """Say whether its code is one of those that are sooner guessed."""
        return len(self.table.code) <= OLD_LENGTH


def table_keys(tournament: Tournament) -> list[TableKeys]:
    """Return the tables of a tournament with what is played there, in two queries."""
    tables = list(tables_of(tournament))
    open_sittings = Sitting.objects.filter(table__in=tables, round__state=RoundState.OPEN)
    # Of two that are open at one table the card leads to the later.
    there = {sitting.table_id: sitting for sitting in open_sittings.order_by("started_at", "pk")}
    return [TableKeys(table=table, sitting=there.get(table.pk)) for table in tables]
