"""The table of hands."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime

import django_tables2 as tables
from django.db.models import QuerySet
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tracker.common.columns import PLAIN, STRONG, ClubTable, counted, linked, moment
from tracker.common.wording import together
from tracker.models import Hand, HandKind, Tournament
from tracker.results.queries.hands import HandRow

# How a hand was written down, if not every side counted.
_HOW = {
    HandKind.BARE.value: _("result only"),
    HandKind.DERIVED.value: _("one side’s cards not counted"),
}


class HandsTable(ClubTable):
    """Table of hands; their words are set with ``tell`` once a page is chosen."""

    where = tables.Column(
        accessor="number",
        order_by=("sitting__round__number", "sitting__number", "number"),
        attrs={"td": {"scope": "row"}},
    )
    result = tables.Column(
        verbose_name=_("Result"),
        empty_values=(),
        orderable=False,
        attrs={"td": {"class": "plain first"}},
    )
    points = tables.Column(verbose_name=_("Points"), empty_values=(), orderable=False, attrs=STRONG)
    totals = tables.Column(
        verbose_name=_("Count"),
        empty_values=(),
        orderable=False,
        attrs=counted(_("counted")),
    )
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
        """Set the rows in words of the chosen page, and hide the columns that stay empty."""
        self.hand_rows = rows
        for row in rows.values():
            self.columns["points"].column.verbose_name = gettext(row.ranked_by.label)
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
        if record.kind in _HOW and not record.struck_at:
            marks.append(("quiet", str(_HOW[record.kind])))
        pills = format_html_join("", ' <span class="pill {}">{}</span>', marks)
        warnings = format_html_join(
            "", ' <span class="under">{}</span>', [(each,) for each in row.warnings]
        )
        moves = SafeString()
        if record.recorded:  # type: ignore[attr-defined]
            address = reverse("hand-record", args=[record.sitting_id, record.number])
            link = ' <a class="under" href="{}">{}</a>'
            moves = format_html(link, address, gettext("Card by card"))
        return format_html("{}{}{}{}", row.headline, pills, warnings, moves)

    def render_points(self, record: Hand) -> str:
        return self.hand_rows[record.pk].points

    def render_totals(self, record: Hand) -> str:
        return self.hand_rows[record.pk].totals

    def render_who(self, record: Hand) -> SafeString:
        row = self.hand_rows[record.pk]
        each = [
            together([linked(row.names.at(s.place), "player", s.player_id) for s in side])
            for side in row.people
        ]
        return format_html_join(" – ", "{}", [(SafeString(side),) for side in each])

    def render_dealer(self, record: Hand) -> str:
        return self.hand_rows[record.pk].dealer or gettext("not written down")

    def value_dealer(self, record: Hand) -> str:
        return self.hand_rows[record.pk].dealer

    def render_confirmed_at(self, record: Hand) -> str:
        if record.confirmed_at is None:
            return self.hand_rows[record.pk].waits_for or "–"
        return moment(record.confirmed_at)

    def render_recorded_at(self, value: datetime) -> str:
        return moment(value)

    def file_rows(self) -> Iterator[Iterable[object]]:
        """Yield a row for each side of each hand, with numbers in columns of their own."""
        people = max(
            (len(side) for row in self.hand_rows.values() for side in row.people), default=1
        )
        rows = [
            self._in_file(hand, side, people)
            for hand in self.hands
            for side in range(len(self.hand_rows[hand.pk].people))
        ]
        bare = (gettext("Round"), gettext("Table"), gettext("Side"))  # while nothing is played
        yield rows[0] if rows else bare
        for row in rows:
            yield row.values()

    def _in_file(self, hand: Hand, side: int, people: int) -> dict[str, object]:
        """Return what a file says of one side of a hand, with columns for so many *people*."""
        row = self.hand_rows[hand.pk]
        names = [stint.name for stint in row.people[side]] + [""] * people
        counts = gettext("void") if hand.marks is None else gettext("counts")
        return {
            gettext("Round"): hand.sitting.round.number,
            gettext("Table"): hand.sitting.number,
            gettext(self.unit.one).capitalize(): hand.number,
            gettext("Side"): side + 1,
            **{
                gettext("Player %(number)d") % {"number": number + 1}: names[number]
                for number in range(people)
            },
            **{label: next(iter(own[side:]), None) for label, own in row.figures.items()},
            gettext("Count"): next(iter(row.counts[side:]), None),
            gettext("Dealer"): row.dealt_by,
            gettext("State"): counts if hand.struck_at is None else gettext("deleted"),
            gettext("Open question"): gettext("two different counts")
            if row.conflict
            else row.waits_for,
            gettext("Result"): row.headline,
            gettext("Written down"): str(_HOW.get(hand.kind, "")),
            gettext("Confirmed"): hand.confirmed_at,
            gettext("When"): hand.recorded_at,
        }
