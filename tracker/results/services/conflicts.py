"""A second sheet for a hand that is there already: it agrees, amends, or is another count."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from games.errors import SheetError
from games.game import Session
from games.sheet import Sheet
from tracker.common.audit_log import log
from tracker.models import Hand, IssueKind, Report, Verdict
from tracker.results.queries.table import was_taken_back
from tracker.results.services.issues import (
    check_asked,
    has_conflict,
    keep_open_conflicts,
    raise_about,
    settle_what_answered_itself,
    withdraw_changes,
    withdraw_conflicts,
)
from tracker.results.services.submissions import (
    ASK,
    Arrival,
    SubmissionResult,
    hand_struck,
    sent_by,
    session_answer,
    store_anew,
    table_answer,
)
from tracker.tables.replay import (
    HandEntry,
    ReplayRefused,
    last_standing_number,
    replay,
    store_replay,
)
from tracker.tables.revisions import count_up
from tracker.tables.stored_hands import has_same_result


@dataclass(frozen=True, kw_only=True)
class Second:
    """A sheet that arrived for a hand already recorded, with all hands of its table."""

    arrival: Arrival
    hands: Mapping[int, Hand]
    hand: Hand

    @cached_property
    def session(self) -> Session:
        """Return the session the hand was played from."""
        return self.arrival.table.resume_session(self.hand.session_before)

    @property
    def has_same_result(self) -> bool:
        """Say whether the sheet, completed, says what the standing one says."""
        table = self.arrival.table
        return has_same_result(table, self.session, self.arrival.sheet, self.hand.sheet)

    @property
    def same_sender(self) -> bool:
        return sent_by(self.arrival.by, self.hand.accepted_report)

    @property
    def may_be_the_next(self) -> bool:
        """Return whether a different count may be the next hand; its sender has not said yet."""
        arrival = self.arrival
        if arrival.moved_to is not None:
            return True
        if self.same_sender:
            # It may be from before the hand was undone and written again.
            firsts = Report.objects.filter(
                sitting=self.hand.sitting_id,
                number=self.hand.number,
                verdict__in=[Verdict.ACCEPTED, Verdict.PARKED],
            )
            return firsts.count() > 1
        return not has_conflict(arrival.table.sitting_id, self.hand.number, arrival.device)

    @property
    def is_last(self) -> bool:
        """Return whether this is the last hand not struck, the only one its table may change."""
        return self.hand.number == last_standing_number(self.hands)

    @property
    def besides(self) -> Sheet:
        """Return the optional answers that the hand lacks, or that its own sender corrects."""
        sent, stands = self.arrival.sheet, self.hand.sheet
        if "bare" in stands:
            return {}
        return {
            question.name: sent[question.name]
            for question in self.arrival.table.game.questions(self.session)
            if not question.required
            and _answers(sent.get(question.name))
            and (self.same_sender or not _answers(stands.get(question.name)))
            and sent[question.name] != stands.get(question.name)
        }

    @property
    def puts_right(self) -> bool:
        """Return whether an optional answer that the hand has already is changed."""
        return any(_answers(self.hand.sheet.get(name)) for name in self.besides)


def _answers(answer: object) -> bool:
    """Say whether an answer holds anything: of several at least one."""
    several = answer if isinstance(answer, list | tuple) else [answer]
    return any(each is not None for each in several)


def answer_second(arrival: Arrival, hands: Mapping[int, Hand]) -> SubmissionResult:
    """Answer a new sheet for a hand that is there already.

    :raises SheetError: if no such hand could be played there.
    :raises ReplayRefused: if it amends, and a later hand could not follow it.
    :raises Refused: ``hand-struck``, or ``too-many-queries`` about a hand that is not the last.
    """
    table, number = arrival.table, arrival.number
    second = Second(arrival=arrival, hands=hands, hand=hands[number])
    if second.hand.struck_at is not None:
        raise hand_struck(table, number)
    if second.has_same_result:
        changes_older = second.puts_right and not second.is_last
        return _propose(second) if changes_older else _agree(second)
    if arrival.submission.is_next is None and second.may_be_the_next:
        return ask_about(arrival, second.hand)
    if second.same_sender:
        return _amend(second) if second.is_last else _propose(second)
    # A different count is kept beside the accepted one, until the conflict is settled.
    answer = table_answer(table, Verdict.CONFLICTS.value, number)
    report_id = store_anew(arrival, Verdict.CONFLICTS, answer)
    withdraw_conflicts(table.sitting_id, number, arrival.device, arrival.by.at)
    raise_about(arrival, IssueKind.CONFLICT, report_id)
    keep_open_conflicts(table.sitting_id)
    return replace(answer, report_id=report_id)


def hand_instead(arrival: Arrival, hands: Mapping[int, Hand]) -> int | None:
    """Return which hand a sheet is for whose number its table took back: the first left after it.

    ``None`` if that is not plain: it says what was taken back, or comes from the phone that sent
    that.

    :raises SheetError: if no such hand could be played there.
    """
    number = arrival.number
    while number <= arrival.table.last_number and was_taken_back(arrival.table, hands[number]):
        second = Second(arrival=arrival, hands=hands, hand=hands[number])
        if second.same_sender or second.has_same_result:
            return None
        number += 1
    return number


def ask_about(arrival: Arrival, hand: Hand) -> SubmissionResult:
    """Ask whether a sheet is for this hand, or for the next; nothing is stored."""
    return table_answer(arrival.table, ASK, hand.number, asked_about=hand.number)


def stands_already(arrival: Arrival, hands: Mapping[int, Hand]) -> bool:
    """Return whether a late report only repeats the recorded hand."""
    hand = hands.get(arrival.number)
    if hand is None or hand.struck_at is not None:
        return False
    with suppress(SheetError):
        return Second(arrival=arrival, hands=hands, hand=hand).has_same_result
    return False


def _agree(second: Second) -> SubmissionResult:
    """Keep a sheet that says the same; from another side it confirms the hand."""
    arrival, hand = second.arrival, second.hand
    table, by = arrival.table, arrival.by
    answer = table_answer(table, Verdict.AGREES.value, hand.number)
    report_id = store_anew(arrival, Verdict.AGREES, answer)
    if _is_another_side(arrival, hand.accepted_report):
        _confirm(second)
        count_up(table.sitting_id)
    withdraw_changes(table.sitting_id, hand.number, arrival.device, by.at)
    if withdraw_conflicts(table.sitting_id, hand.number, arrival.device, by.at):
        keep_open_conflicts(table.sitting_id)
    if besides := second.besides:
        # The hand learns what this sheet says besides, unless that moves a point.
        written = replace(HandEntry.of(hand), sheet={**hand.sheet, **besides})
        replayed = None
        with suppress(SheetError, ReplayRefused):  # it agrees all the same, and its report is kept
            replayed = replay(table, second.hands, {hand.number: written})
        if replayed and replayed.keeps_all_marks:
            store_replay(replayed, {}, at=by.at)
            if second.puts_right:
                numbers = {"before": hand.sheet, "after": replayed.scored[hand.number].sheet}
                _log(second, "hand-amended", numbers=numbers)
    return replace(answer, report_id=report_id)


def _is_another_side(arrival: Arrival, report: Report | None) -> bool:
    """Say whether a report came from another phone, which speaks for another side."""
    if report is None or sent_by(arrival.by, report):
        return False
    return None not in {arrival.side, report.side} and arrival.side != report.side


def _confirm(second: Second) -> None:
    hand, by = second.hand, second.arrival.by
    # Who waited for the lock may have looked at the clock before the hand was written.
    at = max(by.at, hand.recorded_at)
    if Hand.objects.filter(pk=hand.pk, confirmed_at=None).update(confirmed_at=at):
        _log(second, "hand-confirmed")


def _amend(second: Second) -> SubmissionResult:
    """Let a device change what it sent itself."""
    arrival, hand = second.arrival, second.hand
    table, number = arrival.table, hand.number
    written = HandEntry(number=number, sheet=arrival.sheet, dealer=hand.dealer)
    replayed = replay(table, second.hands, {number: written})
    answer = session_answer(replayed.session, Verdict.AMENDS, number)
    report_id = store_anew(arrival, Verdict.AMENDS, answer)
    agreed = settle_what_answered_itself(replayed, arrival.by.at)
    if arrival.submission.parked:
        raise_about(arrival, IssueKind.PARKED, report_id)
    store_replay(replayed, {number: report_id}, at=arrival.by.at)
    numbers = {"before": hand.sheet, "after": replayed.scored[number].sheet}
    _log(second, "hand-amended", numbers=numbers)
    if table.needs_both and any(_is_another_side(arrival, issue.report) for issue in agreed):
        _confirm(second)
    return replace(answer, report_id=report_id)


def _propose(second: Second) -> SubmissionResult:
    """Keep what a device would change in a hand that is not the last, for the organiser to decide."""
    arrival, hand = second.arrival, second.hand
    table, device = arrival.table, arrival.device
    answer = table_answer(table, Verdict.PROPOSES.value, hand.number)
    report_id = store_anew(arrival, Verdict.PROPOSES, answer)
    withdraw_changes(table.sitting_id, hand.number, device, arrival.by.at)
    check_asked(table.sitting_id, hand.number, IssueKind.CHANGE)
    issue = raise_about(arrival, IssueKind.CHANGE, report_id)
    numbers = {"before": hand.sheet, "after": arrival.submission.sheet}
    _log(second, "change-asked", numbers=numbers, issue=issue.pk)
    return replace(answer, report_id=report_id)


def _log(second: Second, verb: str, *, numbers: Mapping[str, Any] | None = None, **on: Any) -> None:
    table = second.arrival.table
    log(
        second.arrival.by,
        verb,
        **table.log_keys,
        hand=second.hand.number,
        numbers=numbers,
        **on,
    )
