"""All hands of a tournament, as a table of them shows them."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext

from games.sheet import Criterion
from tracker.common.figures import figure, file_figure, file_label
from tracker.models import (
    Confirm,
    Hand,
    HandRecord,
    Issue,
    IssueKind,
    RoundState,
    Seat,
    Tournament,
)
from tracker.models.stints import covering
from tracker.results.queries.hand_details import HandDetails
from tracker.standings.queries.ranking_criteria import criteria_at_a_table
from tracker.standings.queries.standings import on_one_page
from tracker.tables.reading import read_tables
from tracker.tables.table_row import Stint


@dataclass(frozen=True)
class HandRow(HandDetails):
    """A hand in words, and what each side got of it; everything goes by the sides in their order."""

    ranked_by: Criterion
    columns: Sequence[Criterion]
    conflict: bool  # two different counts wait to be settled
    unconfirmed: bool

    @cached_property
    def seated(self) -> dict[int, Stint]:
        return {stint.place: stint for stint in self.table.during(self.number)}

    @cached_property
    def people(self) -> list[list[Stint]]:
        return [
            [self.seated[place] for place in side if place in self.seated]
            for side in self.table.mode.sides
        ]

    @property
    def dealt_by(self) -> str:
        """Return the whole name of who dealt, as a file has it."""
        return self.seated[self.row.dealer].name if self.row.dealer in self.seated else ""

    @property
    def points(self) -> str:
        ranked_by = self.ranked_by
        return "–".join(
            figure(ranked_by.value(own), percent=ranked_by.percent) for own in self.given
        )

    @cached_property
    def figures(self) -> dict[str, list[Fraction | Decimal]]:
        """Return what each side got in every column, and its place, of a game that has places."""
        figures = {
            file_label(column): [file_figure(column.value(own), column) for own in self.given]
            for column in self.columns
        }
        places = [mark.anew for mark in self.table.game.marks if mark.anew]
        return figures | {
            gettext("Place"): [Fraction(own[place]) for own in self.given] for place in places
        }

    @property
    def waits_for(self) -> str:
        return super().waits_for if self.unconfirmed else ""


def hands_of(tournament: Tournament) -> QuerySet[Hand]:
    """Return the hands of a tournament, each with its round, the last ones first.

    ``recorded`` of each says whether it was written down card by card.
    """
    return (
        Hand.objects.filter(sitting__round__tournament=tournament)
        .exclude(sitting__round__state=RoundState.UNDONE)
        .select_related("sitting__round", "accepted_report")
        .annotate(recorded=Exists(HandRecord.objects.filter(hand=OuterRef("pk"))))
        .order_by("-sitting__round__number", "sitting__number", "-number")
    )


def in_conflict() -> Q:
    """Return the condition that two different counts of the hand wait to be settled."""
    return Q(
        Exists(_open_conflicts().filter(sitting=OuterRef("sitting"), number=OuterRef("number")))
    )


def played_by(player_id: int) -> Q:
    """Return the condition that this player sat at the table during the hand."""
    stints = Seat.objects.filter(
        covering(OuterRef("number")), sitting=OuterRef("sitting"), player=player_id
    )
    return Q(Exists(stints))


def hand_rows(tournament: Tournament, hands: Collection[Hand]) -> dict[int, HandRow]:
    """Return these hands in words, by their keys, in three queries; four where sides must agree."""
    sittings = {hand.sitting_id for hand in hands}
    named, _names = on_one_page(read_tables(sittings=sittings))
    tables = {table.sitting_id: table for table in named}
    ranked_by = criteria_at_a_table(tournament)[0]
    columns = tournament.rules.columns_after(ranked_by, tournament.house_rules)
    conflicts = _open_conflicts().filter(sitting__in=sittings)
    conflicting = set(conflicts.values_list("sitting_id", "number"))
    unconfirmed: set[int] = set()
    if tournament.confirm == Confirm.BOTH:
        waiting = Hand.objects.unconfirmed().filter(pk__in=[hand.pk for hand in hands])
        unconfirmed = set(waiting.values_list("pk", flat=True))
    return {
        hand.pk: HandRow(
            tables[hand.sitting_id],
            hand,
            ranked_by,
            columns,
            conflict=(hand.sitting_id, hand.number) in conflicting,
            unconfirmed=hand.pk in unconfirmed,
        )
        for hand in hands
    }


def _open_conflicts() -> QuerySet[Issue]:
    return Issue.objects.filter(kind=IssueKind.CONFLICT, settled_at=None)
