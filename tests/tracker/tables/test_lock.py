"""Whoever waited for a table's lock sees what was done in the meantime."""

import threading

import pytest
from django.db import connection, transaction

from tests import make
from tracker.models import Round, RoundState
from tracker.seating.services.seat_swaps import swap_seats
from tracker.tables.locks import lock_table
from tracker.tables.sql import execute


@pytest.mark.django_db(transaction=True)
def test_who_waited_for_the_lock_sees_the_round_closed_meanwhile() -> None:
    sitting = make.sitting()
    locked, enough = threading.Event(), threading.Event()

    def close_round() -> None:
        with transaction.atomic():
            lock_table(sitting_id=sitting.pk)
            Round.objects.filter(pk=sitting.round_id).update(state=RoundState.CLOSED)
            locked.set()
            enough.wait(0.5)  # time for the other to stand at the lock; if it does not, no harm
        connection.close()

    closing = threading.Thread(target=close_round)
    closing.start()
    locked.wait(30)

    with transaction.atomic():
        table = lock_table(token=sitting.token)

    closing.join()
    assert table.round_state == RoundState.CLOSED


@pytest.mark.django_db(transaction=True)
def test_who_waited_to_exchange_seats_sees_who_sits_there_by_now() -> None:
    sitting = make.sitting("Asha", "Neema", "Juma", "Baraka")
    seats = [seat.pk for seat in sitting.seats.order_by("place")]
    exchanged, enough = threading.Event(), threading.Event()

    def exchange_the_first() -> None:
        with transaction.atomic():
            swap_seats(seats=(seats[0], seats[1]), by=make.actor())
            exchanged.set()
            enough.wait(0.5)  # time for the other to stand at the lock; if it does not, no harm
        connection.close()

    first = threading.Thread(target=exchange_the_first)
    first.start()
    exchanged.wait(30)

    swap_seats(seats=(seats[1], seats[2]), by=make.actor())

    first.join()
    people = sitting.seats.order_by("place").values_list("player__name", flat=True)
    assert [*people] == ["Neema", "Juma", "Asha", "Baraka"]


@pytest.mark.django_db
def test_statements_that_travel_together_each_tell_what_they_found() -> None:
    make.club("Upanga")

    answers = execute(
        ("SELECT name FROM tracker_club WHERE name = %s", ["Upanga"]),
        ("UPDATE tracker_club SET name = %s", ["Kariakoo; 100 %"]),
        ("SELECT name FROM tracker_club WHERE name <> %s", ["Upanga"]),
    )

    assert answers == [[("Upanga",)], [], [("Kariakoo; 100 %",)]]
