"""A table as its scorers see it: every hand with everything that is known of it."""

from dataclasses import dataclass
from fractions import Fraction

from django.utils.translation import gettext

from games.sheet import Mark, Scope
from tracker.common.figures import figure
from tracker.common.sheet_lines import Line, lines
from tracker.ledger.table import TableNow
from tracker.reports.queries.confirming import WaitingHand, waiting_hands
from tracker.reports.queries.hand_details import HandDetails, hand_details
from tracker.reports.queries.issues import IssueDetails, issue_details, open_issues


@dataclass(frozen=True, slots=True)
class HandWithIssues:
    """A hand, every answer of its sheet, and the marks it gave."""

    hand: HandDetails
    lines: tuple[Line, ...]
    marks: tuple[Line, ...]
    issues: tuple[IssueDetails, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SittingPage:
    """All of a table."""

    hands: tuple[HandWithIssues, ...]
    late: tuple[IssueDetails, ...]  # about hands that are not there
    unconfirmed: tuple[WaitingHand, ...]


def sitting_page(table: TableNow) -> SittingPage:
    """Return a table that was found already, in three more queries."""
    hands = hand_details(table)
    issues = issue_details(table, hands, open_issues(table))
    known = {hand.number for hand in hands}
    return SittingPage(
        hands=tuple(
            HandWithIssues(
                hand,
                lines(table.game, hand.before, hand.sheet, hand.names),
                mark_lines(table, hand),
                tuple(issue for issue in issues if issue.number == hand.number),
            )
            for hand in hands
        ),
        late=tuple(issue for issue in issues if issue.number not in known),
        unconfirmed=waiting_hands(table, hands, issues),
    )


def mark_lines(table: TableNow, hand: HandDetails) -> tuple[Line, ...]:
    """Return what a hand gave each player: who, and what, as "Trader · 2 points".

    Nothing where the marks are the sides': the hand's own headline tells them.
    """
    if hand.marks is None or hand.struck:
        return ()
    if all(mark.scope is Scope.SIDE for mark in table.game.marks):
        return ()
    # What only helps to rank or to share out is not worth a line here.
    columns = table.game.columns(table.options)
    shares = [column for column in columns if column.percent and column.parts > 1]
    shown = {key for column in columns if column not in shares for key, _ in column.terms}
    marks = [mark for mark in table.game.marks if mark.key in shown]
    return tuple(
        Line(
            hand.names.at(seat),
            " · ".join(_say_mark(mark, given[mark.key]) for mark in marks if given.get(mark.key))
            or "–",
        )
        for seat, given in enumerate(hand.marks)
    )


def _say_mark(mark: Mark, amount: int) -> str:
    """Return so much of a mark in the game's words; its label and figure if it has none."""
    if amount == mark.parts and mark.one:
        return gettext(mark.one)
    number = figure(Fraction(amount, mark.parts))
    return (
        gettext(mark.many) % {"number": number} if mark.many else f"{gettext(mark.label)} {number}"
    )
