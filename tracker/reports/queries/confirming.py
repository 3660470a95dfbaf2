"""Hands that wait for another side's confirmation, and what this phone is asked about them."""

from collections.abc import Iterable
from dataclasses import dataclass

from tracker.common.wording import Names
from tracker.ledger.table import TableNow
from tracker.models.hands import TO_SETTLE_FIRST
from tracker.reports.queries.hand_details import HandDetails
from tracker.reports.queries.issues import IssueDetails


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
    to_answer: tuple[HandDetails, ...] = ()
    waiting: tuple[HandDetails, ...] = ()


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
        to_answer=tuple(others),
        waiting=tuple(hand for hand in unconfirmed if hand not in others),
    )


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
        if hand.row.confirmed_at is None
        and not hand.struck
        and not hand.row.result_type
        and hand.number not in to_settle
    ]
