"""Pages of a tournament's hands: the list, filtered or as a file, and one hand with its history."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from fractions import Fraction
from functools import cached_property, partial
from typing import Any

import django_filters
import django_tables2 as tables
from django.db.models import Exists, F, OuterRef, Q, QuerySet, TextChoices
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import path, reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext, gettext_lazy as _
from django.views.decorators.http import require_safe

from games.game import is_installed
from games.sheet import Criterion
from tracker.audit.queries.lines import hand_history
from tracker.common.columns import PLAIN, STRONG, ClubTable, counted, linked, moment
from tracker.common.figures import figure, file_figure, file_label
from tracker.common.web import access, exports
from tracker.common.wording import together
from tracker.criteria.ranking_criteria import criteria_at_a_table
from tracker.models import Hand, HandKind, HandRecord, Issue, Player, Role, RoundState, Tournament
from tracker.models.stints import covering
from tracker.results.pages.table_requests import checked_table
from tracker.results.queries.hand_details import HandDetails, hand_details
from tracker.tables.sql import read_tables
from tracker.tables.table_now import with_short_names
from tracker.tables.table_row import Stint

# How a hand was counted, if not by every side.
_HOW_COUNTED = {
    HandKind.BARE.value: _("result only"),
    HandKind.DERIVED.value: _("one side’s cards not counted"),
}
KINDS = (
    (HandKind.COUNTED, _("By every side")),
    (HandKind.DERIVED, _("All but the last side")),
    (HandKind.BARE, _("Only who won")),
)
STATES = (
    ("conflict", _("Two different counts")),
    ("warnings", _("Something unusual")),
    ("unconfirmed", _("Not confirmed")),
    ("struck", _("Deleted")),
)


class HandState(TextChoices):
    """Whether a hand counts."""

    COUNTS = "counts", _("counts")
    VOID = "void", _("void")  # for nobody
    DELETED = "deleted", _("deleted")


@dataclass(frozen=True)
class HandRow(HandDetails):
    """A row of the list: a hand in words, with what each side got.

    A *side* is players who score together. A *stint* is one player at one place (chair) of a table.
    ``HandDetails`` has the stored ``Hand`` (``row``), its ``table`` and ``number``, its players'
    ``names``, its result in words (``headline``), and for each side what it counted (``counts``; in
    words ``totals``) and its {mark: amount} (``marks_by_side``): a *mark* is a number a hand gives.
    """

    ranked_by: Criterion  # the figure that the tournament ranks by first
    columns: Sequence[Criterion]  # the figures that the file has columns for

    @cached_property
    def stints(self) -> dict[int, Stint]:
        """Return place -> who played the hand there."""
        return {stint.place: stint for stint in self.table.during(self.number)}

    @cached_property
    def people(self) -> list[list[Stint]]:
        """Return who played, for each side."""
        return [
            [self.stints[place] for place in side if place in self.stints]
            for side in self.table.mode.sides
        ]

    @property
    def dealt_by(self) -> str:
        """Return the full name of the dealer, for the file."""
        dealer = self.row.dealer
        return self.stints[dealer].name if dealer in self.stints else ""

    @property
    def points(self) -> str:
        """Return what each side got, joined with dashes."""
        percent = self.ranked_by.percent
        return "–".join(
            figure(self.ranked_by.value(marks), percent=percent) for marks in self.marks_by_side
        )

    @cached_property
    def figures(self) -> dict[str, list[Fraction | Decimal]]:
        """Return heading -> what each side got; in a game with places also the sides' places."""
        figures: dict[str, list[Fraction | Decimal]] = {
            file_label(column): [
                file_figure(column.value(marks), column) for marks in self.marks_by_side
            ]
            for column in self.columns
        }
        if self.table.game.share_beaten:
            figures[gettext("Place")] = list(map(Fraction, self.places))
        return figures

    @property
    def places(self) -> list[int]:
        """Return the place of each side in its game; empty in a game without, and while it goes on."""
        beaten = self.table.game.share_beaten
        shares = [beaten.value(marks) for marks in self.marks_by_side] if beaten else []
        return [1 + sum(other > share for other in shares) for share in shares if any(shares)]

    @property
    def state(self) -> HandState:
        if self.struck:
            return HandState.DELETED
        return HandState.VOID if self.row.marks is None else HandState.COUNTS

    @property
    def conflict(self) -> bool:
        return bool(self.row.conflict)  # type: ignore[attr-defined]

    @property
    def waits_for(self) -> str:
        """Return who still has to confirm the hand; empty if it does not wait for that."""
        return super().waits_for if self.row.unconfirmed else ""  # type: ignore[attr-defined]


def hands_of(tournament: Tournament) -> QuerySet[Hand]:
    """Return the hands of a tournament, latest first.

    Three annotations tell whether the moves are stored (``recorded``), two counts of the hand wait
    to be settled (``conflict``), and another side has yet to confirm the hand (``unconfirmed``).
    """
    conflicts_of_table = Issue.objects.open_conflicts(OuterRef("sitting"))  # type: ignore[arg-type]
    return (
        Hand.objects.filter(sitting__round__tournament=tournament)
        .exclude(sitting__round__state=RoundState.UNDONE)
        .select_related("sitting__round", "accepted_report")
        .annotate(
            recorded=Exists(HandRecord.objects.filter(hand=OuterRef("pk"))),
            conflict=Exists(conflicts_of_table.filter(number=OuterRef("number"))),
            unconfirmed=Exists(Hand.objects.unconfirmed().filter(pk=OuterRef("pk"))),
        )
        .order_by("-sitting__round__number", "sitting__number", "-number")
    )


def hand_rows(tournament: Tournament, hands: Collection[Hand]) -> dict[int, HandRow]:
    """Return the rows of these hands, keyed by hand, in two queries."""
    tables_now, _names = with_short_names(read_tables(sittings={hand.sitting_id for hand in hands}))
    by_sitting = {table.sitting_id: table for table in tables_now}
    ranked_by = criteria_at_a_table(tournament)[0]
    columns = tournament.rules.columns_after(ranked_by, tournament.house_rules)
    return {
        hand.pk: HandRow(by_sitting[hand.sitting_id], hand, ranked_by, columns) for hand in hands
    }


# A column without a field of the hand: its cells, never empty, come from ``render_NAME`` below.
_RowColumn = partial(tables.Column, empty_values=(), orderable=False)


class HandsTable(ClubTable):
    """Table of hands; ``set_rows`` gives it the rows once a page of it is chosen."""

    where = tables.Column(
        accessor="number",
        order_by=("sitting__round__number", "sitting__number", "number"),
        attrs={"td": {"scope": "row"}},
    )
    result = _RowColumn(verbose_name=_("Result"), attrs={"td": {"class": "plain first"}})
    points = _RowColumn(verbose_name=_("Points"), attrs=STRONG)
    totals = _RowColumn(verbose_name=_("Count"), attrs=counted(_("counted")))
    who = _RowColumn(verbose_name=_("Who played"), attrs={"td": {"class": "plain whole"}})
    dealer = _RowColumn(verbose_name=_("Dealt"))
    confirmed_at = tables.Column(verbose_name=_("Confirmed"), empty_values=())
    recorded_at = tables.Column(verbose_name=_("When"), attrs=PLAIN)

    class Meta:
        empty_text = _("Nothing like that here.")
        row_attrs = {"class": lambda record: "struck" if record.struck_at else ""}

    def __init__(self, hands: QuerySet[Hand], tournament: Tournament, *, may_score: bool) -> None:
        super().__init__(hands)
        self.hand_rows: Mapping[int, HandRow] = {}
        self.may_score = may_score
        # The game's word for a hand, such as "deal".
        self.unit = tournament.rules.unit
        self.title = gettext(self.unit.many).capitalize()
        self.columns["where"].column.verbose_name = gettext(self.unit.one).capitalize()

    @property
    def hands(self) -> list[Hand]:
        """Return the hands of the chosen page, or all hands if none is chosen."""
        return [row.record for row in self.paginated_rows]

    def set_rows(self, rows: Mapping[int, HandRow]) -> None:
        """Set the rows of the chosen page, and hide the columns that would stay empty."""
        self.hand_rows = rows
        if rows:
            ranked_by = next(iter(rows.values())).ranked_by  # the same in all rows
            self.columns["points"].column.verbose_name = gettext(ranked_by.label)
        if not any(row.totals for row in rows.values()):
            self.columns.hide("totals")
        confirmed = self.columns["confirmed_at"]
        waits = any(row.waits_for for row in rows.values())
        if not (waits or confirmed.is_ordered or any(hand.confirmed_at for hand in self.hands)):
            self.columns.hide("confirmed_at")

    def render_where(self, record: Hand) -> SafeString:
        called = gettext(self.unit.numbered) % {"number": record.number}
        numbers = {"round": record.sitting.round.number, "table": record.sitting.number}
        place = gettext("Round %(round)d, table %(table)d") % numbers
        hand_link = linked(called, "hand", record.sitting_id, record.number)
        if self.may_score:
            place = linked(place, "sitting", record.sitting_id)
        return format_html('{} <span class="under">{}</span>', hand_link, place)

    def render_result(self, record: Hand) -> SafeString:
        row = self.hand_rows[record.pk]
        pills = [("bad", gettext("two different counts"))] if row.conflict else []
        if record.kind in _HOW_COUNTED and not record.struck_at:
            pills.append(("quiet", str(_HOW_COUNTED[record.kind])))
        notes = format_html_join("", ' <span class="pill {}">{}</span>', pills)
        warnings = ((warning,) for warning in row.warnings)
        notes += format_html_join("", ' <span class="under">{}</span>', warnings)
        if record.recorded and is_installed("games.play"):  # type: ignore[attr-defined]
            url = reverse("hand-record", args=[record.sitting_id, record.number])
            notes += format_html(' <a class="under" href="{}">{}</a>', url, gettext("Card by card"))
        return format_html("{}{}", row.headline, notes)

    def render_points(self, record: Hand) -> str:
        return self.hand_rows[record.pk].points

    def render_totals(self, record: Hand) -> str:
        return self.hand_rows[record.pk].totals

    def render_who(self, record: Hand) -> SafeString:
        row = self.hand_rows[record.pk]
        sides = [
            together([linked(row.names.at(who.place), "player", who.player_id) for who in stints])
            for stints in row.people
        ]
        return format_html_join(" – ", "{}", [(SafeString(side),) for side in sides])

    def render_dealer(self, record: Hand) -> str:
        return self.hand_rows[record.pk].dealer or gettext("not written down")

    def render_confirmed_at(self, record: Hand) -> str:
        if record.confirmed_at is None:
            return self.hand_rows[record.pk].waits_for or "–"
        return moment(record.confirmed_at)

    def render_recorded_at(self, value: datetime) -> str:
        return moment(value)

    def file_rows(self) -> Iterator[Iterable[object]]:
        """Yield the headings of a file, and a row for each side of each hand."""
        team_sizes = [len(stints) for row in self.hand_rows.values() for stints in row.people]
        most_people = max(team_sizes, default=1)
        rows = [
            self._file_cells(hand, side, most_people)
            for hand in self.hands
            for side in range(len(self.hand_rows[hand.pk].people))
        ]
        yield rows[0].keys() if rows else (gettext("Round"), gettext("Table"), gettext("Side"))
        for row in rows:
            yield row.values()

    def _file_cells(self, hand: Hand, side: int, most_people: int) -> dict[str, object]:
        """Return heading -> cell for one side of a hand, with columns for *most_people* names."""
        row = self.hand_rows[hand.pk]
        names = [stint.name for stint in row.people[side]] + [""] * most_people  # and some more
        question = gettext("two different counts") if row.conflict else row.waits_for
        # ``next(…, None)``: a void hand has no figures, a hand that nobody counted has no counts.
        figures = {label: next(iter(values[side:]), None) for label, values in row.figures.items()}
        return {
            gettext("Round"): hand.sitting.round.number,
            gettext("Table"): hand.sitting.number,
            gettext(self.unit.one).capitalize(): hand.number,
            gettext("Side"): side + 1,
            **{
                gettext("Player %(number)d") % {"number": number + 1}: names[number]
                for number in range(most_people)
            },
            **figures,
            gettext("Count"): next(iter(row.counts[side:]), None),
            gettext("Dealer"): row.dealt_by,
            gettext("State"): row.state.label,
            gettext("Open question"): question,
            gettext("Result"): row.headline,
            gettext("Written down"): row.result_type or str(_HOW_COUNTED.get(hand.kind, "")),
            gettext("Confirmed"): hand.confirmed_at,
            gettext("When"): hand.recorded_at,
        }


class HandFilter(django_filters.FilterSet):  # type: ignore[misc]
    """Filter of a tournament's hands by round, table, player, kind (how counted) and state."""

    round = django_filters.ChoiceFilter("sitting__round__number", label=_("Round"))
    table = django_filters.ChoiceFilter("sitting__number", label=_("Table"))
    player = django_filters.ChoiceFilter(method="by_player", label=_("Player"))
    kind = django_filters.ChoiceFilter("kind", label=_("Counted"), choices=KINDS)
    only = django_filters.ChoiceFilter(method="by_state", label=_("Only"), choices=STATES)

    def __init__(self, tournament: Tournament, data: Any, queryset: QuerySet[Hand]) -> None:
        super().__init__(data, queryset)
        seated = tournament.rounds.filter(sittings__isnull=False)
        pairs = seated.values_list("number", "sittings__number").distinct()
        # ``extra``: the arguments of the form field that a filter makes.
        for index, name in enumerate(("round", "table")):
            numbers = sorted({pair[index] for pair in pairs})
            self.filters[name].extra["choices"] = [(number, str(number)) for number in numbers]
        players = Player.objects.filter(seats__round__tournament=tournament).distinct()
        names = players.order_by("name_key").values_list("pk", "name")
        self.filters["player"].extra["choices"] = list(names)
        for field in self.filters.values():
            field.extra["empty_label"] = gettext("All")

    def by_player(self, hands: QuerySet[Hand], _name: str, player: str) -> QuerySet[Hand]:
        # The player has a seat at the table whose hands, from first to last, include this one.
        of_player = Q(sitting__seats__player=int(player))
        return hands.filter(of_player & covering(F("number"), "sitting__seats__"))

    def by_state(self, hands: QuerySet[Hand], _name: str, state: str) -> QuerySet[Hand]:
        match state:
            case "conflict":
                return hands.filter(Q(conflict=True))  # annotated by ``hands_of``
            case "warnings":
                return hands.exclude(warnings=[])
            case "unconfirmed":
                # Also hands that no other side has to confirm.
                return hands.filter(confirmed_at=None, struck_at=None)
            case _:  # "struck"
                return hands.exclude(struck_at=None)


@access.page
@require_safe
def tournament_hands(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """List every hand of a tournament: filtered, sorted, in pages, or as a file."""
    tournament = access.tournament(request, tournament_id)
    hand_filter = HandFilter(tournament, request.GET or None, hands_of(tournament))
    may_score = access.may(request, tournament.club, Role.SCORER)
    table = HandsTable(hand_filter.qs, tournament, may_score=may_score)
    file_format = exports.configure_table(request, table)
    table.set_rows(hand_rows(tournament, table.hands))
    if file_format:
        return exports.file_response(table, file_format, tournament.name, table.title)
    return access.render(
        request,
        "results/hands.html",
        tournament.club,
        tournament=tournament,
        units=gettext(tournament.rules.unit.many),
        filter=hand_filter,
        narrowed=any(hand_filter.form.data.get(name) for name in hand_filter.filters),
        table=table,
        count=table.page.paginator.count,
    )


@access.page
@require_safe
def hand(request: HttpRequest, sitting_id: int, number: int) -> HttpResponse:
    """Show a hand, and the log entries about it."""
    table = checked_table(request, sitting_id)
    details = next((each for each in hand_details(table) if each.number == number), None)
    if details is None:
        raise Http404
    member = access.may(request, table.club, Role.MEMBER)
    return access.render(
        request,
        "results/hand.html",
        table.club,
        tournament=table.tournament,
        table=table,
        hand=details,
        history=hand_history(table, number, member=member),
        member=member,
        may_score=access.may(request, table.club, Role.SCORER),
    )


urlpatterns = [
    path("tournaments/<int:tournament_id>/hands/", tournament_hands, name="hands"),
    path("sittings/<int:sitting_id>/hands/<int:number>/history/", hand, name="hand"),
]
