"""The service that records a hand as a table reports it.

The *coming* hand is the one after the last recorded hand. A *parked* sheet does not add up: only
who won counts, and the organiser settles the rest. A *mark* is a number that a hand gives a seat.
"""

from dataclasses import replace

from django.db import transaction

from games.errors import SheetError, gettext_noop
from games.game import Session
from games.sheet import Scored, plain
from tracker.common.actor import Actor
from tracker.common.audit_log import log
from tracker.common.errors import Refused
from tracker.models import Hand, IssueKind, Progress, Verdict
from tracker.results.queries.table import was_taken_back
from tracker.results.services import repeats_and_conflicts, submissions
from tracker.results.services.issues import mark_struck_issues_mended, raise_issue
from tracker.results.services.submissions import ASK, Arrival, Submission, SubmissionResult
from tracker.tables import writing
from tracker.tables.locks import lock_table
from tracker.tables.replay import hands_by_number
from tracker.tables.stored_hands import with_dealer
from tracker.tables.tallies import HandMarks, tallies_of_next, tally_statements

__all__ = ["ASK", "Submission", "SubmissionResult", "report_hand"]


@transaction.atomic
def report_hand(*, token: str, submission: Submission, by: Actor) -> SubmissionResult:
    """Record one sheet of a table, found by its *token*; a repeat gets its first answer again.

    A sheet of the coming hand is accepted. A sheet of a recorded hand agrees with it if it is the
    same; a different sheet amends the hand if the same device sent it, else it conflicts with the
    hand. Before that the answer may be ``ASK``: is the sheet of the recorded hand, or of the next?
    ``ASK`` also answers a sheet for an undone hand, unless the page that sent it showed the undo:
    see ``table_actions``. A report after the round has closed is stored for the organiser.

    :raises SheetError: if the rules refuse the sheet.
    :raises Refused: ``token-unknown``, ``token-revoked``, ``hand-missing``, ``hand-number``,
        ``hand-struck``, ``round-full``, ``too-many-reports`` or ``too-many-late``.
    """
    table = lock_table(token=token)
    arrival = Arrival(table=table, submission=submission, by=by)
    if arrival.number == table.coming_number and table.takes_reports:
        return _accept_or_ask(arrival)
    return repeats_and_conflicts.answer_to_repeat(arrival) or _answer_other_hand(arrival)


def _answer_other_hand(arrival: Arrival) -> SubmissionResult:
    """Answer a report, not a repeat, of another hand than the coming one, or of a closed round."""
    if not 1 <= arrival.number <= submissions.MOST_HANDS:
        raise submissions.number_unfit()
    if not arrival.table.takes_reports:
        submissions.check_late(arrival)
        answer = submissions.table_answer(arrival.table, Verdict.LATE.value, arrival.number)
        report_id = submissions.store_report(arrival, Verdict.LATE, answer)
        hands = hands_by_number(arrival.table.sitting_id)
        if not repeats_and_conflicts.is_duplicate(arrival, hands):
            raise_issue(arrival, IssueKind.LATE, report_id)
        return replace(answer, report_id=report_id)
    if arrival.number > arrival.table.last_number:
        template = gettext_noop("%(hand)s has not arrived yet; this one stays on the phone.")
        coming = arrival.table.coming_number
        hand = arrival.table.numbered(coming)
        raise Refused("hand-missing", template, hand=hand, missing=coming, number=arrival.number)
    submissions.check_pace(arrival)
    hands = hands_by_number(arrival.table.sitting_id)
    if was_taken_back(arrival.table, hands[arrival.number]):
        # The table undid this hand, but its number stays used: the sheet may be for the next hand.
        number = repeats_and_conflicts.hand_after_undone(arrival, hands)
        if number is None:
            return repeats_and_conflicts.ask_which_hand(arrival, hands[arrival.number])
        arrival = replace(arrival, moved_to=number)
        if number > arrival.table.last_number:
            return _accept_or_ask(arrival)
    return repeats_and_conflicts.answer_second_report(arrival, hands)


def _accept_or_ask(arrival: Arrival) -> SubmissionResult:
    """Store the coming hand, unless the report is a repeat; or ask which hand is meant.

    We ask if the table undid a hand of this number and the page of the sheet did not show the undo.
    """
    table, undone_report = arrival.table, arrival.table.undone_report  # of that hand, if any
    if undone_report is not None and not arrival.knows_of_undo:
        if first_answer := repeats_and_conflicts.answer_to_repeat(arrival):
            return first_answer
        submissions.check_pace(arrival)
        undone_hand = Hand.objects.get(accepted_report=undone_report)
        return repeats_and_conflicts.ask_which_hand(arrival, undone_hand)
    # The coming hand is rarely a repeat: we look for one only where something else fails.
    try:
        if table.last_number >= submissions.MOST_HANDS or table.progress.whole:
            raise submissions.round_full()
        new_paced_until = writing.paced_until(table, arrival.by.at)  # checks the rate limit
        sheet = with_dealer(arrival.sheet, table.chosen)  # the dealer chosen at the table, if any
        scored = table.game.add_sheet(table.resume_session(), sheet)
    except (SheetError, Refused):
        if first_answer := repeats_and_conflicts.answer_to_repeat(arrival):
            return first_answer
        raise
    verdict = Verdict.PARKED if arrival.submission.parked else Verdict.ACCEPTED
    answer = submissions.session_answer(scored.session, verdict, arrival.number)
    report_id = writing.add_report_unless_known(submissions.new_report(arrival, verdict, answer))
    if report_id is None:  # a report with this entry is stored
        if first_answer := repeats_and_conflicts.answer_to_repeat(arrival):
            return first_answer
        report_id = submissions.store_report(arrival, verdict, answer)
    if undone_report is not None:
        # The row of the undone hand gets the new sheet.
        undone = Hand.objects.get(accepted_report=undone_report)
        mark_struck_issues_mended(table.sitting_id, [arrival.number])
        numbers = {"before": undone.sheet, "after": plain(scored.sheet)}
        log(arrival.by, "hand-amended", **table.log_keys, hand=arrival.number, numbers=numbers)
    _write_next(arrival, scored, report_id, new_paced_until)
    if arrival.submission.parked:
        raise_issue(arrival, IssueKind.PARKED, report_id)
    return replace(answer, report_id=report_id)


def _write_next(
    arrival: Arrival, scored: Scored[Session], report_id: int, new_paced_until: float | None
) -> None:
    """Store a hand, its tallies (sums of marks) and the state of its table in one round trip.

    *new_paced_until* is the table's new rate limit: see ``tracker.tables.writing.paced_until``.
    """
    table, number, at = arrival.table, arrival.number, arrival.by.at
    counts = {
        "hands_standing": table.hands_standing + 1,
        "games_over": table.games_over + scored.ends_game,
        "not_played": table.not_played,
    }
    side_points = table.side_points_after(scored.marks)
    after = writing.TableState(
        session=scored.session,
        last_number=number,
        **counts,
        finished=Progress.of_counts(table, **counts, level=table.level(side_points)).whole,
        at=at,
        last_at=at,
        open_conflicts=table.open_conflicts,
        paced_until=new_paced_until,
        side_points=side_points,
    )
    marks = HandMarks(number, scored.sheet["dealer"], scored.marks)
    hand = writing.NewHand(
        number=number, report_id=report_id, session_before=table.session_json, scored=scored
    )
    more = [*tally_statements(tallies_of_next(marks, table)), writing.update_table(table, after)]
    writing.add_hand(table, hand, at, more=more)
