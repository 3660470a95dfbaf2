"""The tables of a tournament as somebody sees them who has their papers in hand."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from tracker.ledger.statements import read_tables
from tracker.ledger.table import TableNow
from tracker.models import Hand, Progress, Round, RoundState, Sitting, Tournament
from tracker.reports.queries.hand_details import HandDetails, hand_details

_AHEAD = 8  # rows beyond the last hand where the round does not say how many there are
_MOST = 60
_STANDING = (RoundState.OPEN, RoundState.CLOSED)


@dataclass(frozen=True, slots=True, kw_only=True)
class OnPaper:
    """A table with its hands, each with the report that stands for it."""

    table: TableNow
    hands: Mapping[int, HandDetails]
    seen: Mapping[int, int | None]
    previous: Sitting | None
    next: Sitting | None

    def rows(self, wanted: int | None = None) -> range:
        """Return the numbers of the hands to be asked: those there are, and those to come."""
        last = max(self.hands, default=0)
        of = self.table.hands
        ahead = of if of is not None else last + _AHEAD
        return range(1, max(last, min(max(ahead, wanted or 0), last + _MOST)) + 1)


def on_paper(table: TableNow) -> OnPaper:
    """Return a table that was read already, in three more queries."""
    reports = Hand.objects.filter(sitting=table.sitting_id)
    round_ = list(Sitting.objects.filter(round=table.round_id).order_by("number"))
    at = next(place for place, each in enumerate(round_) if each.pk == table.sitting_id)
    return OnPaper(
        table=table,
        hands={hand.number: hand for hand in hand_details(table)},
        seen=dict(reports.values_list("number", "accepted_report_id")),
        previous=round_[at - 1] if at else None,
        next=round_[at + 1] if at + 1 < len(round_) else None,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperLine:
    """A table in the list of those whose papers can be written down."""

    sitting_id: int
    number: int
    sides: tuple[str, ...]
    progress: Progress
    open: bool  # its round is being played

    @property
    def short(self) -> int:
        """Return how many results never came before its round was closed."""
        return 0 if self.open else self.progress.owed


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperRound:
    round: Round
    tables: tuple[PaperLine, ...]


def rounds_on_paper(tournament: Tournament, *, shown: int = 8) -> list[PaperRound]:
    """Return the latest rounds with their tables, in two queries."""
    standing = tournament.rounds.filter(state__in=_STANDING)
    rounds = list(standing.order_by("-number")[:shown])
    lines: dict[int, list[PaperLine]] = defaultdict(list)
    for table in read_tables(rounds=[round_.pk for round_ in rounds]):
        line = PaperLine(
            sitting_id=table.sitting_id,
            number=table.number,
            sides=table.full_names.sides,
            progress=table.progress,
            open=table.round_state == RoundState.OPEN,
        )
        lines[table.round_id].append(line)
    return [PaperRound(round=round_, tables=tuple(lines[round_.pk])) for round_ in rounds]


def tables_on_file(
    tournament: Tournament, of: Round | None = None
) -> dict[tuple[int, int], TableNow]:
    """Return the tables, of one round or of all, by the numbers of round and table.

    It takes two queries at most.
    """
    standing = tournament.rounds.filter(state__in=_STANDING).values_list("pk", flat=True)
    rounds = (
        [of.pk]
        if of is not None and of.state in _STANDING
        else list(standing)
        if of is None
        else []
    )
    return {(table.round_number, table.number): table for table in read_tables(rounds=rounds)}
