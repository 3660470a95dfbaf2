"""The tables of a tournament as somebody sees them who has their papers in hand."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext

from tracker.common.wording import names_of
from tracker.ledger.progress import NOT_PLAYED, Progress, counted
from tracker.ledger.sittings import AtTable, HandDetails, People, hand_details, people_of
from tracker.models import Hand, Round, RoundState, Seat, Sitting, Tournament

_AHEAD = 8  # rows beyond the last hand where the round does not say how many there are
_MOST = 60
_STANDING = (RoundState.OPEN, RoundState.CLOSED)


@dataclass(frozen=True, slots=True, kw_only=True)
class OnPaper:
    """A table with its hands, each with the report that stands for it."""

    table: AtTable
    people: People
    hands: Mapping[int, HandDetails]
    seen: Mapping[int, int | None]
    previous: Sitting | None
    next: Sitting | None

    def rows(self, wanted: int | None = None) -> range:
        """Return the numbers of the hands to be asked: those there are, and those to come."""
        last = max(self.hands, default=0)
        of = self.table.sitting.round.hands
        ahead = of if of is not None else last + _AHEAD
        return range(1, max(last, min(max(ahead, wanted or 0), last + _MOST)) + 1)


def on_paper(table: AtTable) -> OnPaper:
    """Return a table that was found already, in four more queries."""
    people = people_of(table)
    sitting = table.sitting
    ids = Hand.objects.filter(sitting=sitting).values_list("number", "accepted_report_id")
    round_ = list(Sitting.objects.filter(round=sitting.round).order_by("number"))
    at = next(place for place, one in enumerate(round_) if one.pk == sitting.pk)
    return OnPaper(
        table=table,
        people=people,
        hands={hand.number: hand for hand in hand_details(table, people)},
        seen=dict(ids),
        previous=round_[at - 1] if at else None,
        next=round_[at + 1] if at + 1 < len(round_) else None,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperLine(Progress):
    """A table in the list of those whose papers can be written down."""

    sitting_id: int
    number: int
    sides: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperRound:
    round: Round
    tables: tuple[PaperLine, ...]


def rounds_on_paper(tournament: Tournament, *, shown: int = 8) -> list[PaperRound]:
    """Return the latest rounds with their tables, in three queries."""
    standing = tournament.rounds.filter(state__in=_STANDING)
    rounds = list(standing.order_by("-number")[:shown])
    lines: dict[int, list[PaperLine]] = defaultdict(list)
    people: dict[int, dict[int, str]] = defaultdict(dict)
    for seat in Seat.objects.running().filter(round__in=rounds).select_related("player"):
        people[seat.sitting_id][seat.place] = seat.player.name
    by_key = {round_.pk: round_ for round_ in rounds}
    sittings = Sitting.objects.filter(round__in=rounds).annotate(not_played=NOT_PLAYED)
    for sitting in sittings.order_by("number"):
        round_ = by_key[sitting.round_id]
        mode = tournament.rules.mode(sitting.mode, tournament.rules.resume_options(sitting.options))
        called = people[sitting.pk]
        names = [called.get(place, gettext("nobody")) for place in range(mode.seats)]
        done, of = counted(sitting, round_, sitting.not_played)
        lines[round_.pk].append(
            PaperLine(
                sitting_id=sitting.pk,
                number=sitting.number,
                sides=names_of(mode, names).sides,
                done=done,
                of=of,
                not_played=sitting.not_played,
                open=round_.state == RoundState.OPEN,
            )
        )
    return [PaperRound(round=round_, tables=tuple(lines[round_.pk])) for round_ in rounds]


@dataclass(frozen=True, slots=True)
class TableOnFile:
    """A table that a file may speak of."""

    table: AtTable
    people: People


def tables_on_file(
    tournament: Tournament, of: Round | None = None
) -> dict[tuple[int, int], TableOnFile]:
    """Return the tables, of one round or of all, by the numbers of round and table.

    It takes two queries.
    """
    game = tournament.rules
    stints: dict[int, list[Seat]] = defaultdict(list)
    seats = Seat.objects.filter(round__tournament=tournament, round__state__in=_STANDING)
    sittings = Sitting.objects.filter(round__tournament=tournament, round__state__in=_STANDING)
    if of is not None:
        seats, sittings = seats.filter(round=of), sittings.filter(round=of)
    for seat in seats.select_related("player").order_by("place", "from_hand"):
        stints[seat.sitting_id].append(seat)
    found = {}
    numbered = sittings.select_related("round__tournament__club", "table")
    for sitting in numbered.order_by("round__number", "number"):
        options = game.resume_options(sitting.options)
        table = AtTable(sitting, game, game.mode(sitting.mode, options), options)
        people = People(table.mode, tuple(stints[sitting.pk]))
        found[sitting.round.number, sitting.number] = TableOnFile(table, people)
    return found
