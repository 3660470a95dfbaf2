"""The last hand of a table: whose it is to change, and whether its table took it back."""

from collections.abc import Sequence
from dataclasses import dataclass

from tracker.common.audit_log import last_entry
from tracker.ledger.table import TableNow
from tracker.models import Hand
from tracker.reports.queries.hand_details import HandDetails

TAKEN_BACK, BROUGHT_BACK = "hand-taken-back", "hand-brought-back"


@dataclass(frozen=True, slots=True)
class LastHand:
    """What a phone may do with the last hand of its table, by number; 0 is none.

    It may ``change`` what it sent, ``take`` back what its side did, and ``bring`` that back.
    """

    number: int = 0
    change: int = 0
    take: int = 0
    bring: HandDetails | None = None


def last_hand(
    table: TableNow, hands: Sequence[HandDetails], *, device: str, side: int | None
) -> LastHand:
    """Return what a phone that speaks for *side* may do, in one query where a hand is struck."""

    def sent_here(hand: HandDetails) -> bool:
        return bool(device) and hand.device == device

    def is_own(hand: HandDetails) -> bool:
        return sent_here(hand) or (side is not None and hand.side == side)

    standing = next((hand for hand in reversed(hands) if not hand.struck), None)
    number = standing.number if standing else 0
    if table.closed:
        return LastHand(number)
    # Of several the one that was taken back last: the first of them.
    gone = next((hand for hand in hands if hand.number > number), None)
    return LastHand(
        number=number,
        change=number if standing and sent_here(standing) else 0,
        take=number if standing and is_own(standing) else 0,
        bring=gone if gone and is_own(gone) and was_taken_back(table, gone.row) else None,
    )


def was_taken_back(table: TableNow, hand: Hand) -> bool:
    """Say whether its own table struck this hand, and not the organiser, in one query."""
    if hand.struck_at is None:
        return False
    on = {"sitting": table.sitting_id, "hand": hand.number}
    taken = last_entry(TAKEN_BACK, club_id=table.club_id, **on)
    # The clock of whoever waited for the lock may have been behind.
    return taken is not None and hand.struck_at == max(taken.at, hand.recorded_at)
