"""View model of issues: what there is to decide, with the two sheets side by side.

An *issue* waits for a person. It is about a hand that is recorded with one sheet, and mostly about
a report with another sheet: from another phone, after the round closed, or a requested change. A
*parked* report has a count that would not add up, beside its ``bare`` answer: who won.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.utils.translation import gettext, pgettext

from games.errors import RuleError, gettext_noop
from games.game import Session
from games.sheet import Sheet
from tracker.common.sheet_lines import Line, lines, side_by_side, totals
from tracker.common.wording import Names, say
from tracker.models import Issue, IssueKind
from tracker.results.queries.hand_details import HandDetails
from tracker.tables.table_now import TableNow

# The questions of issues with two different sheets, between which somebody has to choose.
_QUESTIONS: Mapping[str, str] = {
    IssueKind.CONFLICT: gettext_noop("%(one)s or %(other)s?"),
    IssueKind.CHANGE: gettext_noop("change %(one)s to %(other)s?"),
}


@dataclass(frozen=True, slots=True)
class ReportedCount:
    """One sheet of an issue, in words."""

    who: str  # the sender: "By Asha & Juma", "Another phone"
    at: datetime  # when it was received
    lines: tuple[Line, ...]  # its answers
    totals: str  # the count of each side: "70–50"
    headline: str  # "Asha & Juma win"
    device: str  # the name in the phone's cookie


@dataclass(frozen=True, slots=True, kw_only=True)
class IssueDetails:
    """An issue about a hand."""

    row: Issue
    called: str  # what the hand is called: "Hand 5"
    # The key of the accepted report, so that a page sends which one it showed; 0 for none.
    seen: int
    standing: ReportedCount | None  # the recorded sheet, if the hand is recorded
    other: ReportedCount | None  # the report that the issue is about, if it is about one

    @property
    def is_conflict(self) -> bool:
        return self.row.kind == IssueKind.CONFLICT

    @property
    def question(self) -> str:
        """Return the question to decide, in a line."""
        kind, recorded = self.row.kind, self.standing.totals if self.standing else ""
        reported = self.other.totals if self.other else ""
        if kind in _QUESTIONS and recorded and reported:
            return gettext(_QUESTIONS[kind]) % {"one": recorded, "other": reported}
        match kind:
            case IssueKind.CONFLICT:
                return gettext("Two different results")
            case IssueKind.CHANGE:
                return gettext("The table asks to change it")
            case IssueKind.PARKED:
                # The headline of a parked sheet says why its count would not add up.
                headline = self.other.headline if self.other and reported else ""
                return headline or self.row.note or gettext("It would not add up")
            case IssueKind.LATE:
                return gettext("It came after the round was closed")
            case _:
                return self.row.note or gettext("Somebody thinks it is wrong")

    @property
    def title(self) -> str:
        """Return the question for a heading, in which no result breaks at its dash."""
        return self.question.replace("–", "–\N{WORD JOINER}")


def open_issues(table: TableNow) -> list[Issue]:
    """Return the open issues of a table, in one query."""
    issues = Issue.objects.filter(sitting=table.sitting_id, settled_at=None)
    return list(issues.select_related("report").order_by("number", "pk"))


def issue_details(
    table: TableNow, hands: Sequence[HandDetails], issues: Iterable[Issue]
) -> tuple[IssueDetails, ...]:
    """Return these *issues*, less calls for the organiser, with their sheets, without a query."""
    by_number = {hand.number: hand for hand in hands}
    about_hands = (issue for issue in issues if issue.kind != IssueKind.CALL)
    return tuple(_details(table, by_number, issue) for issue in about_hands)


def _details(table: TableNow, hands: Mapping[int, HandDetails], issue: Issue) -> IssueDetails:
    hand, names = hands.get(issue.number), table.names_at(issue.number)
    session = hand.session_before if hand else table.coming_session()
    standing = other = None
    # What is recorded.
    if hand:
        standing = ReportedCount(
            who=_who(hand.side, hand.names, gettext("The first phone")),
            at=hand.row.recorded_at,
            lines=hand.lines,
            totals=hand.totals,
            headline=hand.headline,
            device=hand.device,
        )
    # What the issue's report says.
    if issue.report:
        sheet, headline = _completed(table, session, issue.report.sheet, names)
        other = ReportedCount(
            who=_who(issue.report.side, names, gettext("Another phone")),
            at=issue.report.received_at,
            lines=lines(table.game, session, sheet, names),
            totals=totals(table.game, session, sheet),
            headline=headline,
            device=issue.report.device,
        )
    # The two sheets side by side, line by line.
    if standing and other and issue.kind in _QUESTIONS:
        recorded_lines, reported_lines = side_by_side(standing.lines, other.lines)
        standing = replace(standing, lines=recorded_lines)
        other = replace(other, lines=reported_lines)
    # The senders of the two must not be called the same.
    if standing and other and standing.device and standing.device == other.device:
        other = replace(other, who=gettext("The same phone, later"))
    elif standing and other and hand and hand.side is not None and standing.who == other.who:
        named = {"side": names.of(hand.side)}
        standing = replace(standing, who=pgettext("whose count", "By %(side)s, first") % named)
        other = replace(other, who=pgettext("whose count", "By %(side)s, another phone") % named)
    return IssueDetails(
        row=issue,
        called=table.numbered(issue.number),
        seen=hand.report if hand else 0,
        standing=standing,
        other=other,
    )


def _completed(table: TableNow, session: Session, sheet: Sheet, names: Names) -> tuple[Sheet, str]:
    """Return a sheet completed by the rules, and its headline.

    If the rules refuse the sheet, return it as it is, and the refusal in words. The headline of a
    parked sheet is the refusal of its count.
    """
    parked = "bare" in sheet and sheet.keys() - {"bare", "dealer"}
    if parked:
        counted = {name: value for name, value in sheet.items() if name != "bare"}
        return sheet, _completed(table, session, counted, names)[1]
    try:
        completed = table.game.add_sheet(session, sheet).sheet
    except RuleError as refusal:
        return sheet, say(refusal, names)
    return completed, say(table.game.headline(session, completed), names)


def _who(side: int | None, names: Names, otherwise: str) -> str:
    """Return what the sender is called: by its *side* if the phone said which, else *otherwise*."""
    if side is None:
        return otherwise
    return pgettext("whose count", "By %(side)s") % {"side": names.of(side)}
