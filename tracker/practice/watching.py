"""What the others do after one's own move: move by move, and where it stops until it was seen."""

from dataclasses import dataclass

from tracker.practice.drawing import Heap, Remark, Seat
from tracker.practice.page import Felt, Tap, felt_and_hand
from tracker.practice.state import ME, PracticeTable

_MOST = 30  # moves that are shown one by one; of more, the last


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """What one move has changed at the table; what it has left as it was is ``None`` or not there.

    ``holds`` says that it stops there until it was seen: at a finished trick, or a knock.
    """

    says: str
    holds: bool
    taker: int | None
    cleared: bool
    seats: tuple[Seat, ...]
    remarks: tuple[Remark, ...] | None
    heaps: tuple[Heap, ...] | None
    hand: tuple[Tap, ...] | None


def next_stop(table: PracticeTable, seen: int) -> int | None:
    """Return the number of moves up to the next trick or knock that has not been seen.

    ``None`` if there is none. One that still lies there at one's own turn is seen then.
    """
    last = len(table.moves) - (table.to_move is not None)
    return next((moves for moves in range(seen + 1, last + 1) if _stops(table, moves)), None)


def frames(table: PracticeTable, seen: int) -> tuple[Frame, ...]:
    """Return what happened after so many moves, in the order in which it did."""
    first = max(seen, len(table.moves) - _MOST)
    last = len(table.moves) - (table.to_move is not None)
    shown = []
    before = felt_and_hand(table.at(first))
    for moves in range(first + 1, len(table.moves) + 1):
        now = felt_and_hand(table.at(moves))
        shown.append(
            _changed(
                before, now, table.told(moves - 1), holds=moves <= last and _stops(table, moves)
            )
        )
        before = now
    return tuple(shown)


def _stops(table: PracticeTable, moves: int) -> bool:
    """Say whether the last of so many moves has completed a trick, or called for the end.

    What one has called oneself one knows.
    """
    now, before = (table.laid(table.states[place]) for place in (moves, moves - 1))
    called = now.called and not before.called and table.moves[moves - 1][0] != ME
    return (now.cleared and not before.cleared) or called


def _changed(
    before: tuple[Felt, tuple[Tap, ...]],
    now: tuple[Felt, tuple[Tap, ...]],
    says: str,
    *,
    holds: bool,
) -> Frame:
    (felt, hand), (felt_before, hand_before) = now, before
    were = {seat.place: seat for seat in (*felt_before.opponents, felt_before.me)}
    return Frame(
        says=says,
        holds=holds,
        taker=felt.taker,
        cleared=felt.cleared,
        seats=tuple(seat for seat in (*felt.opponents, felt.me) if seat != were.get(seat.place)),
        remarks=None if felt.remarks == felt_before.remarks else felt.remarks,
        heaps=None if felt.heaps == felt_before.heaps else felt.heaps,
        hand=None if hand == hand_before else hand,
    )
