"""Settlement of issues about hands, by the organiser or by the players at the table.

An *issue* waits for a person: a conflict (two counts of one hand), a parked report (its count would
not add up), a late report (after the round closed), a requested change, or a query (a player thinks
that a hand is wrong). A recorded hand has its *accepted* report; an issue may have another report.
"""

from enum import StrEnum
from typing import Any

from django.db import transaction

from games.errors import gettext_noop
from games.sheet import VOID, Sheet
from tracker.common.actor import Actor
from tracker.common.audit_log import log
from tracker.common.errors import Refused
from tracker.models import Hand, Issue, IssueKind
from tracker.results.services.confirming import check_seen, confirm
from tracker.results.services.corrections import rewrite
from tracker.results.services.issues import close_issue, store_open_conflicts
from tracker.results.services.submissions import check_open, round_full, sent_by, without_count
from tracker.tables.locks import lock_table
from tracker.tables.replay import HandEntry, hands_by_number, last_unstruck_number
from tracker.tables.table_now import TableNow


class IssueOutcome(StrEnum):
    """How an issue is settled."""

    KEEP = "keep"  # the recorded hand stays
    TAKE = "take"  # the issue's report replaces it, or is recorded if it came late
    TWO = "two"  # the reports are of two hands: the other one is recorded after the last hand
    MENDED = "mended"  # a new sheet replaces the recorded one
    VOID = "void"  # the hand counts for nothing
    DISMISS = "dismiss"  # the hand stays: the query or late report was wrong


_OUTCOMES_WITH_REPORT = {IssueOutcome.TAKE, IssueOutcome.TWO}
_KINDS_WITH_REPORT = {IssueKind.CONFLICT, IssueKind.LATE, IssueKind.CHANGE}
CHANGES_NOTHING = {IssueOutcome.KEEP, IssueOutcome.DISMISS}


@transaction.atomic
def settle(
    *,
    issue_id: int,
    outcome: IssueOutcome,
    sheet: Sheet | None = None,
    reason: str,
    by: Actor,
    at_table: bool = False,
    seen: int | None = None,
) -> None:
    """Settle an issue with this *outcome*; ``MENDED`` needs a new *sheet*.

    Players settle *at_table*: only while the round runs, only about the last hand, and no phone
    decides for the count it sent itself. If the organiser keeps a hand, that confirms the hand.
    *seen* is the key of the report that the page showed as accepted: see ``check_seen``.

    :raises Issue.DoesNotExist: if there is no such issue about a hand.
    :raises SheetError: if the rules refuse the sheet.
    :raises ReplayRefused: if a later hand cannot follow, with its ``number``.
    :raises Refused: ``issue-settled``, ``outcome-unfit``, ``sheet-missing``, ``hand-missing``,
        ``hand-not-last``, ``hand-otherwise``, ``own-count``, ``round-full`` or ``round-closed``.
    """
    table, issue = _lock_issue(issue_id, at_table=at_table)
    this_hand = Hand.objects.filter(sitting=table.sitting_id, number=issue.number)  # one or none
    hand = this_hand.select_related("accepted_report").first()
    check_seen(hand, seen)
    accepted = hand and hand.accepted_report
    chosen_report = {IssueOutcome.KEEP: accepted, IssueOutcome.TAKE: issue.report}.get(outcome)
    if at_table and chosen_report and sent_by(by, chosen_report):
        template = gettext_noop(
            "This phone sent that count itself: whoever sent the other one can take it,"
            " or the organiser decides."
        )
        raise Refused("own-count", template)
    # Closed before the rewrite, which closes issues that are open with outcomes of its own.
    close_issue(issue, outcome.value, by.at)
    numbers: dict[str, Any] = {"kind": issue.kind, "outcome": outcome.value}
    if outcome not in CHANGES_NOTHING:
        numbers |= _rewrite(table, issue, outcome, sheet, by, at_table=at_table)
    else:
        if issue.kind == IssueKind.CONFLICT:
            store_open_conflicts(table.sitting_id)  # a rewrite does so itself
        # To dismiss a late report says nothing about a recorded hand.
        if not at_table and issue.kind != IssueKind.LATE:
            confirm(this_hand, by.at)
    on = {**table.log_keys, "hand": issue.number, "issue": issue.pk}
    log(by, "issue-settled", **on, numbers=numbers, reason=reason)


def _lock_issue(issue_id: int, *, at_table: bool) -> tuple[TableNow, Issue]:
    """Lock the table of an issue about a hand; return table and issue if it may be settled."""
    about_hands = Issue.objects.exclude(kind=IssueKind.CALL)
    sitting_id = about_hands.values_list("sitting_id", flat=True).get(pk=issue_id)
    table = lock_table(sitting_id=sitting_id)
    issue = Issue.objects.select_related("report").get(pk=issue_id)
    if issue.settled_at is not None:
        raise Refused("issue-settled", gettext_noop("Somebody has settled this already."))
    if at_table:
        check_open(table, gettext_noop("This round is closed: the organiser settles it now."))
    if at_table and issue.number != last_unstruck_number(hands_by_number(table.sitting_id)):
        template = gettext_noop("Another one has been played since: the organiser settles it now.")
        raise Refused("hand-not-last", template)
    return table, issue


def _rewrite(
    table: TableNow,
    issue: Issue,
    outcome: IssueOutcome,
    sheet: Sheet | None,
    by: Actor,
    *,
    at_table: bool,
) -> dict[str, Any]:
    """Rewrite the issue's hand, or record a new hand after the last; return values for the log."""
    hands = hands_by_number(table.sitting_id)
    uses_report = outcome in _OUTCOMES_WITH_REPORT
    if uses_report and (issue.kind not in _KINDS_WITH_REPORT or issue.report is None):
        raise Refused("outcome-unfit", gettext_noop("Choose one of the ways to settle this."))
    coming = table.coming_number
    number = coming if outcome is IssueOutcome.TWO else issue.number
    if number > coming:
        template = gettext_noop("%(hand)s has not arrived yet; this one has to wait for it.")
        raise Refused("hand-missing", template, hand=table.numbered(coming), missing=coming)
    if number == coming and table.progress.whole:
        raise round_full()
    if outcome is IssueOutcome.VOID:
        sheet = {"bare": VOID}
    elif uses_report and issue.report is not None:
        sheet = without_count(issue.report.sheet)  # changes only parked sheets
    elif sheet is None:
        raise Refused("sheet-missing", gettext_noop("Write down how it went."))
    # A hand beyond the last number was undone by the table: its dealer does not count any more.
    hand = hands.get(number) if number <= table.last_number else None
    entry = HandEntry(number=number, sheet=sheet, dealer=hand.dealer if hand else table.chosen)
    reports = {number: issue.report.pk} if uses_report and issue.report else {}
    _replayed, log_numbers = rewrite(
        table, hands, {number: entry}, by=by, reports=reports, at_table=at_table
    )
    return log_numbers
