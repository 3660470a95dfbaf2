"""The service that records a hand as a table reports it."""

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
from tracker.results.services import second_report
from tracker.results.services.issues import mark_struck_issues_mended, raise_issue
from tracker.results.services.submissions import (
    ASK,
    MOST_HANDS,
    Arrival,
    Submission,
    SubmissionResult,
    check_late,
    check_pace,
    new_report,
    number_unfit,
    round_full,
    session_answer,
    store_report,
    table_answer,
)
from tracker.tables.locks import lock_table
from tracker.tables.replay import hands_by_number
from tracker.tables.stored_hands import with_dealer
from tracker.tables.tallies import HandMarks, tallies_of_next, tally_statements
from tracker.tables.writing import (
    NewHand,
    TableState,
    add_hand,
    add_report_unless_known,
    paced_until,
    update_table,
)

__all__ = ["ASK", "Submission", "SubmissionResult", "report_hand"]


def report_hand(*, token: str, submission: Submission, by: Actor) -> SubmissionResult:
    """Record one sheet of the table with this *token*; a repeat gets the answer of the first time.

    The next hand is accepted. For a hand that is recorded already, the same sheet agrees, another
    one from the same device amends it, and one from another device conflicts with it, once the
    phone has answered ``ASK``: is it not the next hand? ``ASK`` is also the answer to a sheet for
    a hand that was undone, unless its page showed that: see ``table_actions``. A report after
    the round has closed is stored for the organiser.

    :raises SheetError: if the rules refuse the sheet; then nothing is stored.
    :raises Refused: ``token-unknown``, ``token-revoked``, ``hand-missing``, ``hand-number``,
        ``hand-struck``, ``round-full``, ``too-many-reports`` or ``too-many-late``; nothing is
        stored either.
    """
    with transaction.atomic():
        table = lock_table(token=token)
        arrival = Arrival(table=table, submission=submission, by=by)
        if arrival.number == table.coming_number and not table.closed:
            return _accept_or_ask(arrival)
        return second_report.known_answer(arrival) or _answer_other_hand(arrival)


def _answer_other_hand(arrival: Arrival) -> SubmissionResult:
    """Answer a new report of any hand but the next one, or of a closed round."""
    if not 1 <= arrival.number <= MOST_HANDS:
        raise number_unfit()
    if arrival.table.closed:
        check_late(arrival)
        answer = table_answer(arrival.table, Verdict.LATE.value, arrival.number)
        report_id = store_report(arrival, Verdict.LATE, answer)
        if not second_report.is_duplicate(arrival, hands_by_number(arrival.table.sitting_id)):
            raise_issue(arrival, IssueKind.LATE, report_id)
        return replace(answer, report_id=report_id)
    if arrival.number > arrival.table.last_number:
        raise Refused(
            "hand-missing",
            gettext_noop("%(hand)s has not arrived yet; this one stays on the phone."),
            hand=arrival.table.numbered(arrival.table.coming_number),
            missing=arrival.table.coming_number,
            number=arrival.number,
        )
    check_pace(arrival)
    hands = hands_by_number(arrival.table.sitting_id)
    if was_taken_back(arrival.table, hands[arrival.number]):
        # The table undid the hand of this number: the sheet may be for the hand after it.
        number = second_report.hand_after_undone(arrival, hands)
        if number is None:
            return second_report.ask_which_hand(arrival, hands[arrival.number])
        arrival = replace(arrival, moved_to=number)
        if number > arrival.table.last_number:
            return _accept_or_ask(arrival)
    return second_report.answer_second_report(arrival, hands)


def _accept_or_ask(arrival: Arrival) -> SubmissionResult:
    """Store the next hand; if it was undone and the sender's page did not show that, ask which hand."""
    table, undone_report = arrival.table, arrival.table.undone_report
    if undone_report is not None and not arrival.knows_of_undo:
        if known := second_report.known_answer(arrival):
            return known
        check_pace(arrival)
        return second_report.ask_which_hand(
            arrival, Hand.objects.get(accepted_report=undone_report)
        )
    try:
        if table.last_number >= MOST_HANDS or table.progress.whole:
            raise round_full()
        pace = paced_until(table, arrival.by.at)
        sheet = with_dealer(arrival.sheet, table.chosen)
        scored = table.game.add_sheet(table.resume_session(), sheet)
    except (SheetError, Refused):
        if known := second_report.known_answer(arrival):
            return known
        raise
    verdict = Verdict.PARKED if arrival.submission.parked else Verdict.ACCEPTED
    answer = session_answer(scored.session, verdict, arrival.number)
    report_id = add_report_unless_known(new_report(arrival, verdict, answer))
    if report_id is None:
        if known := second_report.known_answer(arrival):
            return known
        report_id = store_report(arrival, verdict, answer)
    if undone_report is not None:
        # The hand was undone and is reported again.
        undone = Hand.objects.get(accepted_report=undone_report)
        mark_struck_issues_mended(table.sitting_id, [arrival.number])
        numbers = {"before": undone.sheet, "after": plain(scored.sheet)}
        log(arrival.by, "hand-amended", **table.log_keys, hand=arrival.number, numbers=numbers)
    _write_next(arrival, scored, report_id, pace)
    if arrival.submission.parked:
        raise_issue(arrival, IssueKind.PARKED, report_id)
    return replace(answer, report_id=report_id)


def _write_next(
    arrival: Arrival, scored: Scored[Session], report_id: int, pace: float | None
) -> None:
    """Store a hand, its tallies and the state of its table in one round trip to the database."""
    table, number, at = arrival.table, arrival.number, arrival.by.at
    counts = {
        "hands_standing": table.hands_standing + 1,
        "games_over": table.games_over + scored.ends_game,
        "not_played": table.not_played,
    }
    side_points = table.side_points_after(scored.marks)
    level = table.level(side_points)
    after = TableState(
        session=scored.session,
        last_number=number,
        **counts,
        finished=Progress.of_counts(table, **counts, level=level).whole,
        at=at,
        last_at=at,
        open_conflicts=table.open_conflicts,
        paced_until=pace,
        side_points=side_points,
    )
    marks = HandMarks(number, scored.sheet["dealer"], scored.marks)
    add_hand(
        table,
        NewHand(number=number, report_id=report_id, before=table.session_json, scored=scored),
        at,
        more=[*tally_statements(tallies_of_next(marks, table)), update_table(table, after)],
    )
