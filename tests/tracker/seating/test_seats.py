"""Seats put right: people exchanged for all hands, somebody who takes over from here."""

import pytest

from tests import make
from tracker.common.errors import Refused
from tracker.common.forms import refusal_text
from tracker.models import Entrant, LogEntry, RoundState, Seat, SeatTally, Sitting, Tally
from tracker.results.services.recount import recount
from tracker.seating.services.player_replacement import replace_player
from tracker.seating.services.seat_swaps import substitute, swap_seats
from tracker.tournaments.services.entering import enter_player

pytestmark = pytest.mark.django_db

FOUR = ("Asha", "Neema", "Juma", "Baraka")
OTHERS = ("Ali", "Zawadi", "Omari", "Rehema")
WON = {"eaten": [70, 50]}


def seat(sitting: Sitting, place: int) -> Seat:
    return Seat.objects.running().get(sitting=sitting, place=place)


def people(sitting: Sitting) -> list[str]:
    return [seat(sitting, place).player.name for place in range(4)]


def points() -> dict[str, int]:
    rows = Tally.objects.filter(key="victory_points").exclude(amount=0)
    return {str(row.entrant): row.amount for row in rows}


def dealt() -> dict[str, int]:
    rows = Tally.objects.filter(key="dealt").exclude(amount=0)
    return {str(row.entrant): row.amount for row in rows}


def player(name: str, sitting: Sitting) -> int:
    return make.player(name, club=sitting.round.tournament.club).pk


# Exchanging


def test_two_who_sat_the_other_way_round_exchange_their_points() -> None:
    sitting = make.sitting(*FOUR)
    make.report(sitting, WON)

    swap_seats(seats=(seat(sitting, 0).pk, seat(sitting, 1).pk), by=make.actor())

    assert people(sitting) == ["Neema", "Asha", "Juma", "Baraka"]
    assert points() == {"Neema": 1, "Juma": 1}
    assert dealt() == {"Neema": 1}  # the dealer stays with the place
    assert [seat(sitting, place).side for place in range(2)] == [0, 1]
    assert LogEntry.objects.get(verb="seats-exchanged").on["sittings"] == [sitting.pk]


def test_an_exchange_reaches_over_two_tables_and_back() -> None:
    first = make.sitting(*FOUR)
    second = make.sitting(*OTHERS, in_round=first.round)
    make.report(first, WON)
    make.report(second, {"eaten": [30, 90]})
    before = (points(), dealt())

    swap_seats(seats=(seat(first, 0).pk, seat(second, 0).pk), by=make.actor())
    between = points()
    swap_seats(seats=(seat(first, 0).pk, seat(second, 0).pk), by=make.actor())

    assert between == {"Ali": 1, "Juma": 1, "Zawadi": 1, "Rehema": 1}
    assert (points(), dealt()) == before
    assert people(first) == list(FOUR)


def test_the_sums_of_a_seat_stay_with_the_place() -> None:
    sitting = make.sitting(*FOUR)
    make.report(sitting, WON)
    sums = list(SeatTally.objects.order_by("pk").values_list("seat__place", "key", "amount"))

    swap_seats(seats=(seat(sitting, 0).pk, seat(sitting, 3).pk), by=make.actor())

    assert sums == list(
        SeatTally.objects.order_by("pk").values_list("seat__place", "key", "amount")
    )


def test_seats_of_a_closed_round_can_still_be_put_right() -> None:
    sitting = make.sitting(*FOUR)
    make.report(sitting, WON)
    sitting.round.state = RoundState.CLOSED
    sitting.round.save()

    swap_seats(seats=(seat(sitting, 0).pk, seat(sitting, 1).pk), by=make.actor())

    assert points() == {"Neema": 1, "Juma": 1}


def test_nobody_exchanges_with_themselves_or_with_another_round() -> None:
    sitting, elsewhere = make.sitting(*FOUR), make.sitting(*OTHERS)

    for other in (seat(sitting, 0), seat(elsewhere, 0)):
        with pytest.raises(Refused, match="Choose two people of the same round"):
            swap_seats(seats=(seat(sitting, 0).pk, other.pk), by=make.actor())


def test_a_round_taken_back_is_left_alone() -> None:
    sitting = make.sitting(*FOUR)
    sitting.round.state = RoundState.UNDONE
    sitting.round.save()

    with pytest.raises(Refused) as refusal:
        swap_seats(seats=(seat(sitting, 0).pk, seat(sitting, 1).pk), by=make.actor())

    assert refusal.value.code == "round-undone"


def stints(sitting: Sitting, place: int) -> list[tuple[str, int, int | None]]:
    seats = sitting.seats.filter(place=place).order_by("from_hand")
    return [(str(seat.player), seat.from_hand, seat.to_hand) for seat in seats]


def taken_over(*, hands: int = 3) -> Sitting:
    """Return a table at which Ali took over from Asha after so many hands, and two followed."""
    sitting = make.sitting(*FOUR)
    for _ in range(hands):
        make.report(sitting, WON)
    substitute(seat_id=seat(sitting, 0).pk, player_id=player("Ali", sitting), by=make.actor())
    for _ in range(2):
        make.report(sitting, WON)
    return sitting


def check_sums(sitting: Sitting) -> None:
    assert recount(tournament_id=sitting.round.tournament_id, by=make.actor()).findings == ()


@pytest.mark.parametrize("chosen", ["Asha", "Ali"])
def test_whoever_took_over_goes_along_with_the_chair(chosen: str) -> None:
    sitting = taken_over()
    stint = sitting.seats.get(player__name=chosen)

    swap_seats(seats=(seat(sitting, 1).pk, stint.pk), by=make.actor())

    assert stints(sitting, 0) == [("Neema", 1, None)]
    assert stints(sitting, 1) == [("Asha", 1, 3), ("Ali", 4, None)]
    assert points() == {"Neema": 5, "Juma": 5}
    check_sums(sitting)

    swap_seats(seats=(seat(sitting, 0).pk, seat(sitting, 1).pk), by=make.actor())

    assert stints(sitting, 0) == [("Asha", 1, 3), ("Ali", 4, None)]
    assert points() == {"Asha": 3, "Ali": 2, "Juma": 5}
    check_sums(sitting)


def test_two_people_alone_change_for_the_hands_that_both_were_there() -> None:
    sitting = taken_over()

    swap_seats(
        seats=(seat(sitting, 0).pk, seat(sitting, 1).pk), by=make.actor(), only_together=True
    )

    assert stints(sitting, 0) == [("Asha", 1, 3), ("Neema", 4, None)]
    assert stints(sitting, 1) == [("Neema", 1, 3), ("Ali", 4, None)]
    assert points() == {"Asha": 3, "Neema": 2, "Juma": 5}
    check_sums(sitting)

    swap_seats(
        seats=(seat(sitting, 0).pk, seat(sitting, 1).pk), by=make.actor(), only_together=True
    )

    assert stints(sitting, 0) == [("Asha", 1, 3), ("Ali", 4, None)]
    assert stints(sitting, 1) == [("Neema", 1, None)]
    check_sums(sitting)


def test_a_chair_that_was_taken_over_is_exchanged_with_one_of_another_table() -> None:
    sitting = taken_over()
    other = make.sitting(*OTHERS[1:], in_round=sitting.round)
    make.report(other, WON)

    swap_seats(seats=(seat(sitting, 0).pk, seat(other, 0).pk), by=make.actor())

    assert stints(sitting, 0) == [("Zawadi", 1, None)]
    # One hand was played there: Asha had that, and Ali has the next.
    assert stints(other, 0) == [("Asha", 1, 1), ("Ali", 2, None)]
    check_sums(sitting)


def test_a_take_over_that_reached_no_hand_of_the_other_table_was_none_there() -> None:
    sitting = taken_over()
    other = make.sitting(*OTHERS[1:], in_round=sitting.round)

    swap_seats(seats=(seat(sitting, 0).pk, seat(other, 0).pk), by=make.actor())

    assert stints(other, 0) == [("Ali", 1, None)]
    check_sums(sitting)


def test_two_people_alone_change_between_two_tables_each_for_their_hands() -> None:
    sitting = taken_over()
    other = make.sitting(*OTHERS[1:], in_round=sitting.round)
    make.report(other, WON)

    swap_seats(seats=(seat(sitting, 0).pk, seat(other, 0).pk), by=make.actor(), only_together=True)

    assert stints(sitting, 0) == [("Asha", 1, 3), ("Zawadi", 4, None)]
    assert stints(other, 0) == [("Ali", 1, None)]
    check_sums(sitting)


def test_who_had_one_chair_after_the_other_changes_nothing() -> None:
    sitting = taken_over()
    asha, ali = sitting.seats.filter(place=0).order_by("from_hand")

    with pytest.raises(Refused, match="Asha and Ali had the same seat"):
        swap_seats(seats=(asha.pk, ali.pk), by=make.actor())


def test_who_left_before_the_other_came_never_sat_there_together() -> None:
    sitting = taken_over()
    substitute(seat_id=seat(sitting, 1).pk, player_id=player("Omari", sitting), by=make.actor())
    asha = sitting.seats.get(player__name="Asha")

    with pytest.raises(Refused, match="Asha and Omari never sat there together"):
        swap_seats(seats=(asha.pk, seat(sitting, 1).pk), by=make.actor(), only_together=True)


def test_nobody_comes_to_sit_at_two_tables() -> None:
    first = taken_over()
    second = make.sitting("Zawadi", in_round=first.round)
    make.report(second, WON)
    # Asha left the first table, and sits at the second one now.
    substitute(seat_id=seat(second, 1).pk, player_id=player("Asha", first), by=make.actor())
    asha = first.seats.get(player__name="Asha")

    with pytest.raises(Refused, match="Asha cannot sit in two places at once"):
        swap_seats(seats=(asha.pk, seat(second, 0).pk), by=make.actor(), only_together=True)


# Taking over


def test_a_substitute_plays_for_themselves_from_the_coming_hand_on() -> None:
    sitting = make.sitting(*FOUR)
    make.report(sitting, WON)

    new = substitute(seat_id=seat(sitting, 0).pk, player_id=player("Ali", sitting), by=make.actor())
    make.report(sitting, WON)

    stints = sitting.seats.filter(place=0).order_by("from_hand")
    assert [(stint.player.name, stint.from_hand, stint.to_hand) for stint in stints] == [
        ("Asha", 1, 1),
        ("Ali", 2, None),
    ]
    assert (new.place, new.side, str(new.entrant)) == (0, 0, "Ali")
    assert points() == {"Asha": 1, "Juma": 2, "Ali": 1}


def test_a_substitute_plays_for_the_team() -> None:
    tournament = make.tournament(teams=True)
    sitting = make.sitting(*FOUR, at=tournament)
    make.report(sitting, WON)

    substitute(seat_id=seat(sitting, 0).pk, player_id=player("Ali", sitting), by=make.actor())
    make.report(sitting, WON)

    assert points() == {"Asha & Juma": 2}
    assert Entrant.objects.count() == 2


def test_a_substitute_may_play_for_whoever_is_absent() -> None:
    tournament = make.tournament(substitution="absent")
    sitting = make.sitting(*FOUR, at=tournament)
    make.report(sitting, WON)

    new = substitute(seat_id=seat(sitting, 0).pk, player_id=player("Ali", sitting), by=make.actor())
    make.report(sitting, WON)

    assert (new.player.name, str(new.entrant)) == ("Ali", "Asha")
    assert points() == {"Asha": 2, "Juma": 2}
    assert new.tallies.get(key="hands").amount == 1  # of Ali's career
    assert recount(tournament_id=tournament.pk, by=make.actor()).findings == ()


def test_what_tells_a_change_goes_on_for_whoever_is_absent() -> None:
    sums = []
    for takes_over in (False, True):
        sitting = make.sitting(*FOUR, at=make.tournament("dalmuti", "4i", substitution="absent"))
        make.report(sitting, {"order": [2, 1, 3, 0]})
        if takes_over:
            substitute(
                seat_id=seat(sitting, 0).pk, player_id=player("Ali", sitting), by=make.actor()
            )
        make.report(sitting, {"order": [0, 1, 2, 3]})
        entrant = Entrant.objects.get(player__name="Asha", tournament=sitting.round.tournament_id)
        sums.append(dict(entrant.tallies.exclude(amount=0).values_list("key", "amount")))

    assert sums[0] == sums[1]
    assert "latest" in sums[0]


def test_a_substitute_sits_down_although_no_place_is_free() -> None:
    tournament = make.tournament(places=4)
    sitting = make.sitting(*FOUR, at=tournament)
    ali = player("Ali", sitting)
    enter_player(tournament_id=tournament.pk, player_id=ali, by=make.actor())

    new = substitute(seat_id=seat(sitting, 0).pk, player_id=ali, by=make.actor())

    assert (str(new.entrant), new.entrant.reserve_since) == ("Ali", None)


def test_before_the_first_hand_the_seat_simply_changes_hands() -> None:
    sitting = make.sitting(*FOUR)

    substitute(seat_id=seat(sitting, 0).pk, player_id=player("Ali", sitting), by=make.actor())

    assert people(sitting) == ["Ali", "Neema", "Juma", "Baraka"]
    assert sitting.seats.count() == 4


def test_whoever_left_can_sit_down_elsewhere() -> None:
    first = make.sitting(*FOUR)
    second = make.sitting(*OTHERS, in_round=first.round)
    make.report(first, WON)
    make.report(second, WON)
    substitute(seat_id=seat(first, 0).pk, player_id=player("Salim", first), by=make.actor())

    substitute(seat_id=seat(second, 0).pk, player_id=player("Asha", first), by=make.actor())

    assert people(second)[0] == "Asha"


def test_who_left_and_sits_in_another_running_round_is_not_swapped_back() -> None:
    first = make.sitting(*FOUR)
    second = make.sitting(*OTHERS, in_round=first.round)
    make.report(first, WON)
    left = seat(first, 0)
    substitute(seat_id=left.pk, player_id=player("Salim", first), by=make.actor())
    cup = make.tournament(club=first.round.tournament.club, name="Winter")
    make.sitting("Asha", at=cup, number=2)
    before = list(Seat.objects.order_by("pk").values_list())

    with pytest.raises(Refused) as refusal:
        swap_seats(seats=(left.pk, seat(second, 0).pk), by=make.actor(), only_together=True)

    assert refusal_text(refusal.value) == (
        "Asha still sits at table 2 of “Winter”: close round 1 there first."
    )
    assert list(Seat.objects.order_by("pk").values_list()) == before


def test_nobody_takes_over_who_sits_at_a_table() -> None:
    sitting = make.sitting(*FOUR)

    with pytest.raises(Refused) as refusal:
        substitute(seat_id=seat(sitting, 0).pk, player_id=player("Juma", sitting), by=make.actor())

    assert refusal.value.code == "seated-already"


def test_nobody_takes_over_from_another_club() -> None:
    sitting = make.sitting(*FOUR)
    stranger = make.player("Ali", club=make.club("Kariakoo"))

    with pytest.raises(Refused) as refusal:
        substitute(seat_id=seat(sitting, 0).pk, player_id=stranger.pk, by=make.actor())

    assert refusal.value.code == "player-unknown"


def test_a_seat_that_was_left_cannot_be_taken_over_again() -> None:
    sitting = make.sitting(*FOUR)
    make.report(sitting, WON)
    left = seat(sitting, 0)
    substitute(seat_id=left.pk, player_id=player("Ali", sitting), by=make.actor())

    with pytest.raises(Refused) as refusal:
        substitute(seat_id=left.pk, player_id=player("Omari", sitting), by=make.actor())

    assert refusal.value.code == "seat-left"


def test_a_seat_that_was_put_right_meanwhile_is_refused_in_words() -> None:
    """Two organisers have the same page: the one's swap took the seat away that the other taps."""
    sitting = make.sitting("Asha", "Neema", "Juma", "Baraka")
    omari = make.player("Omari", club=sitting.round.tournament.club).pk
    gone = Seat.objects.order_by("-pk").values_list("pk", flat=True)[0] + 1

    for change in (substitute, replace_player):
        with pytest.raises(Refused) as refusal:
            change(seat_id=gone, player_id=omari, by=make.actor())
        assert refusal.value.code == "seat-left"


def test_nobody_takes_over_in_a_closed_round() -> None:
    sitting = make.sitting(*FOUR)
    sitting.round.state = RoundState.CLOSED
    sitting.round.save()

    with pytest.raises(Refused) as refusal:
        substitute(seat_id=seat(sitting, 0).pk, player_id=player("Ali", sitting), by=make.actor())

    assert refusal.value.code == "round-not-open"


# Marks that tell a change: whoever takes over begins anew (D-12)


def latest() -> dict[str, int]:
    return {str(row.entrant): row.amount for row in Tally.objects.filter(key="latest")}


def test_who_takes_over_does_not_inherit_the_place_of_the_game_before() -> None:
    sitting = make.sitting(*FOUR, at=make.tournament("dalmuti", "4i"))
    make.report(sitting, {"order": [0, 1, 2, 3]})
    substitute(seat_id=seat(sitting, 3).pk, player_id=player("Ali", sitting), by=make.actor())

    make.report(sitting, {"order": [3, 0, 1, 2]})
    make.report(sitting, {"order": [0, 3, 1, 2]})

    assert latest() == {"Asha": 1, "Neema": 3, "Juma": 4, "Baraka": 4, "Ali": 2}
    assert recount(tournament_id=sitting.round.tournament_id, by=make.actor()).findings == ()


def test_a_game_that_counts_for_nothing_is_nobodys_first() -> None:
    sitting = make.sitting(*FOUR, at=make.tournament("dalmuti", "4i"))
    make.report(sitting, {"order": [0, 1, 2, 3]})
    substitute(seat_id=seat(sitting, 3).pk, player_id=player("Ali", sitting), by=make.actor())

    make.report(sitting, {"bare": "void"})
    make.report(sitting, {"order": [0, 3, 1, 2]})
    make.report(sitting, {"order": [3, 0, 1, 2]})

    assert latest()["Ali"] == 1
    assert recount(tournament_id=sitting.round.tournament_id, by=make.actor()).findings == ()
