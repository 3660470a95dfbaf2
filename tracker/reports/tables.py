"""The table of hands."""

from collections.abc import Mapping
from datetime import datetime

import django_tables2 as tables
from django.db.models import QuerySet
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tracker.common.cells import NUMBER, PLAIN, STRONG, ClubTable, FileColumn, linked, moment
from tracker.models import Hand, HandKind, Tournament
from tracker.reports.queries.hands import HandRow


class HandsTable(ClubTable):
    """Hands as rows of the database, told in words once a page of them is chosen."""

    where = tables.Column(
        accessor="number",
        order_by=("sitting__round__number", "sitting__number", "number"),
        attrs={"td": {"scope": "row"}},
        exclude_from_export=True,
    )
    round = FileColumn(verbose_name=_("Round"), accessor="sitting__round__number")
    table = FileColumn(verbose_name=_("Table"), accessor="sitting__number")
    number = FileColumn(verbose_name=_("Number"))
    result = tables.Column(
        verbose_name=_("Result"),
        empty_values=(),
        orderable=False,
        attrs={"td": {"class": "plain first"}},
    )
    points = tables.Column(verbose_name=_("Points"), empty_values=(), orderable=False, attrs=STRONG)
    totals = tables.Column(verbose_name=_("Count"), empty_values=(), orderable=False, attrs=NUMBER)
    who = tables.Column(
        verbose_name=_("Who played"),
        empty_values=(),
        orderable=False,
        attrs={"td": {"class": "plain whole"}},
    )
    dealer = tables.Column(verbose_name=_("Dealt"), empty_values=(), orderable=False)
    confirmed_at = tables.Column(verbose_name=_("Confirmed"), empty_values=())
    recorded_at = tables.Column(verbose_name=_("When"), attrs=PLAIN)

    class Meta:
        empty_text = _("Nothing like that here.")
        row_attrs = {"class": lambda record: "struck" if record.struck_at else ""}

    def __init__(self, hands: QuerySet[Hand], tournament: Tournament, *, may_score: bool) -> None:
        super().__init__(hands)
        self.hand_rows: Mapping[int, HandRow] = {}
        self.may_score = may_score
        self.title = gettext(tournament.rules.unit.many).capitalize()
        self.unit = tournament.rules.unit
        self.columns["where"].column.verbose_name = gettext(self.unit.one).capitalize()

    @property
    def hands(self) -> list[Hand]:
        """Return the hands of the chosen page, or all of them where none is chosen."""
        return [row.record for row in self.paginated_rows]

    def tell(self, rows: Mapping[int, HandRow]) -> None:
        """Take in what the page's hands come to, and leave out columns that stay empty."""
        self.hand_rows = rows
        for row in rows.values():
            self.columns["points"].column.verbose_name = row.points_label
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
        hand = linked(called, "hand", record.sitting_id, record.number)
        if self.may_score:
            place = linked(place, "sitting", record.sitting_id)
        return format_html('{} <span class="under">{}</span>', hand, place)

    def render_result(self, record: Hand) -> SafeString:
        row = self.hand_rows[record.pk]
        marks = [("bad", gettext("two different counts"))] if row.conflict else []
        if record.kind == HandKind.BARE and not record.struck_at:
            marks.append(("quiet", gettext("result only")))
        if record.kind == HandKind.DERIVED and not record.struck_at:
            marks.append(("quiet", gettext("one side’s cards not counted")))
        pills = format_html_join("", ' <span class="pill {}">{}</span>', marks)
        warnings = format_html_join(
            "", ' <span class="under">{}</span>', [(each,) for each in row.warnings]
        )
        return format_html("{}{}{}{}", row.result, pills, warnings, _recorded(record, row))

    def value_result(self, record: Hand) -> str:
        return self.hand_rows[record.pk].result

    def render_points(self, record: Hand) -> str:
        return self.hand_rows[record.pk].points

    def render_totals(self, record: Hand) -> str:
        return self.hand_rows[record.pk].totals

    def render_who(self, record: Hand) -> SafeString:
        return sides(self.hand_rows[record.pk])

    def value_who(self, record: Hand) -> str:
        return " – ".join(self.hand_rows[record.pk].sides)

    def render_dealer(self, record: Hand) -> str:
        return self.hand_rows[record.pk].dealer or gettext("not written down")

    def value_dealer(self, record: Hand) -> str:
        return self.hand_rows[record.pk].dealer

    def render_confirmed_at(self, record: Hand) -> str:
        if record.confirmed_at is None:
            return self.hand_rows[record.pk].waits_for or "–"
        return moment(record.confirmed_at)

    def value_confirmed_at(self, value: datetime | None) -> datetime | str:
        return value or "–"

    def render_recorded_at(self, value: datetime) -> str:
        return moment(value)

    def value_recorded_at(self, value: datetime) -> datetime:
        return value


def _recorded(hand: Hand, row: HandRow) -> SafeString:
    """Lead to how the hand was played, where that is kept."""
    if not row.recorded:
        return SafeString()
    address = reverse("hand-record", args=[hand.sitting_id, hand.number])
    return format_html(' <a class="under" href="{}">{}</a>', address, gettext("Card by card"))


def sides(row: HandRow) -> SafeString:
    """Return who played against whom, each name leading to its page."""
    each = (
        format_html_join(
            " & ", "{}", [(linked(player.name, "player", player.pk),) for player in people]
        )
        for people in row.people
    )
    return format_html_join(" – ", "{}", [(side,) for side in each])
