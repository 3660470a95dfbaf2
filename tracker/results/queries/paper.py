"""The tables of a tournament, for typing in their papers."""

from collections.abc import Mapping
from dataclasses import dataclass

from tracker.models import Round, RoundState, Sitting, Tournament
from tracker.results.queries.hand_details import HandDetails, hand_details
from tracker.tables.reading import read_tables
from tracker.tables.table_now import TableNow

_AHEAD = 8  # rows beyond the last hand where the round does not say how many there are
_MOST = 60
_STANDING = (RoundState.OPEN, RoundState.CLOSED)


@dataclass(frozen=True, slots=True, kw_only=True)
class OnPaper:
    """A table with its hands, and the tables before and after it in the round."""

    table: TableNow
    hands: Mapping[int, HandDetails]
    previous: Sitting | None
    next: Sitting | None

    def rows(self, wanted: int | None = None) -> range:
        """Return the numbers of the hands to be asked: those there are, and those to come."""
        last = max(self.hands, default=0)
        of = self.table.hands
        ahead = of if of is not None else last + _AHEAD
        return range(1, max(last, min(max(ahead, wanted or 0), last + _MOST)) + 1)


def on_paper(table: TableNow) -> OnPaper:
    """Return a table that was read already, in two more queries."""
    round_ = list(Sitting.objects.filter(round=table.round_id).order_by("number"))
    at = next(place for place, each in enumerate(round_) if each.pk == table.sitting_id)
    return OnPaper(
        table=table,
        hands={
            hand.number: hand for hand in hand_details(table) if hand.number <= table.last_number
        },
        previous=round_[at - 1] if at else None,
        next=round_[at + 1] if at + 1 < len(round_) else None,
    )


def rounds_on_paper(tournament: Tournament, *, shown: int = 8) -> dict[Round, list[TableNow]]:
    """Return the latest rounds with their tables, in two queries."""
    standing = tournament.rounds.filter(state__in=_STANDING)
    rounds = {round_.pk: round_ for round_ in standing.order_by("-number")[:shown]}
    tables: dict[Round, list[TableNow]] = {round_: [] for round_ in rounds.values()}
    for table in read_tables(rounds=rounds):
        tables[rounds[table.round_id]].append(table)
    return tables


def tables_on_file(tournament: Tournament) -> dict[tuple[int, int], TableNow]:
    """Return the tables of all rounds by the numbers of round and table, in two queries."""
    rounds = tournament.rounds.filter(state__in=_STANDING).values_list("pk", flat=True)
    return {(table.round_number, table.number): table for table in read_tables(rounds=rounds)}
