"""View model of issues: what there is to decide, with the two sheets side by side."""

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

# The questions of issues with two different sheets.
_QUESTIONS: Mapping[str, str] = {
    IssueKind.CONFLICT: gettext_noop("%(one)s or %(other)s?"),
    IssueKind.CHANGE: gettext_noop("change %(one)s to %(other)s?"),
}


@dataclass(frozen=True, slots=True)
class ReportedCount:
    """One sheet of an issue: its sender, its time and its answers in words."""

    who: str
    at: datetime
    lines: tuple[Line, ...]
    totals: str
    headline: str
    device: str


@dataclass(frozen=True, slots=True, kw_only=True)
class IssueDetails:
    """An issue about a hand: ``standing`` is the recorded sheet, ``other`` the report it is about."""

    row: Issue
    called: str
    seen: int  # the key of the accepted report, or 0
    standing: ReportedCount | None
    other: ReportedCount | None

    @property
    def is_conflict(self) -> bool:
        return self.row.kind == IssueKind.CONFLICT

    @property
    def question(self) -> str:
        """Return the question to decide, in a line."""
        match self.row.kind, self.standing, self.other:
            case kind, ReportedCount(totals=first), ReportedCount(totals=second) if (
                kind in _QUESTIONS and first and second
            ):
                return gettext(_QUESTIONS[kind]) % {"one": first, "other": second}
            case IssueKind.CONFLICT, _, _:
                return gettext("Two different results")
            case IssueKind.CHANGE, _, _:
                return gettext("The table asks to change it")
            case IssueKind.PARKED, _, _:
                headline = self.other.headline if self.other and self.other.totals else ""
                return headline or self.row.note or gettext("It would not add up")
            case IssueKind.LATE, _, _:
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
    """Return these *issues* with their sheets, without a query; calls are about no hand and left out."""
    by_number = {hand.number: hand for hand in hands}
    about_hands = (issue for issue in issues if issue.kind != IssueKind.CALL)
    return tuple(_details(table, by_number, issue) for issue in about_hands)


def _details(table: TableNow, hands: Mapping[int, HandDetails], issue: Issue) -> IssueDetails:
    hand, names = hands.get(issue.number), table.names_at(issue.number)
    before = hand.before if hand else table.coming_session()
    standing = other = None
    if hand:
        standing = ReportedCount(
            who=_who(hand.side, hand.names, gettext("The first phone")),
            at=hand.row.recorded_at,
            lines=hand.lines,
            totals=hand.totals,
            headline=hand.headline,
            device=hand.device,
        )
    if issue.report:
        sheet, headline = _completed(table, before, issue.report.sheet, names)
        other = ReportedCount(
            who=_who(issue.report.side, names, gettext("Another phone")),
            at=issue.report.received_at,
            lines=lines(table.game, before, sheet, names),
            totals=totals(table.game, before, sheet),
            headline=headline,
            device=issue.report.device,
        )
    if standing and other and issue.kind in _QUESTIONS:
        ours, theirs = side_by_side(standing.lines, other.lines)
        standing, other = replace(standing, lines=ours), replace(other, lines=theirs)
    if standing and other and standing.device and standing.device == other.device:
        other = replace(other, who=gettext("The same phone, later"))
    elif standing and other and hand and standing.who == other.who:
        by = {"side": names.of(hand.side or 0)}
        standing = replace(standing, who=pgettext("whose count", "By %(side)s, first") % by)
        other = replace(other, who=pgettext("whose count", "By %(side)s, another phone") % by)
    return IssueDetails(
        row=issue,
        called=table.numbered(issue.number),
        seen=hand.report if hand else 0,
        standing=standing,
        other=other,
    )


def _completed(table: TableNow, before: Session, sheet: Sheet, names: Names) -> tuple[Sheet, str]:
    """Return a sheet with its headline, completed if the rules accept it, else with the refusal.

    A parked sheet is read by its count: the refusal says why it would not add up.
    """
    if "bare" in sheet and len(sheet.keys() - {"bare", "dealer"}):
        counted = {name: value for name, value in sheet.items() if name != "bare"}
        return sheet, _completed(table, before, counted, names)[1]
    try:
        completed = table.game.add_sheet(before, sheet).sheet
    except RuleError as refusal:
        return sheet, say(refusal, names)
    return completed, say(table.game.headline(before, completed), names)


def _who(side: int | None, names: Names, otherwise: str) -> str:
    if side is None:
        return otherwise
    return pgettext("whose count", "By %(side)s") % {"side": names.of(side)}
