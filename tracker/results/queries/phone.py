"""View model of one phone at a table: what it may undo, has to confirm, and has just saved.

A phone speaks for one *side*: players who score together, or one player. To *take back* a hand is
to undo it: the hand is *struck*, it stays but counts nowhere. *Parked*: the count would not add up.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from django.utils.translation import gettext, gettext_noop

from tracker.models import IssueKind, Verdict
from tracker.results.queries.hand_details import HandDetails
from tracker.results.queries.table import TablePage, was_taken_back

# A *verdict* is what became of a report: the sentences below tell it. Receipts have four more: the
# hand has changed since, is settled, waits for another side, or was sent by another phone.
CHANGED, SETTLED, FOR_NOW, ANOTHER = "changed", "settled", "for-now", "another"
SENTENCES = {
    Verdict.ACCEPTED.value: gettext_noop("%(hand)s saved: %(what)s"),
    Verdict.AGREES.value: gettext_noop("%(hand)s, your counts agree: %(what)s"),
    Verdict.AMENDS.value: gettext_noop("%(hand)s changed: %(what)s"),
    Verdict.PARKED.value: gettext_noop("%(hand)s is with the organiser: %(what)s"),
    Verdict.CONFLICTS.value: gettext_noop("%(hand)s: both counts are kept"),
    Verdict.PROPOSES.value: gettext_noop(
        "%(hand)s: the organiser is asked to change it. Until then: %(what)s"
    ),
    Verdict.LATE.value: gettext_noop("%(hand)s came late: it is with the organiser"),
    CHANGED: gettext_noop("%(hand)s was changed after you saved it. Now: %(what)s"),
    SETTLED: gettext_noop("%(hand)s is settled: %(what)s"),
    FOR_NOW: gettext_noop("%(hand)s, for now: %(what)s"),
    ANOTHER: gettext_noop("%(hand)s, from another phone: %(what)s"),
}
# The issue that a report with this verdict opens; once it is settled, the receipt says so.
_ISSUE_OF = {
    Verdict.CONFLICTS.value: IssueKind.CONFLICT,
    Verdict.PROPOSES.value: IssueKind.CHANGE,
    Verdict.PARKED.value: IssueKind.PARKED,
}
# After these verdicts no other phone has reported the hand, so "Undo" takes it back. After the
# other verdicts that may be undone, the sheet is shown again.
_UNDONE_BY_TAKING_BACK = {Verdict.ACCEPTED, Verdict.PARKED}
_MAY_BE_UNDONE = {*_UNDONE_BY_TAKING_BACK, Verdict.AGREES, Verdict.AMENDS, Verdict.PROPOSES}


class UndoWay(StrEnum):
    """How a phone undoes what it has just sent."""

    TAKE = "take"  # the hand is taken back
    CHANGE = "change"  # its sheet is shown again


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """What the page says about a hand that was saved."""

    number: int
    called: str  # "Hand 5"
    verdict: str  # a key of ``SENTENCES``
    says: str  # the sentence
    also: str  # the headline, in smaller letters
    undo: UndoWay | None
    report: int  # key of the hand's accepted report
    warnings: Sequence[str]

    @property
    def open(self) -> bool:
        """Return whether the organiser or the table still has to decide about it."""
        return self.verdict in {*_ISSUE_OF, Verdict.LATE}

    @property
    def own(self) -> bool:
        """Return whether this phone sent it."""
        return self.verdict != ANOTHER


@dataclass(frozen=True, kw_only=True)
class Phone:
    """A phone at the page of its table; it speaks for a *side*, if it has said for which."""

    page: TablePage
    device: str  # the name in its cookie; empty without one
    side: int | None

    @cached_property
    def last(self) -> HandDetails | None:
        """Return the last hand that is not struck."""
        return next((hand for hand in reversed(self.page.hands) if not hand.struck), None)

    @property
    def number(self) -> int:
        """Return the number of the last hand, 0 before the first."""
        return self.last.number if self.last else 0

    @property
    def change_number(self) -> int:
        """Return the number of the last hand if this phone sent it and may change it, else 0."""
        return self.number if self.last and self._may_act and self._sent(self.last) else 0

    @property
    def take_back_number(self) -> int:
        """Return the number of the last hand if this phone may take it back, else 0."""
        return self.number if self.last and self._may_act and self._is_own(self.last) else 0

    @cached_property
    def to_bring_back(self) -> HandDetails | None:
        """Return the hand that this phone may bring back, in one query where a hand is struck."""
        hands = [*self.page.hands, *filter(None, [self.page.undone])]
        # Hands are taken back one by one, the last hand first. So of several hands that were taken
        # back, the one with the lowest number was taken back last.
        struck = next((hand for hand in hands if hand.number > self.number), None)
        if struck is None or not self._may_act or not self._is_own(struck):
            return None
        return struck if was_taken_back(self.page.table, struck.row) else None

    @property
    def _may_act(self) -> bool:
        return self.page.table.takes_reports

    def _sent(self, hand: HandDetails) -> bool:
        return bool(self.device) and hand.device == self.device

    def _is_own(self, hand: HandDetails) -> bool:
        return self._sent(hand) or (self.side is not None and hand.side == self.side)

    @property
    def must_confirm(self) -> bool:
        """Return whether another side has to confirm each hand, so that phones say their side."""
        return self.page.table.needs_both and self._may_act

    @cached_property
    def _unconfirmed(self) -> list[HandDetails]:
        return self.page.unconfirmed if self.must_confirm else []

    @cached_property
    def to_answer(self) -> list[HandDetails]:
        """Return the unconfirmed hands of other sides, which this phone is asked to confirm."""
        return [
            hand
            for hand in self._unconfirmed
            if self.speaks_for and hand.side not in {None, self.side} and not self._sent(hand)
        ]

    @property
    def waiting(self) -> list[HandDetails]:
        """Return the other unconfirmed hands, which wait for another side."""
        return [hand for hand in self._unconfirmed if hand not in self.to_answer]

    @property
    def speaks_for(self) -> str:
        """Return the names of the phone's side; empty if it is no side of this table."""
        sides = self.page.names.sides
        if self.side is None or self.side not in range(len(sides)):
            return ""
        return sides[self.side]

    def receipt_for(self, number: int | None, verdict: str) -> Receipt | None:
        """Return the receipt of a hand that this phone has just sent, with the *verdict* it got."""
        # Number and verdict come from the page's URL: if they make no sense, there is no receipt.
        page = self.page
        hand = page.hand(number or 0)
        if number is not None and verdict == Verdict.LATE:  # then the hand need not be recorded
            return self._receipt(number, verdict, hand)
        if verdict not in set(Verdict.values) & SENTENCES.keys() or hand is None:
            return None
        if hand.number < page.table.last_number and verdict in {Verdict.ACCEPTED, Verdict.AGREES}:
            return None  # the table has played on since
        open_issues = {(issue.row.number, issue.row.kind) for issue in page.issues}
        kind = _ISSUE_OF.get(verdict)
        if kind and (hand.number, kind) not in open_issues:  # it was settled
            verdict = FOR_NOW if hand in page.unconfirmed else SETTLED
        elif verdict in {Verdict.ACCEPTED, Verdict.AMENDS} and self.device and not self._sent(hand):
            verdict = CHANGED  # another phone sent what is recorded now
        return self._receipt(hand.number, verdict, hand)

    def receipt_of_last(self) -> Receipt | None:
        """Return the receipt of the last hand, for a page that no report has just led to."""
        page, hand = self.page, self.last
        if hand is None or not self._may_act or self.to_bring_back:
            return None
        if not self.device or not hand.device:  # then nobody knows which phone sent it
            return None
        verdict = Verdict.ACCEPTED.value if self._sent(hand) else ANOTHER
        if verdict == ANOTHER and any(issue.row.number == hand.number for issue in page.conflicts):
            return None  # the page shows both counts side by side
        return self._receipt(hand.number, verdict, hand)

    def _receipt(self, number: int, verdict: str, hand: HandDetails | None) -> Receipt:
        result = (hand.totals or hand.headline) if hand else ""
        called = self.page.table.numbered(number)
        undo = None
        if number == self.number and verdict in _MAY_BE_UNDONE:
            takes = number == self.take_back_number and verdict in _UNDONE_BY_TAKING_BACK
            undo = UndoWay.TAKE if takes else UndoWay.CHANGE
        return Receipt(
            number=number,
            called=called,
            verdict=verdict,
            says=gettext(SENTENCES[verdict]) % {"hand": called, "what": result},
            also=hand.headline if hand and hand.totals else "",
            undo=undo,
            report=hand.report if hand else 0,
            warnings=hand.warnings if hand else (),
        )
