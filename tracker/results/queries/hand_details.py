"""View model of recorded hands: results, sheets and reports in words.

A *side* is players who score together, or one player where all play alone. A *mark* is a whole
number that a hand gives a seat. A *struck* hand was undone or deleted: it counts nowhere.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext

from games.errors import RuleError
from games.game import Session
from games.mode import Mode
from games.sheet import Mark, Scope, Sheet, side_marks
from tracker.common.figures import figure
from tracker.common.sheet_lines import Line, counts, lines, totals
from tracker.common.wording import Names, say
from tracker.models import Hand, Verdict
from tracker.tables.replay import ReplayRefused
from tracker.tables.stored_hands import warning_from_json
from tracker.tables.table_now import TableNow


@dataclass(frozen=True)
class HandDetails:
    """A hand with its table, and the sentences about it."""

    table: TableNow
    row: Hand  # as it is stored, with its accepted report

    @property
    def number(self) -> int:
        return self.row.number

    @property
    def called(self) -> str:
        return self.table.numbered(self.number)

    @property
    def sheet(self) -> Sheet:
        sheet: Sheet = self.row.sheet
        return sheet

    @cached_property
    def session_before(self) -> Session:
        """Return the session before the hand: dealer, match score, tokens."""
        return self.table.resume_session(self.row.session_before)

    @cached_property
    def names(self) -> Names:
        return self.table.names_at(self.number)

    @property
    def dealer(self) -> str:
        """Return the dealer's name; empty if it is not known."""
        return "" if self.row.dealer is None else self.names.at(self.row.dealer)

    @property
    def struck(self) -> bool:
        return self.row.struck_at is not None

    @cached_property
    def totals(self) -> str:
        """Return the count of each side, joined with dashes; empty if no side counted."""
        return totals(self.table.game, self.session_before, self.sheet)

    @cached_property
    def headline(self) -> str:
        if self.struck:
            return gettext("Deleted")
        return say(self.table.game.headline(self.session_before, self.sheet), self.names)

    @cached_property
    def why(self) -> str:
        """Return how the rules explain the result; empty if they do not, or the hand is struck."""
        text = None if self.struck else self.table.game.explain(self.session_before, self.sheet)
        return say(text, self.names)

    @property
    def result(self) -> str:
        """Return the totals and the headline in one line; of a struck hand, that it was deleted."""
        return ", ".join(filter(None, [self.totals, self.headline]))

    @property
    def counts(self) -> Sequence[object]:
        """Return each side's count, ``None`` where a side has none; empty if no side counted."""
        return counts(self.table.game, self.session_before, self.sheet)

    @property
    def counted(self) -> str:
        """Return the counts with the names of the sides: "Asha & Juma 70, Neema & Baraka 50"."""
        return ", ".join(
            f"{self.names.of(side)}\N{NO-BREAK SPACE}{total}"
            for side, total in enumerate(self.counts)
            if total is not None
        )

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        return lines(self.table.game, self.session_before, self.sheet, self.names)

    @cached_property
    def marks_by_side(self) -> list[dict[str, int]]:
        """Return mark key -> amount for each side; an empty list for a hand that counts nowhere."""
        if self.struck or not self.row.marks:
            return []
        game, sides = self.table.game, self.table.mode.sides
        return [side_marks(self.row.marks, seats, game.seat_scoped) for seats in sides]

    @cached_property
    def mark_lines(self) -> tuple[Line, ...]:
        """Return the marks of each player in words, as "Trader · 2 points".

        Empty in games whose marks are all of sides: there the headline tells them.
        """
        game = self.table.game
        by_seat = any(mark.scope is not Scope.SIDE for mark in game.marks)
        if self.row.marks is None or self.struck or not by_seat:
            return ()
        # Only marks in columns of the standings are told, and not in a column that is a share (a
        # percentage of several parts).
        columns = [
            column
            for column in game.columns(self.table.options)
            if not (column.percent and column.parts > 1)
        ]
        shown = {key for column in columns for key, _weight in column.terms}
        marks = [mark for mark in game.marks if mark.key in shown]
        by_player = []
        for seat, amounts in enumerate(self.row.marks):
            texts = [_say_mark(mark, amounts[mark.key]) for mark in marks if amounts.get(mark.key)]
            by_player.append(Line(self.names.at(seat), " · ".join(texts) or "–"))
        return tuple(by_player)

    @property
    def warnings(self) -> list[str]:
        return [say(warning_from_json(stored).text, self.names) for stored in self.row.warnings]

    @property
    def struck_message(self) -> str:
        """Return the message that the hand no longer counts, with a link that brings it back."""
        sentence = gettext("Table %(table)d, %(hand)s no longer counts: %(result)s.")
        return format_html(
            '{} <a href="{}?change=restore">{}</a>',
            sentence % {"table": self.table.number, "hand": self.called, "result": self.result},
            reverse("hand-correct", args=[self.table.sitting_id, self.number]),
            gettext("Bring it back"),
        )

    @property
    def report(self) -> int:
        """Return the key of the accepted report, whose sheet the hand has."""
        return self.row.accepted_report_id

    @property
    def side(self) -> int | None:
        """Return the number of the side that reported the hand, if the phone said which."""
        return self.row.accepted_report.side

    @property
    def device(self) -> str:
        return self.row.accepted_report.device

    @property
    def reporter(self) -> str:
        """Return the names of the side that reported the hand, or an empty text."""
        return "" if self.side is None else self.names.of(self.side)

    @property
    def waits_for(self) -> str:
        """Return the sentence that tells who still has to confirm the hand."""
        return waits_for(self.names, self.table.mode, self.side)

    @property
    def result_type(self) -> str:
        """Return how a hand that was not played out was decided, else an empty text."""
        return self.row.get_result_type_display() if self.row.result_type else ""

    @property
    def reason(self) -> str:
        return gettext(self.row.reason) if self.row.reason else ""

    @property
    def badge(self) -> str:
        """Return "corrected", "confirmed" or an empty text."""
        if self.row.accepted_report.verdict == Verdict.CORRECTION and not self.row.result_type:
            return gettext("corrected")
        return gettext("confirmed") if self.row.confirmed_at else ""


def hand_details(table: TableNow) -> list[HandDetails]:
    """Return every hand of the table in order, struck ones too, in one query."""
    return details_by_table([table])[table.sitting_id]


def details_by_table(tables: Sequence[TableNow]) -> dict[int, list[HandDetails]]:
    """Return every hand of these tables in order, keyed by sitting, in one query."""
    by_sitting = {table.sitting_id: table for table in tables}
    details: dict[int, list[HandDetails]] = {sitting_id: [] for sitting_id in by_sitting}
    hands = Hand.objects.filter(sitting__in=by_sitting).select_related("accepted_report")
    for hand in hands.order_by("number"):
        details[hand.sitting_id].append(HandDetails(by_sitting[hand.sitting_id], hand))
    return details


def sums_by_side(table: TableNow, hands: Iterable[HandDetails]) -> list[Counter[str]]:
    """Return for each side the sums of its marks over these hands, keyed by mark."""
    sums: list[Counter[str]] = [Counter() for _side in table.mode.sides]
    for hand in hands:
        # A hand that counts nowhere has an empty list.
        for of_side, marks in zip(sums, hand.marks_by_side, strict=False):
            of_side.update(marks)
    return sums


def waits_for(names: Names, mode: Mode, side: int | None) -> str:
    """Return the sentence that tells who still has to confirm what this side reported.

    >>> from games.mode import teams
    >>> waits_for(Names((), ("Asha & Juma", "Neema & Baraka")), teams(4, 2, ""), 0)
    'Neema & Baraka must still say yes'
    """
    if side is None:  # then nobody knows which sides are the others
        return gettext("the organiser must still say yes")
    others = [other for other in range(len(mode.sides)) if other != side]
    if len(others) == 1:
        return gettext("%(side)s must still say yes") % {"side": names.of(others[0])}
    if mode.individual:
        return gettext("another player must still say yes")
    return gettext("another side must still say yes")


def _say_mark(mark: Mark, amount: int) -> str:
    """Return an amount (in parts of a point) in the game's words, or as label and figure."""
    if amount == mark.parts and mark.one:  # one whole point
        return gettext(mark.one)
    number = figure(Fraction(amount, mark.parts))
    if mark.many:
        return gettext(mark.many) % {"number": number}
    return f"{gettext(mark.label)} {number}"


def correction_refusal(refusal: RuleError, table: TableNow, names: Names) -> str:
    """Return a refusal in words, with the name of the later hand that could not follow, if any."""
    sentence = say(refusal, names)
    if not isinstance(refusal, ReplayRefused):
        return sentence
    hand = table.numbered(refusal.number)
    return gettext("Then %(hand)s cannot stand: %(why)s") % {"hand": hand, "why": sentence}
