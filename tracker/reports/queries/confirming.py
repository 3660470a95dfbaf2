"""Hands that wait for another side's confirmation, and what this phone is asked about them."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.translation import gettext

from games.mode import Mode
from tracker.common.sheet_lines import Line, counts, lines
from tracker.common.wording import Names
from tracker.ledger.table import TableNow
from tracker.models.hands import TO_SETTLE_FIRST
from tracker.reports.queries.hand_details import HandDetails
from tracker.reports.queries.issues import IssueDetails


@dataclass(frozen=True, slots=True)
class WaitingHand:
    """A hand that another side has to confirm, as the page shows it."""

    number: int
    called: str
    report: int  # the one that stands: of another nothing would be said
    says: str
    lines: tuple[Line, ...]  # where a sentence would not say it all
    waits_for: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Confirming:
    """What a phone is asked where both sides must agree.

    ``asks_side`` before anything else, once, for whom it speaks; ``to_answer`` are the hands
    that another side wrote down, and ``waiting`` those of its own.
    """

    sides: tuple[str, ...] = ()
    individual: bool = False
    asks_side: bool = False
    speaks_for: str = ""
    to_answer: tuple[WaitingHand, ...] = ()
    waiting: tuple[WaitingHand, ...] = ()


def confirming(
    table: TableNow,
    names: Names,
    hands: Iterable[HandDetails],
    issues: Iterable[IssueDetails],
    *,
    device: str,
    side: int | None,
    asked: bool,
) -> Confirming:
    """Return what a phone that speaks for *side* is asked; *asked* says that it was asked which."""
    if not table.needs_both or table.closed:
        return Confirming()
    unconfirmed = unconfirmed_among(table, hands, issues)
    side = side if side in range(len(table.mode.sides)) else None
    others = [
        hand
        for hand in unconfirmed
        if side is not None
        and hand.side not in {None, side}
        and (not device or device != hand.device)
    ]
    return Confirming(
        sides=names.sides,
        individual=table.mode.individual,
        asks_side=not asked,
        speaks_for="" if side is None else names.of(side),
        to_answer=tuple(_waiting(table, hand) for hand in others),
        waiting=tuple(_waiting(table, hand) for hand in unconfirmed if hand not in others),
    )


def waiting_hands(
    table: TableNow, hands: Iterable[HandDetails], issues: Iterable[IssueDetails]
) -> tuple[WaitingHand, ...]:
    """Return those of the given hands that wait for another side, as the page shows them."""
    return tuple(_waiting(table, hand) for hand in unconfirmed_among(table, hands, issues))


def unconfirmed_among(
    table: TableNow, hands: Iterable[HandDetails], issues: Iterable[IssueDetails]
) -> list[HandDetails]:
    """Return the unconfirmed ones of the given hands, as ``Hand.objects.unconfirmed`` does."""
    if not table.needs_both:
        return []
    to_settle = {issue.number for issue in issues if issue.kind in TO_SETTLE_FIRST}
    return [
        hand
        for hand in hands
        if hand.confirmed_at is None
        and not hand.struck
        and not hand.result_type
        and hand.number not in to_settle
    ]


def waits_for(names: Names, mode: Mode, side: int | None) -> str:
    """Return who has to agree to what this side wrote down, in a few words.

    >>> from games.mode import teams
    >>> waits_for(Names((), ("Asha & Juma", "Neema & Baraka")), teams(4, 2, ""), 0)
    'Neema & Baraka must still say yes'
    """
    others = [other for other in range(len(mode.sides)) if other != side]
    if side is None:
        return gettext("the organiser must still say yes")
    if len(others) == 1:
        return gettext("%(side)s must still say yes") % {"side": names.of(others[0])}
    if mode.individual:
        return gettext("another player must still say yes")
    return gettext("another side must still say yes")


def _waiting(table: TableNow, hand: HandDetails) -> WaitingHand:
    counted = counts(table.game, hand.before, hand.sheet)
    says = ", ".join(
        f"{hand.names.of(side)}\N{NO-BREAK SPACE}{total}"
        for side, total in enumerate(counted)
        if total is not None
    )
    answers = lines(table.game, hand.before, hand.sheet, hand.names)
    return WaitingHand(
        number=hand.number,
        called=hand.called,
        report=hand.report,
        says=says or hand.headline,
        lines=() if says else answers,
        waits_for=waits_for(hand.names, table.mode, hand.side),
    )
