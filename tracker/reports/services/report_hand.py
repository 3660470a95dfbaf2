"""Taking in what a table reports."""

from dataclasses import replace

from django.db import transaction

from games.errors import SheetError, gettext_noop
from games.game import Session
from games.sheet import Scored
from tracker.common.actor import Actor
from tracker.common.errors import Refused
from tracker.ledger import ledger, tallies
from tracker.ledger.fold import ends_game, hands_of, is_full
from tracker.ledger.ledger import After
from tracker.ledger.sheets import with_dealer
from tracker.ledger.table_now import TableNow
from tracker.ledger.tallies import Played
from tracker.models import Hand, IssueKind, Verdict
from tracker.reports.services import conflicts as second_reports
from tracker.reports.services.issues import raise_issue
from tracker.reports.services.submissions import (
    ASK,
    MOST_HANDS,
    Answer,
    Arrival,
    Submission,
    check_pace,
    known_answer,
    store,
    store_anew,
    table_answer,
)

__all__ = ["ASK", "Answer", "Submission", "report_hand"]


def report_hand(*, token: str, submission: Submission, by: Actor) -> Answer:
    """Take in one sheet from the table that *token* opens; a repeat answers as the first time.

    The next hand is accepted. Of a hand already there the same sheet agrees, another
    one from the same device amends it, and one from another device conflicts with it,
    after ``ASK`` has put the question whether it is not the next. What comes after
    the round has closed is kept for the organiser.

    :raises SheetError: if the rules refuse the sheet; then nothing is stored.
    :raises Refused: ``token-unknown``, ``token-revoked``, ``hand-missing``, ``hand-number``,
        ``hand-struck``, ``round-full`` or ``too-many-reports``; nothing is stored either.
    """
    with transaction.atomic():
        table = ledger.lock_token(token)
        arrival = Arrival(table=table, submission=submission, by=by)
        if arrival.number == table.last_number + 1 and not table.closed:
            return _accept(arrival)
        return known_answer(arrival) or _answer_otherwise(arrival)


def _answer_otherwise(arrival: Arrival) -> Answer:
    """Answer what is new and not simply the next hand."""
    _check_number(arrival)
    if arrival.table.closed:
        return _keep_late(arrival)
    if arrival.number > arrival.table.last_number:
        raise Refused(
            "hand-missing",
            gettext_noop("Hand %(missing)d has not arrived yet; this one stays on the phone."),
            missing=arrival.table.last_number + 1,
        )
    return second_reports.answer_second(arrival)


def _accept(arrival: Arrival) -> Answer:
    """Write down the next hand, unless it turns out to be a repeat."""
    table, number = arrival.table, arrival.number
    try:
        scored = _score_next(arrival)
    except (SheetError, Refused):
        if known := known_answer(arrival):
            return known
        raise
    verdict = Verdict.PARKED if arrival.submission.parked else Verdict.ACCEPTED
    session = scored.session
    answer = Answer(
        verdict=verdict.value,
        number=number,
        hand_id=None,
        report_id=None,
        next_dealer=session.dealer,
        may_deal=tuple(session.may_deal),
        over=session.over,
    )
    report_id = store(arrival, verdict, answer)
    if report_id is None:
        if known := known_answer(arrival):
            return known
        report_id = store_anew(arrival, verdict, answer)
    hand_id = _write_next(arrival, scored, report_id)
    if arrival.submission.parked:
        raise_issue(
            sitting_id=table.sitting_id,
            number=number,
            kind=IssueKind.PARKED,
            report_id=report_id,
            now=arrival.by.at,
        )
    return replace(answer, hand_id=hand_id, report_id=report_id)


def _score_next(arrival: Arrival) -> Scored[Session]:
    table = arrival.table
    if table.last_number >= MOST_HANDS or _was_full(table):
        raise Refused(
            "round-full",
            gettext_noop("All of this round is in already; there is nothing more to write down."),
        )
    chosen = table.chosen_dealer if table.chosen_after == table.last_number else None
    scored: Scored[Session] = table.rules.add_sheet(
        table.resume_session(), with_dealer(arrival.sheet, chosen)
    )
    return scored


def _write_next(arrival: Arrival, scored: Scored[Session], report_id: int) -> int:
    """Write down hand, tallies and what is kept with the sitting; return the hand's id."""
    table, number = arrival.table, arrival.number
    played = Played(number, scored.sheet["dealer"], scored.marks)
    games_over = table.games_over + ends_game(scored)
    after = After(
        session=scored.session,
        last_number=number,
        games_over=games_over,
        finished=_is_full_with(table, number, games_over),
        now=arrival.by.at,
        last_at=arrival.by.at,
        open_conflicts=table.open_conflicts,
    )
    return ledger.add_hand(
        sitting_id=table.sitting_id,
        number=number,
        accepted_report_id=report_id,
        scored=scored,
        now=arrival.by.at,
        then=[*tallies.moving(tallies.tallied_next(played, table)), ledger.keeping(table, after)],
    )


def _was_full(table: TableNow) -> bool:
    return _is_full_with(table, table.last_number, table.games_over)


def _is_full_with(table: TableNow, last_number: int, games_over: int) -> bool:
    """Say whether the round has all it wants. Struck hands are looked for only near its end."""
    if not is_full(table, last_number, games_over):
        return False
    struck = Hand.objects.filter(sitting_id=table.sitting_id, struck_at__isnull=False).count()
    return is_full(table, last_number - struck, games_over)


def _check_number(arrival: Arrival) -> None:
    if not 1 <= arrival.number <= MOST_HANDS:
        raise Refused("hand-number", gettext_noop("There is no such hand at this table."))


def _keep_late(arrival: Arrival) -> Answer:
    """Keep what came after the round had closed, for the organiser to take in."""
    check_pace(arrival)
    table, number = arrival.table, arrival.number
    answer = table_answer(table, Verdict.LATE.value, number)
    report_id = store_anew(arrival, Verdict.LATE, answer)
    if not second_reports.stands_already(arrival, hands_of(table.sitting_id)):
        raise_issue(
            sitting_id=table.sitting_id,
            number=number,
            kind=IssueKind.LATE,
            report_id=report_id,
            now=arrival.by.at,
        )
    return replace(answer, report_id=report_id)
