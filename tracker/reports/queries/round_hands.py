"""The hands of a round as they stand, table by table: what goes out with it, and comes back."""

from collections.abc import Iterable
from dataclasses import dataclass

from tracker.ledger.statements import read_tables
from tracker.models import Round
from tracker.reports.queries.hand_details import HandDetails, details_by_table


@dataclass(frozen=True, slots=True, kw_only=True)
class TableHands:
    """A table of a round: who sat there, and the hands that stand."""

    sitting_id: int
    number: int
    sides: tuple[str, ...]
    hands: tuple[HandDetails, ...]


def round_hands(round_: Round) -> tuple[TableHands, ...]:
    """Return the tables of a round that have hands, by number, in two queries."""
    tables = read_tables(rounds=[round_.pk])
    by_table = details_by_table(tables)
    listed = (
        TableHands(
            sitting_id=table.sitting_id,
            number=table.number,
            sides=table.coming_names.sides,
            hands=tuple(hand for hand in by_table[table.sitting_id] if not hand.struck),
        )
        for table in tables
    )
    return tuple(table for table in listed if table.hands)


def how_many(tables: Iterable[TableHands]) -> int:
    """Return how many hands these are together."""
    return sum(len(table.hands) for table in tables)
