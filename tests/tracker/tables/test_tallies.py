"""Sums of marks: a team's counted once, a stint's its own, an undone round's none."""

from collections import Counter

import pytest

from tests import make
from tracker.models import SeatTally, Sitting, Substitution, Tally, Tournament
from tracker.results.services.recount import recount
from tracker.seating.services.seat_swaps import substitute
from tracker.tables.locks import lock_table
from tracker.tables.tallies import (
    HandMarks,
    Sums,
    Tallies,
    add_round_again,
    add_to_tallies,
    subtract_round,
    tallies_of,
)

pytestmark = pytest.mark.django_db


def kept() -> tuple[dict[tuple[int, str], int], dict[tuple[int, str], int]]:
    """Return the tallies of seats and of entrants, what is nothing left out."""
    seats = {(row.seat_id, row.key): row.amount for row in SeatTally.objects.exclude(amount=0)}
    entrants = {(row.entrant_id, row.key): row.amount for row in Tally.objects.exclude(amount=0)}
    return seats, entrants


def by_place(sums: Sums, sitting: Sitting) -> list[dict[str, int]]:
    seats = [seat.pk for seat in sitting.seats.order_by("place", "from_hand")]
    return [{key: amount for (of, key), amount in sums.items() if of == pk} for pk in seats]


def test_void_hand_gives_only_the_deal() -> None:
    sitting = make.sitting()

    sums = tallies_of([HandMarks(1, 2, None)], lock_table(sitting_id=sitting.pk))

    assert by_place(sums.seats, sitting) == [{}, {}, {"dealt": 1, "opened": 1}, {}]


def test_mark_of_a_seat_is_summed_over_a_team_and_one_of_a_side_counts_once() -> None:
    sitting = make.sitting("Asha", "Neema", "Juma", "Baraka", at=make.tournament(teams=True))
    marks = [{"victory_points": 2}, {}, {"victory_points": 2}, {}]

    sums = tallies_of(
        [HandMarks(1, 0, marks), HandMarks(2, 2, marks)], lock_table(sitting_id=sitting.pk)
    )

    pair = sitting.seats.get(place=0).entrant_id
    assert {key: amount for (of, key), amount in sums.entrants.items() if of == pair} == {
        "victory_points": 4,
        "hands": 2,
        "dealt": 2,  # once by each of them
        "opened": 1,
    }


def test_mark_of_scope_seat_is_summed_over_the_places_of_one_entrant() -> None:
    sitting = make.sitting("Asha", "Neema", "Juma", at=make.tournament("dalmuti", "3i"))
    asha = sitting.seats.get(place=0).entrant
    sitting.seats.filter(place=1).update(entrant=asha)
    marks = [{"points": 2}, {"points": 1}, {"points": 0}]

    sums = tallies_of([HandMarks(2, 2, marks)], lock_table(sitting_id=sitting.pk))

    assert sums.entrants[asha.pk, "points"] == 3


def test_struck_hands_are_not_put_back() -> None:
    sitting = make.sitting()
    make.report(sitting, {"eaten": [70, 50]})
    subtract_round(sitting.round_id)
    sitting.hands.update(struck_at=make.NOON)

    add_round_again(sitting.round_id)

    assert kept() == ({}, {})


def test_many_rows_move_in_several_statements() -> None:
    sitting = make.sitting()
    seat = sitting.seats.get(place=0)
    many = Sums({(seat.pk, f"key {number}"): 1 for number in range(301)})

    add_to_tallies(Tallies(many, Sums({(seat.entrant_id, "gone"): 0})))
    add_to_tallies(Tallies(many, Sums()))

    assert [*SeatTally.objects.values_list("amount", flat=True).distinct()] == [2]
    assert (SeatTally.objects.count(), Tally.objects.count()) == (301, 0)


# Marks that only tell a change (D-12)


@pytest.fixture
def dalmuti() -> Sitting:
    tournament = make.tournament("dalmuti", "4i", substitution=Substitution.ABSENT)
    return make.sitting("Asha", "Neema", "Juma", "Baraka", at=tournament)


def take_over(sitting: Sitting, name: str) -> None:
    seat = sitting.seats.get(place=0, to_hand=None)
    ali = make.player(name, club=sitting.round.tournament.club)
    substitute(seat_id=seat.pk, player_id=ali.pk, by=make.actor())


def last_games(sitting: Sitting) -> dict[str, int]:
    """Return how everybody's last game went, by what is kept of seats as of entrants."""
    of_seats: Counter[str] = Counter()
    for row in SeatTally.objects.filter(key="latest").select_related("seat__entrant"):
        of_seats[str(row.seat.entrant)] += row.amount
    of_entrants = {str(row.entrant): row.amount for row in Tally.objects.filter(key="latest")}
    assert recount(tournament_id=sitting.round.tournament_id, by=make.actor()).findings == ()
    assert of_seats == of_entrants
    return of_entrants


def test_who_comes_back_to_a_seat_stands_as_the_last_game_left_them(dalmuti: Sitting) -> None:
    Tournament.objects.update(substitution=Substitution.OWN)
    make.report(dalmuti, {"order": [0, 1, 2, 3]})
    take_over(dalmuti, "Ali")
    make.report(dalmuti, {"order": [3, 1, 2, 0]})
    take_over(dalmuti, "Asha")

    make.report(dalmuti, {"order": [1, 0, 2, 3]})
    make.report(dalmuti, {"order": [2, 1, 0, 3]})

    assert last_games(dalmuti) == {"Asha": 3, "Ali": 4, "Neema": 2, "Juma": 1, "Baraka": 4}


def test_who_is_played_for_has_one_last_game_in_the_standing_of_a_round(dalmuti: Sitting) -> None:
    make.report(dalmuti, {"order": [3, 1, 2, 0]})
    take_over(dalmuti, "Ali")
    make.report(dalmuti, {"order": [0, 1, 2, 3]})

    assert last_games(dalmuti) == {"Asha": 1, "Neema": 2, "Juma": 3, "Baraka": 4}
