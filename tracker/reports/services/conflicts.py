"""A sheet for a hand that is there already: it agrees, amends, or is another count."""

from collections.abc import Mapping
from dataclasses import replace

from games.errors import SheetError, gettext_noop
from games.sheet import Sheet
from tracker.common.audit_log import log
from tracker.common.errors import Refused
from tracker.ledger.fold import (
    ReplayRefused,
    Written,
    as_stored,
    hands_of,
    keep,
    replay,
    session_before,
)
from tracker.ledger.sheets import same_result, with_dealer
from tracker.models import Hand, IssueKind, Verdict
from tracker.reports.services.issues import (
    has_conflict,
    keep_open_conflicts,
    open_conflicts,
    raise_issue,
    settle_what_answered_itself,
    withdraw_conflicts,
)
from tracker.reports.services.submissions import (
    ASK,
    Answer,
    Arrival,
    check_pace,
    store_anew,
    table_answer,
)


def answer_second(arrival: Arrival) -> Answer:
    """Answer a new sheet for a hand that is there already.

    :raises SheetError: if no such hand could be played there.
    :raises ReplayRefused: if it amends, and a later hand could not follow it.
    :raises Refused: ``hand-struck`` or ``too-many-reports``.
    """
    check_pace(arrival)
    table, number = arrival.table, arrival.number
    hands = hands_of(table.sitting_id)
    hand = hands[number]
    if hand.struck_at is not None:
        raise Refused(
            "hand-struck",
            gettext_noop("Hand %(number)d was struck off. Ask the organiser to restore it."),
            number=number,
        )
    if _says(arrival, hands):
        return _agree(arrival, hands)
    if _same_sender(arrival, hand):
        return _mend(arrival, hands)
    if arrival.submission.is_next is None and not has_conflict(
        table.sitting_id, number, arrival.device
    ):
        return table_answer(table, ASK, number, hand_id=hand.pk, asked_about=number)
    return _conflict(arrival, hand)


def stands_already(arrival: Arrival, hands: Mapping[int, Hand]) -> bool:
    """Say whether what comes late only repeats what stands."""
    hand = hands.get(arrival.number)
    if hand is None or hand.struck_at is not None:
        return False
    try:
        return _says(arrival, hands)
    except SheetError:
        return False


def _says(arrival: Arrival, hands: Mapping[int, Hand]) -> bool:
    """Say whether a sheet, completed, says what the standing one says."""
    rules, hand = arrival.table.rules, hands[arrival.number]
    session = session_before(arrival.table, hands, hand.number)
    scored = rules.add_sheet(session, _sheet_for(arrival, hand))
    return same_result(rules.questions(session), scored.sheet, hand.sheet)


def _sheet_for(arrival: Arrival, hand: Hand) -> Sheet:
    """Return the sheet sent; where it names no dealer, it means who dealt."""
    return with_dealer(arrival.sheet, hand.dealer)


def _same_sender(arrival: Arrival, hand: Hand) -> bool:
    accepted = hand.accepted_report
    if arrival.device or accepted.device:
        return arrival.device == accepted.device
    return arrival.by.user_id is not None and arrival.by.user_id == accepted.sent_by_id


def _agree(arrival: Arrival, hands: Mapping[int, Hand]) -> Answer:
    """Keep a sheet that says the same; from another side it confirms the hand."""
    hand = hands[arrival.number]
    table, accepted = arrival.table, hand.accepted_report
    answer = table_answer(table, Verdict.AGREES.value, hand.number, hand_id=hand.pk)
    report_id = store_anew(arrival, Verdict.AGREES, answer)
    sides = {arrival.side, accepted.side} - {None}
    if len(sides) == 2 and not _same_sender(arrival, hand):
        # Who waited for the lock may have looked at the clock before the hand was written.
        at = max(arrival.by.at, hand.recorded_at)
        Hand.objects.filter(pk=hand.pk, confirmed_at=None).update(confirmed_at=at)
    if withdraw_conflicts(table.sitting_id, hand.number, arrival.device, arrival.by.at):
        keep_open_conflicts(table.sitting_id)
    _take_in(arrival, hands)
    return replace(answer, report_id=report_id)


def _take_in(arrival: Arrival, hands: Mapping[int, Hand]) -> None:
    """Let the hand know what an agreeing sheet says besides, unless that moves a point."""
    table, hand = arrival.table, hands[arrival.number]
    besides = _besides(arrival, hands)
    if not besides:
        return
    sheet = {**hand.sheet, **besides}
    try:
        done = replay(
            table,
            hands,
            {hand.number: Written(number=hand.number, sheet=sheet, dealer=hand.dealer)},
        )
    except (SheetError, ReplayRefused):
        return  # it agrees all the same, and its report is kept
    if all(as_stored(scored)[1] == hands[one].marks for one, scored in done.fold.hands.items()):
        keep(done, {}, open_conflicts=open_conflicts(table.sitting_id), now=arrival.by.at)


def _besides(arrival: Arrival, hands: Mapping[int, Hand]) -> Sheet:
    """Return the answers nobody must give that the hand lacks, or its own sender puts right."""
    hand = hands[arrival.number]
    if "bare" in hand.sheet:
        return {}
    own = _same_sender(arrival, hand)
    questions = arrival.table.rules.questions(session_before(arrival.table, hands, hand.number))
    return {
        question.name: said
        for question in questions
        if not question.required
        and _told(said := arrival.sheet.get(question.name))
        and (own or not _told(hand.sheet.get(question.name)))
        and said != hand.sheet.get(question.name)
    }


def _told(answer: object) -> bool:
    """Say whether an answer tells anything: of several at least one."""
    several = answer if isinstance(answer, list | tuple) else [answer]
    return any(one is not None for one in several)


def _mend(arrival: Arrival, hands: Mapping[int, Hand]) -> Answer:
    """Let a device change what it sent itself."""
    table, number = arrival.table, arrival.number
    hand = hands[number]
    written = Written(number=number, sheet=_sheet_for(arrival, hand), dealer=hand.dealer)
    done = replay(table, hands, {number: written})
    session = done.fold.session
    answer = Answer(
        verdict=Verdict.AMENDS.value,
        number=number,
        hand_id=hand.pk,
        report_id=None,
        next_dealer=session.dealer,
        may_deal=tuple(session.may_deal),
        over=session.over,
    )
    report_id = store_anew(arrival, Verdict.AMENDS, answer)
    settle_what_answered_itself(done, arrival.by.at)
    if arrival.submission.parked:
        _raise(arrival, IssueKind.PARKED, report_id)
    before = hand.sheet
    keep(
        done,
        {number: report_id},
        open_conflicts=open_conflicts(table.sitting_id),
        now=arrival.by.at,
    )
    log(
        arrival.by,
        "hand-amended",
        club_id=table.club_id,
        tournament=table.tournament_id,
        sitting=table.sitting_id,
        hand=number,
        numbers={"before": before, "after": done.fold.hands[number].sheet},
    )
    return replace(answer, report_id=report_id)


def _conflict(arrival: Arrival, hand: Hand) -> Answer:
    """Keep another count beside the one that stands, until somebody settles it."""
    table = arrival.table
    answer = table_answer(table, Verdict.CONFLICTS.value, hand.number, hand_id=hand.pk)
    report_id = store_anew(arrival, Verdict.CONFLICTS, answer)
    withdraw_conflicts(table.sitting_id, hand.number, arrival.device, arrival.by.at)
    _raise(arrival, IssueKind.CONFLICT, report_id)
    keep_open_conflicts(table.sitting_id)
    return replace(answer, report_id=report_id)


def _raise(arrival: Arrival, kind: IssueKind, report_id: int) -> None:
    raise_issue(
        sitting_id=arrival.table.sitting_id,
        number=arrival.number,
        kind=kind,
        report_id=report_id,
        now=arrival.by.at,
    )
