"""What a table's page says, in one line, of the hand that was written down last."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from django.utils.translation import gettext, gettext_noop

from tracker.models import IssueKind, Verdict
from tracker.results.queries.hand_details import HandDetails
from tracker.results.queries.table import LastHand, TablePage, unconfirmed_among

# What is said of a hand handed in that stands otherwise by now, of one about which nothing is open
# though another side has yet to agree, and of one that another phone sent.
CHANGED, SETTLED, FOR_NOW, ANOTHER = "changed", "settled", "for-now", "another"
_SAYS = {
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
_WAITS_AS = {
    Verdict.CONFLICTS.value: IssueKind.CONFLICT,
    Verdict.PROPOSES.value: IssueKind.CHANGE,
    Verdict.PARKED.value: IssueKind.PARKED,
}
_UNDONE_BY_TAKING_BACK = {Verdict.ACCEPTED, Verdict.PARKED}
_MAY_BE_CHANGED = {*_UNDONE_BY_TAKING_BACK, Verdict.AGREES, Verdict.AMENDS, Verdict.PROPOSES}


class UndoWay(StrEnum):
    """How a phone takes back what it has just sent."""

    TAKE = "take"  # the hand is taken back
    CHANGE = "change"  # its sheet comes again


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """One line about a hand; ``also`` is shown in smaller letters."""

    number: int
    called: str
    verdict: str
    says: str
    also: str = ""
    undo: UndoWay | None = None
    report: int = 0  # that stands
    warnings: Sequence[str] = ()

    @property
    def open(self) -> bool:
        """Return whether a decision about it is still open."""
        return self.verdict in {*_WAITS_AS, Verdict.LATE}

    @property
    def own(self) -> bool:
        """Say whether this phone handed it in."""
        return self.verdict != ANOTHER


def receipt_for(
    page: TablePage, last: LastHand, *, number: int | None, verdict: str, device: str
) -> Receipt | None:
    """Return the receipt of hand *number* for the phone that has just sent it, if one has."""
    if number is None:
        return None
    hand = page.hand(number)
    if verdict == Verdict.LATE:
        return _receipt(page, last, number, verdict, hand)
    if verdict not in set(Verdict.values) & _SAYS.keys() or hand is None:
        return None
    if number < page.table.last_number and verdict in {Verdict.ACCEPTED, Verdict.AGREES}:
        return None  # the table has gone on since
    waits_as = _WAITS_AS.get(verdict)
    if waits_as and not any(
        (issue.row.number, issue.row.kind) == (number, waits_as) for issue in page.issues
    ):
        waits = hand in unconfirmed_among(page.table, page.hands, page.issues)
        verdict = FOR_NOW if waits else SETTLED
    elif verdict in {Verdict.ACCEPTED, Verdict.AMENDS} and device and hand.device != device:
        verdict = CHANGED  # another phone sent what stands now
    return _receipt(page, last, number, verdict, hand)


def receipt_of_last(page: TablePage, last: LastHand, *, device: str) -> Receipt | None:
    """Return the receipt of the last hand, for a page that was opened or refreshed itself."""
    hand = page.hand(last.number)
    if hand is None or page.table.closed or last.bring or not device or not hand.device:
        return None
    verdict = Verdict.ACCEPTED.value if hand.device == device else ANOTHER
    if verdict == ANOTHER and any(issue.row.number == hand.number for issue in page.conflicts):
        return None  # the page lays both counts side by side
    return _receipt(page, last, hand.number, verdict, hand)


def _receipt(
    page: TablePage, last: LastHand, number: int, verdict: str, hand: HandDetails | None
) -> Receipt:
    what = (hand.totals or hand.headline) if hand else ""
    called = page.table.numbered(number)
    undo = None
    if number == last.number and verdict in _MAY_BE_CHANGED:
        goes = number == last.take and verdict in _UNDONE_BY_TAKING_BACK
        undo = UndoWay.TAKE if goes else UndoWay.CHANGE
    return Receipt(
        number=number,
        called=called,
        verdict=verdict,
        says=gettext(_SAYS[verdict]) % {"hand": called, "what": what},
        also=hand.headline if hand and hand.totals else "",
        undo=undo,
        report=hand.report if hand else 0,
        warnings=hand.warnings if hand else (),
    )
