"""The dealers' memory goes with the people, and only hands that were played are in it."""

from random import Random

import pytest

from tests import act, make
from tracker.models import Hand, ResultType, Seat, SeatTally, Sitting
from tracker.nights.services.closing import close_round
from tracker.results.services.corrections import STRIKE
from tracker.results.services.recount import recount
from tracker.results.services.result_only import record_result_type
from tracker.seating.services.round_opening import seat_round
from tracker.seating.services.rounds import undo_round
from tracker.seating.services.seat_swaps import swap_seats

pytestmark = pytest.mark.django_db
SEVENTY_FIFTY = {"eaten": [70, 50]}


def two_rounds(hands: int = 2) -> tuple[Sitting, Sitting]:
    """Return a table after a round of so many hands, and its people's table in the second."""
    first = make.sitting("Asha", "Neema", "Juma", "Baraka")
    for _ in range(hands):
        make.report(first, SEVENTY_FIFTY)
    close_round(round_id=first.round_id, anyway=True, by=make.actor())
    tournament = first.round.tournament
    entrants = [seat.entrant_id for seat in first.seats.order_by("place")]
    second = seat_round(
        tournament_id=tournament.pk, entrants=entrants, rng=Random(7), by=make.actor()
    )
    return first, second.sittings.get()


def remembered(sitting: Sitting) -> dict[str, int | None]:
    """Return by name how long ago everybody dealt, as their table knows it."""
    known = Sitting.objects.get(pk=sitting.pk).dealt_before
    people = Seat.objects.filter(sitting=sitting).select_related("player")
    return {seat.player.name: known[seat.place] for seat in people}


def differences(sitting: Sitting) -> list[str]:
    counted = recount(tournament_id=sitting.round.tournament_id, by=make.actor())
    return list(map(str, counted.findings))


def test_memory_goes_with_those_who_swap_seats() -> None:
    _, second = two_rounds()
    before = remembered(second)
    places = {seat.player.name: seat.pk for seat in second.seats.select_related("player")}

    swap_seats(seats=(places["Asha"], places["Neema"]), by=make.actor())

    assert remembered(second) == before
    assert differences(second) == []


def test_swap_in_an_earlier_round_is_known_in_the_later_one() -> None:
    first, second = two_rounds()
    places = {seat.player.name: seat.pk for seat in first.seats.select_related("player")}

    swap_seats(seats=(places["Asha"], places["Neema"]), by=make.actor())

    assert remembered(second) == {"Asha": None, "Neema": -2, "Juma": -1, "Baraka": None}
    assert differences(second) == []


def test_strike_in_an_earlier_round_is_known_in_the_later_one() -> None:
    first, second = two_rounds()
    assert remembered(second) == {"Asha": -2, "Neema": None, "Juma": -1, "Baraka": None}

    act.correct(first, {2: STRIKE})

    assert remembered(second) == {"Asha": -1, "Neema": None, "Juma": None, "Baraka": None}
    assert differences(second) == []


def test_recount_sees_a_memory_that_is_not_the_tournaments() -> None:
    _, second = two_rounds()
    Sitting.objects.filter(pk=second.pk).update(dealt_before=[None, -1, None, None])

    [finding, *_] = differences(second)

    assert "dealt_before" in finding
    recount(tournament_id=second.round.tournament_id, by=make.actor(), write=True)
    assert differences(second) == []
    assert remembered(second) == {"Asha": -2, "Neema": None, "Juma": -1, "Baraka": None}


def test_nobody_dealt_what_nobody_played() -> None:
    sitting = make.sitting("Asha", "Neema", "Juma", "Baraka", at=make.tournament(hands=10))
    make.report(sitting, SEVENTY_FIFTY)
    make.report(sitting, SEVENTY_FIFTY)

    record_result_type(
        sitting_id=sitting.pk,
        result_type=ResultType.WALKOVER,
        bare=0,
        times=None,
        reason="They went home",
        by=make.actor(),
    )

    assert Hand.objects.count() == 10
    dealt = SeatTally.objects.filter(key="dealt", amount__gt=0)
    assert sorted(dealt.values_list("seat__player__name", "amount")) == [("Asha", 1), ("Juma", 1)]
    assert differences(sitting) == []


def test_round_nobody_played_is_not_remembered_and_opened_by_nobody() -> None:
    sitting = make.sitting("Asha", "Neema", "Juma", "Baraka", at=make.tournament(hands=2))

    close_round(round_id=sitting.round_id, not_played=True, by=make.actor())

    assert not SeatTally.objects.filter(key__in=["dealt", "opened"]).exclude(amount=0).exists()
    entrants = [seat.entrant_id for seat in sitting.seats.order_by("place")]
    second = seat_round(
        tournament_id=sitting.round.tournament_id,
        entrants=entrants,
        rng=Random(7),
        by=make.actor(),
    )
    assert second.sittings.get().dealt_before == [None] * 4


def test_round_taken_back_is_forgotten() -> None:
    first, second = two_rounds()
    undo_round(round_id=second.round_id, by=make.actor())
    undo_round(round_id=first.round_id, by=make.actor())

    assert differences(second) == []
