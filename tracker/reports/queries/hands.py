"""All hands of a tournament, as a table of them shows them."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext

from games.game import AnyGame
from games.sheet import Criterion, side_marks
from tracker.common.figures import figure, file_figure, file_label
from tracker.common.sheet_lines import counts, totals
from tracker.common.wording import Names, say
from tracker.ledger.statements import read_tables
from tracker.ledger.table import Stint
from tracker.ledger.warnings import warning_from_json
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
from tracker.reports.queries.hand_details import waits_for
from tracker.standings.logic.called import page_names
from tracker.standings.queries.criteria import criteria_at_a_table


@dataclass(frozen=True, slots=True, kw_only=True)
class HandRow:
    """A hand in words, and what each side got of it; everything goes by the sides in their order."""

    names: Names
    people: tuple[tuple[Stint, ...], ...]  # by side
    dealer: str  # empty where nobody knows
    dealt_by: str  # the whole name, as a file has it
    result: str
    counts: Sequence[object]
    totals: str
    points: str
    points_label: str  # what the game calls what it ranks by
    figures: Mapping[str, Sequence[Fraction | Decimal]]  # by label, as a file has them
    conflict: bool  # two different counts wait to be settled
    warnings: tuple[str, ...]
    waits_for: str = ""  # who has to agree to it, if somebody has to


def hands_of(tournament: Tournament) -> QuerySet[Hand]:
    """Return the hands of a tournament, each with its round, the last ones first.

    ``recorded`` of each says whether it was written down card by card.
    """
    return (
        Hand.objects.filter(sitting__round__tournament=tournament)
        .exclude(sitting__round__state=RoundState.UNDONE)
        .select_related("sitting__round")
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
    tables = {table.sitting_id: table for table in read_tables(sittings=sittings)}
    called = page_names(
        [
            (stint.player_id, stint.name)
            for table in tables.values()
            for stint in table.stints
            if not stint.erased
        ]
    ).of_player
    points = criteria_at_a_table(tournament)[0]
    columns = tournament.rules.columns_after(points, tournament.house_rules)
    conflicts = _open_conflicts().filter(sitting__in=sittings)
    conflicting = set(conflicts.values_list("sitting_id", "number"))
    unconfirmed: dict[int, int | None] = {}  # with the side that wrote it
    if tournament.confirm == Confirm.BOTH:
        waiting = Hand.objects.unconfirmed().filter(pk__in=[hand.pk for hand in hands])
        unconfirmed = dict(waiting.values_list("pk", "accepted_report__side"))

    def row(hand: Hand) -> HandRow:
        table = tables[hand.sitting_id]
        names, struck = table.names_at(hand.number, called), hand.struck_at is not None
        seated = {stint.place: stint for stint in table.during(hand.number)}
        session = table.resume_session(hand.session_before)
        headline = table.game.headline(session, hand.sheet)
        marks, of_seats = None if struck else hand.marks, table.game.seat_scoped
        given = [side_marks(marks, seats, of_seats) for seats in table.mode.sides if marks]
        return HandRow(
            names=names,
            people=tuple(
                tuple(seated[place] for place in side if place in seated)
                for side in table.mode.sides
            ),
            dealer="" if hand.dealer is None else names.at(hand.dealer),
            dealt_by=seated[hand.dealer].name if hand.dealer in seated else "",
            result=gettext("Deleted") if struck else say(headline, names),
            counts=counts(table.game, session, hand.sheet),
            totals=totals(table.game, session, hand.sheet),
            points="–".join(figure(points.value(own), percent=points.percent) for own in given),
            points_label=gettext(points.label),
            figures=_figures(table.game, given, columns),
            conflict=(hand.sitting_id, hand.number) in conflicting,
            warnings=tuple(
                say(warning_from_json(warning).text, names) for warning in hand.warnings
            ),
            waits_for=waits_for(names, table.mode, unconfirmed[hand.pk])
            if hand.pk in unconfirmed
            else "",
        )

    return {hand.pk: row(hand) for hand in hands}


def _open_conflicts() -> QuerySet[Issue]:
    return Issue.objects.filter(kind=IssueKind.CONFLICT, settled_at=None)


def _figures(
    game: AnyGame, given: Sequence[Mapping[str, int]], columns: Sequence[Criterion]
) -> dict[str, list[Fraction | Decimal]]:
    """Return what each side got in every column, and its place, of a game that has places."""
    figures = {
        file_label(column): [file_figure(column.value(own), column) for own in given]
        for column in columns
    }
    places = [mark.anew for mark in game.marks if mark.anew]
    return figures | {gettext("Place"): [Fraction(own[place]) for own in given] for place in places}
