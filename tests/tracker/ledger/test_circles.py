"""No two acts wait for each other in a circle: see ``ledger.locks``.

On SQLite one transaction writes at a time, and these say no more than that nothing fails.
"""

import pytest

from tests import make
from tests.meeting import Meeting
from tracker.ledger.statements import lock_table
from tracker.seating.services import seats
from tracker.seating.services.seats import exchange, substitute

FOUR = ("Asha", "Neema", "Juma", "Baraka")
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def meeting() -> Meeting:
    return Meeting()


def test_somebody_takes_over_a_seat_that_is_being_exchanged(
    monkeypatch: pytest.MonkeyPatch, meeting: Meeting
) -> None:
    sitting = make.sitting(*FOUR)
    first, second = (seat.pk for seat in sitting.seats.order_by("place")[:2])
    late = make.player("Pendo", club=sitting.round.tournament.club)
    monkeypatch.setattr(seats, "lock_table", meeting.before(lock_table))

    meeting.of(
        lambda: substitute(seat_id=first, player_id=late.pk, by=make.actor()),
        lambda: exchange(seats=(first, second), by=make.actor()),
    )

    there = sitting.seats.values_list("player__name", flat=True)
    assert "Pendo" in there
    assert len(there) == 4
