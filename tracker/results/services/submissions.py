"""Submissions of phones, their answers, and how a repeated one is recognised."""

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid5

from games.errors import SheetError, gettext_noop
from games.game import Session
from games.sheet import Sheet, plain
from tracker.common.actor import Actor
from tracker.common.errors import Refused
from tracker.models import LogEntry, Report, Verdict
from tracker.tables.table_now import TableNow
from tracker.tables.writing import NewReport, add_report, add_report_unless_known, too_many_reports

ASK = "ask"
# A table sends a hand every few minutes; a script that floods it is stopped.
MOST_A_MINUTE = 60
MOST_ACTS = 10  # a minute, of one kind: people change their minds, a script would go on
MOST_HANDS = 999
# Of a round without a length in hands. Two phones of a table may both have been without a network
# from its first hand to its last; more than that would be a flood on the desk.
MOST_LATE = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Submission:
    """One sheet as sent. ``entry`` is made by the phone, a new one whenever an answer changes.

    ``is_next`` answers the question that ``ASK`` puts: the hand after the last one, or
    not. ``undone`` is the report of the coming hand that the page showed as undone.
    A ``parked`` sheet would not add up: its ``bare`` answer counts for the time
    being, and whatever else it holds is kept for the organiser to look at.
    """

    entry: UUID
    number: int
    sheet: Mapping[str, Any]
    side: int | None = None
    is_next: bool | None = None
    undone: int | None = None
    parked: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmissionResult:
    """What became of a submission: a ``Verdict``, or ``ASK`` when nothing was stored yet."""

    verdict: str
    number: int
    report_id: int | None = None
    next_dealer: int | None
    may_deal: tuple[int, ...]
    over: bool
    asked_about: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrival:
    """A submission at its table, under the lock.

    ``moved_to`` is the hand it is for where its table took back the one of its own number.
    """

    table: TableNow
    submission: Submission
    by: Actor
    moved_to: int | None = None

    @property
    def knows_of_undo(self) -> bool:
        """Return whether the sender's page showed that the next hand was undone."""
        undone = self.table.undone_report
        return undone is not None and undone == self.submission.undone

    @property
    def number(self) -> int:
        """Return the number of the hand that is meant; "the next" is the one after the last.

        Who was shown a hand that was undone means that one, or the next after it.
        """
        next_number = self.table.coming_number
        if self.knows_of_undo and self.submission.number <= next_number:
            return next_number + (self.submission.is_next is True)
        meant = self.moved_to or self.submission.number
        return next_number if self.submission.is_next and meant < next_number else meant

    @property
    def device(self) -> str:
        return self.by.device[: Report.device.field.max_length]

    @property
    def side(self) -> int | None:
        """Return the side that sends, if it is one of this table's."""
        side = self.submission.side
        return side if side in range(len(self.table.mode.sides)) else None

    @property
    def sheet(self) -> Sheet:
        """Return what the rules are to read.

        :raises SheetError: ``answer-missing`` if a parked sheet does not say who won.
        """
        sheet = self.submission.sheet
        if not self.submission.parked:
            return sheet
        if "bare" not in sheet:
            raise SheetError(
                "answer-missing",
                gettext_noop("Say at least who won, so that the deal can pass on."),
                question="bare",
            )
        return without_the_count(sheet)

    def says_the_same(self, report: Report) -> bool:
        """Say whether this was sent before, as that report."""
        return (
            report.sitting_id == self.table.sitting_id
            and report.answer.get("sent") == self.submission.number
            and report.sheet == plain(self.submission.sheet)
        )

    @property
    def other_entry(self) -> UUID:
        """Return an entry to use where the phone's own already names another report.

        It is made from what was sent, so that a repeat of this is known as well.
        """
        sent = [self.table.sitting_id, self.submission.number, self.submission.sheet]
        return uuid5(self.submission.entry, json.dumps(sent, sort_keys=True))


def sent_by(by: Actor, report: Report) -> bool:
    """Say whether this phone sent a report; of phones without cookies, whether this person did."""
    if by.device or report.device:
        return by.device[: Report.device.field.max_length] == report.device
    return by.user_id is not None and by.user_id == report.sent_by_id


def without_the_count(sheet: Sheet) -> Sheet:
    """Return of a sheet that would not add up the part that the rules are to read.

    One that says nothing but what was counted is read as it is.
    """
    if "bare" not in sheet:
        return sheet
    return {name: sheet[name] for name in ("bare", "dealer") if name in sheet}


def known_answer(arrival: Arrival) -> SubmissionResult | None:
    """Return what a submission was answered the first time, if it came before."""
    entries = [arrival.submission.entry, arrival.other_entry]
    for report in Report.objects.filter(entry__in=entries):
        if not arrival.says_the_same(report):
            continue
        answer = report.answer
        return SubmissionResult(
            verdict=report.verdict,
            number=report.number,
            report_id=report.pk,
            next_dealer=answer["next_dealer"],
            may_deal=tuple(answer["may_deal"]),
            over=answer["over"],
        )
    return None


def store(arrival: Arrival, verdict: Verdict, answer: SubmissionResult) -> int | None:
    """Store a submission and return its report's id; ``None`` if another has its entry."""
    return add_report_unless_known(_new_report(arrival, verdict, answer))


def store_anew(arrival: Arrival, verdict: Verdict, answer: SubmissionResult) -> int:
    """Store a submission that is known to be new, under another entry if its own is taken."""
    report = _new_report(arrival, verdict, answer)
    report_id = add_report_unless_known(report)
    if report_id is None:
        report_id = add_report(replace(report, entry=arrival.other_entry))
    return report_id


def check_open(table: TableNow, sentence: str) -> None:
    """Refuse an act because the round has closed; *sentence* says so.

    :raises Refused: ``round-closed``.
    """
    if table.closed:
        raise Refused("round-closed", sentence)


def round_full() -> Refused:
    """Return the refusal of a hand that is more than the round has."""
    return Refused(
        "round-full",
        gettext_noop("All of this round is in already; there is nothing more to write down."),
    )


def number_unfit() -> Refused:
    """Return the refusal of a number that no hand of a table can have."""
    return Refused(
        "hand-number",
        gettext_noop("There is no such number at this table: look at the table again."),
    )


def hand_struck(table: TableNow, number: int) -> Refused:
    """Return the refusal of what a table sends about a hand that was deleted."""
    return Refused(
        "hand-struck",
        gettext_noop("%(hand)s was deleted. Ask the organiser to bring it back."),
        hand=table.numbered(number),
    )


def hand_unknown(number: int) -> Refused:
    """Return the refusal of a hand that the table has not played."""
    return Refused(
        "hand-unknown",
        gettext_noop(
            "There is no number %(number)d at this table yet: write down the one before it."
        ),
        number=number,
    )


def check_pace(arrival: Arrival) -> None:
    """Refuse more reports a minute than people can send.

    :raises Refused: ``too-many-reports``.
    """
    since = arrival.by.at - timedelta(minutes=1)
    recent = Report.objects.filter(sitting_id=arrival.table.sitting_id, received_at__gt=since)
    if recent.count() >= MOST_A_MINUTE:
        raise too_many_reports()


def check_acts(table: TableNow, verbs: Collection[str], at: datetime) -> None:
    """Stop what no table of people would do so often, of what the log keeps under *verbs*.

    :raises Refused: ``too-many-reports``.
    """
    recent = LogEntry.objects.filter(
        club=table.club_id,
        at__gt=at - timedelta(minutes=1),
        verb__in=verbs,
        on__sitting=table.sitting_id,
    )
    if recent.count() >= MOST_ACTS:
        raise too_many_reports()


def check_late(arrival: Arrival) -> None:
    """Stop what no more phones of one table could have had left over when the round closed.

    :raises Refused: ``too-many-late``.
    """
    table = arrival.table
    late = Report.objects.filter(sitting_id=table.sitting_id, verdict=Verdict.LATE)
    if late.count() >= (2 * table.hands if table.hands else MOST_LATE):
        raise Refused(
            "too-many-late",
            gettext_noop(
                "Enough came late from this table. Tell the organiser, who can still write it down."
            ),
        )


def table_answer(table: TableNow, verdict: str, number: int, **ids: int | None) -> SubmissionResult:
    """Return an answer that leaves the table as it is."""
    return SubmissionResult(
        verdict=verdict,
        number=number,
        next_dealer=table.coming_dealer,
        may_deal=table.may_deal,
        over=table.over,
        **ids,
    )


def session_answer(session: Session, verdict: Verdict, number: int) -> SubmissionResult:
    """Return an answer that leaves the table with *session*."""
    return SubmissionResult(
        verdict=verdict.value,
        number=number,
        next_dealer=session.dealer,
        may_deal=tuple(session.may_deal),
        over=session.over,
    )


def _new_report(arrival: Arrival, verdict: Verdict, answer: SubmissionResult) -> NewReport:
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
