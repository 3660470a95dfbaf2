"""Whoever changes several rows takes them in one order: see ``ledger.locks``.

On SQLite one transaction writes at a time, and these say no more than that nothing fails.
"""

import pytest

from tests import make
from tests.meeting import Meeting
from tracker.models import Round, RoundState, Sitting
from tracker.results.services import corrections
from tracker.results.services.corrections import STRIKE, correct_sitting
from tracker.seating.services.rounds import undo_round
from tracker.seating.services.seat_swaps import swap_seats
from tracker.tables import locks
from tracker.tables.replay import store_replay

SHEET = {"eaten": [70, 50]}
FOUR = ("Asha", "Neema", "Juma", "Baraka")


@pytest.mark.django_db(transaction=True)
def test_a_round_is_taken_back_beside_an_exchange_of_seats(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sitting = make.sitting()
    other = make.sitting(in_round=sitting.round)
    Sitting.objects.filter(pk=sitting.pk).update(number=7)  # now it lies behind the other
    meeting = Meeting()
    monkeypatch.setattr(locks, "lock_table", meeting.after(locks.lock_table))
    both = (sitting.seats.get(place=0).pk, other.seats.get(place=0).pk)

    meeting.of(
        lambda: swap_seats(seats=both, by=make.actor()),
        lambda: undo_round(round_id=sitting.round_id, by=make.actor()),
    )

    sitting.round.refresh_from_db()
    assert sitting.round.state == RoundState.UNDONE


@pytest.mark.django_db(transaction=True)
def test_a_hand_is_struck_while_the_same_people_report_in_the_next_round(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first = make.sitting(*FOUR)
    for _ in range(2):
        make.report(first, SHEET)
    Round.objects.filter(pk=first.round_id).update(state=RoundState.CLOSED)
    second = make.sitting(*FOUR, at=first.round.tournament, dealt_before=[-2, -1, None, None])
    meeting = Meeting()
    monkeypatch.setattr(corrections, "store_replay", meeting.after(store_replay))

    meeting.of(
        lambda: correct_sitting(
            sitting_id=first.pk, changes={2: STRIKE}, reason="told so", by=make.actor()
        ),
        lambda: make.report(second, SHEET),
    )

    second.refresh_from_db()
    assert second.last_number == 1
    assert second.dealt_before == [-1, None, None, None]
