"""Locks: who waited for a table sees what was done meanwhile, and several rows are taken in one order."""

import threading

import pytest
from django.db import connection, transaction

from tests import act, make
from tests.meeting import Meeting
from tracker.models import Round, RoundState, Sitting
from tracker.results.services import corrections
from tracker.results.services.corrections import STRIKE
from tracker.seating.services.rounds import undo_round
from tracker.seating.services.seat_swaps import swap_seats
from tracker.tables import locks
from tracker.tables.locks import lock_table
from tracker.tables.replay import store_replay
from tracker.tables.sql import execute

pytestmark = pytest.mark.django_db(transaction=True)
SHEET = {"eaten": [70, 50]}


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


def test_statements_that_travel_together_each_tell_what_they_found() -> None:
    make.club("Upanga")

    answers = execute(
        ("SELECT name FROM tracker_club WHERE name = %s", ["Upanga"]),
        ("UPDATE tracker_club SET name = %s", ["Kariakoo; 100 %"]),
        ("SELECT name FROM tracker_club WHERE name <> %s", ["Upanga"]),
    )

    assert answers == [[("Upanga",)], [], [("Kariakoo; 100 %",)]]


# Whoever changes several rows takes them in one order: see ``ledger.locks`` -----------------


FOUR = ("Asha", "Neema", "Juma", "Baraka")


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
        lambda: act.correct(first, {2: STRIKE}),
        lambda: make.report(second, SHEET),
    )

    second.refresh_from_db()
    assert second.last_number == 1
    assert second.dealt_before == [-1, None, None, None]
