"""Repeats and conflicts: reports of a hand that is recorded already, called second reports.

A *report* is one submission of a *sheet*, the answers about one hand; the phone gets a *response*.
A report that was stored before is a *repeat*, and gets its first response again. Any other second
report *agrees* with the hand, *amends* it (sent by the same phone), *conflicts* with it (by another
phone), or *proposes* a change to the organiser. A *struck* hand does not count, but its row stays:
the table *undid* it (``was_taken_back``), or the organiser deleted it. Of a *parked* sheet, which
does not add up, only the winner counts. ``moved_to`` is the hand meant where the phone named an
undone one. ``is_next`` is its reply to "this hand or the next?", ``None`` before it was asked.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from games.errors import RuleError, SheetError
from games.game import Session
from games.sheet import Sheet, plain
from tracker.common.audit_log import log
from tracker.models import Hand, Issue, IssueKind, Report, Verdict
from tracker.results.queries.table import was_taken_back
from tracker.results.services import issues, submissions
from tracker.results.services.submissions import ASK, Arrival, SubmissionResult, sent_by
from tracker.tables.replay import HandEntry, last_unstruck_number, replay, store_replay
from tracker.tables.revisions import count_up
from tracker.tables.stored_hands import has_same_result


@dataclass(frozen=True, kw_only=True)
class SecondReport:
    """A report of a hand that is recorded already, with all hands of its table by number."""

    arrival: Arrival  # the report and its locked table
    hands: Mapping[int, Hand]
    hand: Hand  # the recorded one

    @cached_property
    def session_before(self) -> Session:
        return self.arrival.table.resume_session(self.hand.session_before)

    @cached_property
    def has_same_result(self) -> bool:
        """Return whether the sheet, completed by the rules, equals the recorded one."""
        table = self.arrival.table
        return has_same_result(table, self.session_before, self.arrival.sheet, self.hand.sheet)

    @property
    def same_sender(self) -> bool:
        return sent_by(self.arrival.by, self.hand.accepted_report)

    def may_be_of_next_hand(self) -> bool:
        """Return whether a sheet with another result may be of the next hand, so that we ask.

        - The phone named an earlier hand, which the table undid: it may.
        - The phone sent the recorded hand: only if that was undone and recorded again in between.
        - Another phone: it may, but not while the phone's conflict with this hand is open.
        """
        if self.arrival.moved_to is not None:
            return True
        if self.same_sender:
            reports = Report.objects.filter(sitting=self.hand.sitting_id, number=self.hand.number)
            return reports.filter(verdict__in=[Verdict.ACCEPTED, Verdict.PARKED]).count() > 1
        conflicts = Issue.objects.open_conflicts(self.hand.sitting_id)
        of_phone = conflicts.filter(number=self.hand.number, report__device=self.arrival.device)
        return not (self.arrival.device and of_phone.exists())

    @property
    def is_last(self) -> bool:
        """Return whether the hand is the last that is not struck: phones change no other hand."""
        return self.hand.number == last_unstruck_number(self.hands)

    @cached_property
    def new_optional_answers(self) -> Sheet:
        """Return the optional answers that the hand lacks, or that its own phone corrects."""
        sent, recorded = self.arrival.sheet, self.hand.sheet
        if "bare" in recorded:  # a sheet that tells only who won
            return {}
        return {
            question.name: sent[question.name]
            for question in self.arrival.table.game.questions(self.session_before)
            if not question.required
            and _is_answered(sent.get(question.name))
            and (self.same_sender or not _is_answered(recorded.get(question.name)))
            and sent[question.name] != recorded.get(question.name)
        }

    @property
    def changes_optional_answers(self) -> bool:
        """Return whether an optional answer that the hand has already is changed."""
        return any(_is_answered(self.hand.sheet.get(name)) for name in self.new_optional_answers)


def _is_answered(answer: object) -> bool:
    """Return whether an answer, or one of a list of answers, is not ``None``."""
    values = answer if isinstance(answer, list | tuple) else [answer]
    return any(value is not None for value in values)


def answer_second_report(arrival: Arrival, hands: Mapping[int, Hand]) -> SubmissionResult:
    """Decide what a report of a recorded hand, not a repeat, does; store it and return a response.

    :raises SheetError: if the rules refuse the sheet.
    :raises ReplayRefused: if the report amends the hand, and a later hand could not follow it.
    :raises Refused: ``hand-struck``, or ``too-many-queries`` if a hand has enough proposals.
    """
    second = SecondReport(arrival=arrival, hands=hands, hand=hands[arrival.number])
    if second.hand.struck_at is not None:
        raise submissions.hand_struck(arrival.table, arrival.number)
    if second.has_same_result:
        changes_older_hand = second.changes_optional_answers and not second.is_last
        return _propose(second) if changes_older_hand else _agree(second)
    if arrival.submission.is_next is None and second.may_be_of_next_hand():
        return ask_which_hand(arrival, second.hand)
    if second.same_sender:
        return _amend(second) if second.is_last else _propose(second)
    return _conflict(second)


def hand_after_undone(arrival: Arrival, hands: Mapping[int, Hand]) -> int | None:
    """Return the number of the first hand that the table did not undo, from the reported one on.

    That is the coming number if the table undid all of these. Return ``None`` if the report may be
    of one of the undone hands: if it has the same result, or comes from the phone that sent it.

    :raises SheetError: if the rules refuse the sheet.
    """
    number = arrival.number
    while number <= arrival.table.last_number and was_taken_back(arrival.table, hands[number]):
        second = SecondReport(arrival=arrival, hands=hands, hand=hands[number])
        if second.same_sender or second.has_same_result:
            return None
        number += 1
    return number


def ask_which_hand(arrival: Arrival, hand: Hand) -> SubmissionResult:
    """Ask whether a sheet is for this hand or for the next one; nothing is stored."""
    return submissions.table_answer(arrival.table, ASK, hand.number, asked_about=hand.number)


def answer_to_repeat(arrival: Arrival) -> SubmissionResult | None:
    """Return the response that this submission got first; ``None`` if it is not a repeat."""
    # It was stored with the phone's identifier, or the other one if a different report had that.
    identifiers = [arrival.submission.entry, arrival.other_entry]
    sheet = plain(arrival.submission.sheet)
    for report in Report.objects.filter(sitting=arrival.table.sitting_id, entry__in=identifiers):
        response = report.answer
        # ``sent`` is the number that the phone sent, ``report.number`` that of the hand it meant.
        if response.get("sent") == arrival.submission.number and report.sheet == sheet:
            return SubmissionResult(
                verdict=report.verdict,
                number=report.number,
                report_id=report.pk,
                next_dealer=response["next_dealer"],
                may_deal=tuple(response["may_deal"]),
                over=response["over"],
            )
    return None


def is_duplicate(arrival: Arrival, hands: Mapping[int, Hand]) -> bool:
    """Return whether a late report has the same result as the recorded hand."""
    hand = hands.get(arrival.number)
    if hand is None or hand.struck_at is not None:
        return False
    try:
        return SecondReport(arrival=arrival, hands=hands, hand=hand).has_same_result
    except SheetError:  # the rules may refuse the late sheet
        return False


def _agree(second: SecondReport) -> SubmissionResult:
    """Store a report with the same result; from another side of the table it confirms the hand."""
    arrival, hand = second.arrival, second.hand
    response = submissions.table_answer(arrival.table, Verdict.AGREES.value, hand.number)
    report_id = submissions.store_report(arrival, Verdict.AGREES, response)
    if _is_another_side(arrival, hand.accepted_report):
        # Also where no other side has to agree: the page of hands shows it.
        _confirm(second)
        count_up(arrival.table.sitting_id)
    issues.withdraw(arrival, IssueKind.CHANGE, IssueKind.CONFLICT)
    if second.new_optional_answers:
        _take_over_optional_answers(second)
    return replace(response, report_id=report_id)


def _take_over_optional_answers(second: SecondReport) -> None:
    """Add the report's new optional answers to the hand, unless they change a score."""
    hand = second.hand
    completed = replace(HandEntry.of(hand), sheet={**hand.sheet, **second.new_optional_answers})
    try:
        replayed = replay(second.arrival.table, second.hands, {hand.number: completed})
    except RuleError:  # the report agrees all the same, and is stored
        return
    if replayed.keeps_all_marks:
        store_replay(replayed, {}, at=second.arrival.by.at)
        if second.changes_optional_answers:
            _log(second, "hand-amended", new_sheet=replayed.scored[hand.number].sheet)


def _is_another_side(arrival: Arrival, report: Report | None) -> bool:
    """Return whether *arrival* comes from another phone, for another side, than *report*."""
    if report is None or sent_by(arrival.by, report):
        return False
    return None not in {arrival.side, report.side} and arrival.side != report.side


def _confirm(second: SecondReport) -> None:
    hand, by = second.hand, second.arrival.by
    # Trap: a request that waited for the lock may have read the clock before the hand was stored.
    at = max(by.at, hand.recorded_at)
    if Hand.objects.filter(pk=hand.pk, confirmed_at=None).update(confirmed_at=at):
        _log(second, "hand-confirmed")


def _amend(second: SecondReport) -> SubmissionResult:
    """Change the hand to what the phone that sent it says now."""
    arrival, hand, table = second.arrival, second.hand, second.arrival.table
    amended = HandEntry(number=hand.number, sheet=arrival.sheet, dealer=hand.dealer)
    replayed = replay(table, second.hands, {hand.number: amended})
    response = submissions.session_answer(replayed.session, Verdict.AMENDS, hand.number)
    report_id = submissions.store_report(arrival, Verdict.AMENDS, response)
    agreed_issues = issues.close_answered_issues(replayed, arrival.by.at)
    if arrival.submission.parked:
        issues.raise_issue(arrival, IssueKind.PARKED, report_id)
    # This counts up the sitting, and removes an earlier confirmation.
    store_replay(replayed, {hand.number: report_id}, at=arrival.by.at)
    _log(second, "hand-amended", new_sheet=replayed.scored[hand.number].sheet)
    # An earlier report confirms the hand only where another side has to agree to it.
    if table.needs_both and any(_is_another_side(arrival, issue.report) for issue in agreed_issues):
        _confirm(second)
    return replace(response, report_id=report_id)


def _conflict(second: SecondReport) -> SubmissionResult:
    """Keep another phone's report beside the accepted one until the conflict is settled."""
    arrival, table = second.arrival, second.arrival.table
    response = submissions.table_answer(table, Verdict.CONFLICTS.value, second.hand.number)
    report_id = submissions.store_report(arrival, Verdict.CONFLICTS, response)
    issues.withdraw(arrival, IssueKind.CONFLICT)
    issues.raise_issue(arrival, IssueKind.CONFLICT, report_id)
    issues.store_open_conflicts(table.sitting_id)
    return replace(response, report_id=report_id)


def _propose(second: SecondReport) -> SubmissionResult:
    """Store a change of a hand that is not the last as an issue for the organiser to settle."""
    arrival, hand, table = second.arrival, second.hand, second.arrival.table
    response = submissions.table_answer(table, Verdict.PROPOSES.value, hand.number)
    report_id = submissions.store_report(arrival, Verdict.PROPOSES, response)
    issues.withdraw(arrival, IssueKind.CHANGE)
    issues.check_issue_limit(table.sitting_id, hand.number, IssueKind.CHANGE)
    issue = issues.raise_issue(arrival, IssueKind.CHANGE, report_id)
    _log(second, "change-asked", new_sheet=arrival.submission.sheet, issue=issue.pk)
    return replace(response, report_id=report_id)


def _log(second: SecondReport, verb: str, new_sheet: Sheet | None = None, **on: Any) -> None:
    table, hand = second.arrival.table, second.hand
    sheets = None if new_sheet is None else {"before": hand.sheet, "after": new_sheet}
    log(second.arrival.by, verb, **table.log_keys, hand=hand.number, numbers=sheets, **on)
