"""Whoever changes several rows takes them in one order: see ``ledger.locks``.

On SQLite one transaction writes at a time, and these say no more than that nothing fails.
"""

import threading
from collections.abc import Callable

import pytest
from django.db import connection

from tests import make
from tracker.ledger import statements
from tracker.ledger.rewriting import keep
from tracker.ledger.table import TableNow
from tracker.models import Entrant, Round, RoundState, Sitting
from tracker.reports.services import corrections
from tracker.reports.services.corrections import STRIKE, correct_sitting
from tracker.seating.services.rounds import undo_round
from tracker.seating.services.seats import exchange
from tracker.tournaments.services.entering import enter_player

SHEET = {"eaten": [70, 50]}
FOUR = ("Asha", "Neema", "Juma", "Baraka")


def beside(act: Callable[[], object], other: Callable[[], object], held: threading.Event) -> None:
    """Do the one, and the other from when the first is *held* half way through."""
    failed: list[Exception] = []

    def begin() -> None:
        try:
            act()
        except Exception as error:  # noqa: BLE001 - raised again below, in the test's own thread
            failed.append(error)
        finally:
            held.set()
            connection.close()

    first = threading.Thread(target=begin)
    first.start()
    held.wait(30)
    other()
    first.join()
    if failed:
        raise failed[0]


def pausing(after: Callable[..., object], held: threading.Event) -> Callable[..., object]:
    """Return what does the same, and then gives the other time to stand at a lock."""

    def paused(*arguments: object, **named: object) -> object:
        answer = after(*arguments, **named)
        if threading.current_thread() is not threading.main_thread() and not held.is_set():
            held.set()
            threading.Event().wait(0.5)  # if the other does not stand there yet, no harm
        return answer

    return paused


@pytest.mark.django_db(transaction=True)
def test_a_round_is_taken_back_beside_an_exchange_of_seats(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    one = make.sitting()
    other = make.sitting(in_round=one.round)
    Sitting.objects.filter(pk=one.pk).update(number=7)  # now it lies behind the other
    held = threading.Event()
    monkeypatch.setattr(statements, "lock_table", pausing(statements.lock_table, held))
    both = (one.seats.get(place=0).pk, other.seats.get(place=0).pk)

    beside(
        lambda: exchange(seats=both, by=make.actor()),
        lambda: undo_round(round_id=one.round_id, by=make.actor()),
        held,
    )

    one.round.refresh_from_db()
    assert one.round.state == RoundState.UNDONE


@pytest.mark.django_db(transaction=True)
def test_a_hand_is_struck_while_the_same_people_report_in_the_next_round(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first = make.sitting(*FOUR)
    for _ in range(2):
        make.report(first, SHEET)
    Round.objects.filter(pk=first.round_id).update(state=RoundState.CLOSED)
    second = make.sitting(*FOUR, at=first.round.tournament, dealt_before=[-2, -1, None, None])
    held = threading.Event()
    monkeypatch.setattr(corrections, "keep_fold", pausing(keep, held))

    beside(
        lambda: correct_sitting(
            sitting_id=first.pk, changes={2: STRIKE}, reason="told so", by=make.actor()
        ),
        lambda: make.report(second, SHEET),
        held,
    )

    second.refresh_from_db()
    assert second.last_number == 1
    assert second.dealt_before == [-1, None, None, None]


@pytest.mark.django_db
def test_whoever_is_entered_during_a_correction_has_not_moved(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sitting = make.sitting(*FOUR)
    make.report(sitting, SHEET)
    tournament = sitting.round.tournament
    late = make.player("Pendo", club=tournament.club)
    places_of = corrections.places_of

    def then_somebody_enters(table: TableNow) -> dict[int, int]:
        places = places_of(table)
        enter_player(tournament_id=tournament.pk, player_id=late.pk, by=make.actor())
        return places

    monkeypatch.setattr(corrections, "places_of", then_somebody_enters)

    moved = correct_sitting(
        sitting_id=sitting.pk, changes={1: {"eaten": [50, 70]}}, reason="so", by=make.actor()
    )

    assert moved.places
    assert Entrant.objects.get(player=late).pk not in moved.places
