"""Submissions of phones: reports as they arrive, the answers, and the checks that services share.

A *report* is a stored submission. The *coming* hand is the one after the last recorded hand. A
*parked* sheet does not add up: for now only its ``bare`` answer counts, which tells who won.
"""

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid5

from games.errors import SheetError, gettext_noop
from games.game import Session
from games.sheet import Sheet
from tracker.common.actor import Actor
from tracker.common.errors import Refused
from tracker.models import LogEntry, Report, Verdict
from tracker.tables.table_now import TableNow
from tracker.tables.writing import NewReport, add_report, add_report_unless_known, too_many_reports

# Stands in the place of a verdict: the phone has to say first which hand its sheet is for.
ASK = "ask"
# Rate limits of a table, per minute: people report a hand every few minutes, a script floods it.
MOST_A_MINUTE = 60  # reports
MOST_ACTS = 10  # other acts of one kind
MOST_HANDS = 999  # of a table
# Late reports of a table, from two long offline phones, in a round without a set number of hands.
MOST_LATE = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Submission:
    """One sheet as a phone sent it."""

    entry: UUID  # made by the phone, anew when an answer changes; a repeat has the same one
    number: int  # of the hand on the phone's page; the hand that is meant: ``Arrival.number``
    sheet: Mapping[str, Any]  # answers by question
    side: int | None = None  # for which the phone speaks
    is_next: bool | None = None  # the answer to ``ASK``: is the sheet for the coming hand?
    undone: int | None = None  # key of the report that the page showed as undone
    parked: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmissionResult:
    """The answer to a submission, with the state of its table."""

    verdict: str  # a ``Verdict``, or ``ASK``: then nothing is stored
    number: int  # of the hand for which the sheet was taken
    report_id: int | None = None
    next_dealer: int | None  # the place that deals next
    may_deal: tuple[int, ...]  # the places that may deal next by the rules
    over: bool  # whether a game has just ended
    asked_about: int | None = None  # with ``ASK``: the number of the recorded hand


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrival:
    """A submission with its locked table."""

    table: TableNow
    submission: Submission
    by: Actor
    # The number of a later hand that is meant, as the table undid the one that the phone names.
    moved_to: int | None = None

    @property
    def knows_of_undo(self) -> bool:
        """Return whether the sender's page showed that the next hand was undone."""
        undone = self.table.undone_report
        return undone is not None and undone == self.submission.undone

    @property
    def number(self) -> int:
        """Return the number of the hand that is meant.

        An undone hand has the coming number. A page that showed it sends a sheet of that hand, or
        of the one after it if ``is_next``. From other pages, a sheet that names a recorded hand is
        of that hand, or of the coming one if ``is_next``.
        """
        coming, is_next = self.table.coming_number, self.submission.is_next
        if self.knows_of_undo and self.submission.number <= coming:
            return coming + 1 if is_next else coming
        named = self.moved_to or self.submission.number
        return coming if is_next and named < coming else named

    @property
    def device(self) -> str:
        return self.by.device[: Report.device.field.max_length]

    @property
    def side(self) -> int | None:
        """Return the sender's side, if it is one of this table's."""
        side = self.submission.side
        return side if side in range(len(self.table.mode.sides)) else None

    @property
    def sheet(self) -> Sheet:
        """Return the part of the sheet that the rules score: of a parked one, only who won."""
        sheet = self.submission.sheet
        if not self.submission.parked:
            return sheet
        if "bare" not in sheet:
            why = gettext_noop("Say at least who won, so that the deal can pass on.")
            raise SheetError("answer-missing", why, question="bare")
        return without_count(sheet)

    @property
    def other_entry(self) -> UUID:
        """Return the entry to store if a different report is stored with the phone's entry.

        It is computed from the submission, so that a repeat has the same one.
        """
        content = [self.table.sitting_id, self.submission.number, self.submission.sheet]
        return uuid5(self.submission.entry, json.dumps(content, sort_keys=True))


def sent_by(by: Actor, report: Report) -> bool:
    """Return whether this actor's device sent a report; without cookies, whether this user did."""
    if by.device or report.device:
        return by.device[: Report.device.field.max_length] == report.device
    return by.user_id is not None and by.user_id == report.sent_by_id


def without_count(sheet: Sheet) -> Sheet:
    """Return the winner and dealer of a parked sheet, without its count; other sheets unchanged."""
    if "bare" not in sheet:
        return sheet
    return {name: sheet[name] for name in ("bare", "dealer") if name in sheet}


def store_report(arrival: Arrival, verdict: Verdict, answer: SubmissionResult) -> int:
    """Store a submission that is not a repeat and return its key; see ``Arrival.other_entry``."""
    report = new_report(arrival, verdict, answer)
    return add_report_unless_known(report) or add_report(replace(report, entry=arrival.other_entry))


def check_open(table: TableNow, sentence: str) -> None:
    """Refuse as ``round-closed``, with this *sentence*, if the round has closed."""
    if not table.takes_reports:
        raise Refused("round-closed", sentence)


def round_full() -> Refused:
    template = gettext_noop("All of this round is in already; there is nothing more to write down.")
    return Refused("round-full", template)


def number_unfit() -> Refused:
    template = gettext_noop("There is no such number at this table: look at the table again.")
    return Refused("hand-number", template)


def hand_struck(table: TableNow, number: int) -> Refused:
    template = gettext_noop("%(hand)s was deleted. Ask the organiser to bring it back.")
    return Refused("hand-struck", template, hand=table.numbered(number))


def hand_unknown(number: int) -> Refused:
    template = gettext_noop(
        "There is no number %(number)d at this table yet: write down the one before it."
    )
    return Refused("hand-unknown", template, number=number)


def check_pace(arrival: Arrival) -> None:
    """Refuse more reports a minute than people can send, as ``too-many-reports``."""
    since = arrival.by.at - timedelta(minutes=1)
    recent = Report.objects.filter(sitting_id=arrival.table.sitting_id, received_at__gt=since)
    if recent.count() >= MOST_A_MINUTE:
        raise too_many_reports()


def check_acts(table: TableNow, verbs: Collection[str], at: datetime) -> None:
    """Refuse, as ``too-many-reports``, if a table did too much with these *verbs* in a minute."""
    since = at - timedelta(minutes=1)
    recent = LogEntry.objects.filter(club=table.club_id, at__gt=since, verb__in=verbs)
    if recent.filter(on__sitting=table.sitting_id).count() >= MOST_ACTS:
        raise too_many_reports()


def check_late(arrival: Arrival) -> None:
    """Refuse, as ``too-many-late``, more late reports than two phones could have waiting."""
    table = arrival.table
    late = Report.objects.filter(sitting_id=table.sitting_id, verdict=Verdict.LATE)
    if late.count() >= (2 * table.hands if table.hands else MOST_LATE):
        template = gettext_noop(
            "Enough came late from this table. Tell the organiser, who can still write it down."
        )
        raise Refused("too-many-late", template)


def table_answer(
    table: TableNow, verdict: str, number: int, *, asked_about: int | None = None
) -> SubmissionResult:
    """Return an answer with the dealers and state of a table that stays as it is."""
    return SubmissionResult(
        verdict=verdict,
        number=number,
        next_dealer=table.coming_dealer,
        may_deal=table.may_deal,
        over=table.over,
        asked_about=asked_about,
    )


def session_answer(session: Session, verdict: Verdict, number: int) -> SubmissionResult:
    """Return an answer with the dealers and state after a change, from the new *session*."""
    return SubmissionResult(
        verdict=verdict.value,
        number=number,
        next_dealer=session.dealer,
        may_deal=tuple(session.may_deal),
        over=session.over,
    )


def new_report(arrival: Arrival, verdict: Verdict, answer: SubmissionResult) -> NewReport:
    return NewReport(
        entry=arrival.submission.entry,
        sitting_id=arrival.table.sitting_id,
        number=answer.number,
        side=arrival.side,
        sheet=arrival.submission.sheet,
        by=arrival.by,
        verdict=verdict,
        answer={
            "sent": arrival.submission.number,
            "next_dealer": answer.next_dealer,
            "may_deal": answer.may_deal,
            "over": answer.over,
        },
    )
