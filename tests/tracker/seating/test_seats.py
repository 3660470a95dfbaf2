"""Seats put right: people exchanged for all hands, somebody who takes over from here."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests import make
from tracker.common.errors import Refused
from tracker.models import Entrant, LogEntry, Role, RoundState, Seat, SeatTally, Sitting, Tally
from tracker.reports.services.recount import recount
from tracker.seating.services.seats import exchange, substitute
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

    exchange(seats=(seat(sitting, 0).pk, seat(sitting, 1).pk), by=make.actor())

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

    exchange(seats=(seat(first, 0).pk, seat(second, 0).pk), by=make.actor())
    between = points()
    exchange(seats=(seat(first, 0).pk, seat(second, 0).pk), by=make.actor())

    assert between == {"Ali": 1, "Juma": 1, "Zawadi": 1, "Rehema": 1}
    assert (points(), dealt()) == before
    assert people(first) == list(FOUR)


def test_the_sums_of_a_seat_stay_with_the_place() -> None:
    sitting = make.sitting(*FOUR)
    make.report(sitting, WON)
    sums = list(SeatTally.objects.order_by("pk").values_list("seat__place", "key", "amount"))

    exchange(seats=(seat(sitting, 0).pk, seat(sitting, 3).pk), by=make.actor())

    assert sums == list(
        SeatTally.objects.order_by("pk").values_list("seat__place", "key", "amount")
    )


def test_seats_of_a_closed_round_can_still_be_put_right() -> None:
    sitting = make.sitting(*FOUR)
    make.report(sitting, WON)
    sitting.round.state = RoundState.CLOSED
    sitting.round.save()

    exchange(seats=(seat(sitting, 0).pk, seat(sitting, 1).pk), by=make.actor())

    assert points() == {"Neema": 1, "Juma": 1}


def test_nobody_exchanges_with_themselves_or_with_another_round() -> None:
    sitting, elsewhere = make.sitting(*FOUR), make.sitting(*OTHERS)

    for other in (seat(sitting, 0), seat(elsewhere, 0)):
        with pytest.raises(Refused, match="Choose two people of the same round"):
            exchange(seats=(seat(sitting, 0).pk, other.pk), by=make.actor())


def test_a_round_taken_back_is_left_alone() -> None:
    sitting = make.sitting(*FOUR)
    sitting.round.state = RoundState.UNDONE
    sitting.round.save()

    with pytest.raises(Refused) as refusal:
        exchange(seats=(seat(sitting, 0).pk, seat(sitting, 1).pk), by=make.actor())

    assert refusal.value.code == "round-undone"


@pytest.mark.parametrize("places", [(0, 1), (1, 0)])
def test_whoever_took_over_cannot_be_exchanged(places: tuple[int, int]) -> None:
    sitting = make.sitting(*FOUR)
    make.report(sitting, WON)
    substitute(seat_id=seat(sitting, 0).pk, player_id=player("Ali", sitting), by=make.actor())

    with pytest.raises(Refused, match="Ali took over a seat during the round"):
        exchange(seats=(seat(sitting, places[0]).pk, seat(sitting, places[1]).pk), by=make.actor())


# Taking over


def test_a_substitute_plays_for_themselves_from_the_coming_hand_on() -> None:
    sitting = make.sitting(*FOUR)
    make.report(sitting, WON)

    new = substitute(seat_id=seat(sitting, 0).pk, player_id=player("Ali", sitting), by=make.actor())
    make.report(sitting, WON)

    stints = sitting.seats.filter(place=0).order_by("from_hand")
    assert [(one.player.name, one.from_hand, one.to_hand) for one in stints] == [
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


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ({}, "plays for themselves"),
        ({"substitution": "absent"}, "plays for the one they replace"),
        ({"teams": True, "substitution": "absent"}, "plays for the team"),
    ],
)
def test_the_page_says_for_whom_a_substitute_plays(
    client: Client, more: dict[str, Any], says: str
) -> None:
    sitting = make.sitting(*FOUR, at=make.tournament(**more))
    club = sitting.round.tournament.club
    client.force_login(make.user(role=Role.ORGANISER, club=club))

    assert says in client.get(reverse("round-seats", args=[sitting.round_id])).text


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


def test_nobody_takes_over_in_a_closed_round() -> None:
    sitting = make.sitting(*FOUR)
    sitting.round.state = RoundState.CLOSED
    sitting.round.save()

    with pytest.raises(Refused) as refusal:
        substitute(seat_id=seat(sitting, 0).pk, player_id=player("Ali", sitting), by=make.actor())

    assert refusal.value.code == "round-not-open"


# The page


def test_seats_are_put_right_on_their_page(client: Client) -> None:
    sitting = make.sitting(*FOUR)
    club = sitting.round.tournament.club
    ali = make.player("Ali", club=club)
    client.force_login(make.user(role=Role.ORGANISER, club=club))
    url = reverse("round-seats", args=[sitting.round_id])

    page = client.get(url)
    swapped = client.post(
        url,
        {"do": "exchange", "seats": [seat(sitting, 0).pk, seat(sitting, 1).pk]},
    )
    taken = client.post(
        url, {"do": "substitute", "seat": seat(sitting, 2).pk, "player": ali.pk}, follow=True
    )

    assert page.text.count("Asha") == 2  # to swap, to relieve
    assert swapped.headers["Location"] == reverse("desk", args=[sitting.round.tournament_id])
    assert people(sitting) == ["Neema", "Asha", "Ali", "Baraka"]
    assert "Ali takes over." in taken.text


@pytest.mark.parametrize(
    ("do", "sentence"),
    [
        ("exchange", "Tap the two who change seats."),
        ("substitute", "Select a valid choice."),
    ],
)
def test_what_cannot_be_put_right_is_said(client: Client, do: str, sentence: str) -> None:
    sitting = make.sitting(*FOUR)
    client.force_login(make.user(role=Role.ORGANISER, club=sitting.round.tournament.club))
    asha, juma = seat(sitting, 0), seat(sitting, 2)

    page = client.post(
        reverse("round-seats", args=[sitting.round_id]),
        {
            "do": do,
            "seats": [asha.pk],
            "seat": asha.pk,
            "player": juma.player_id,
        },
    )

    assert sentence in page.text
    assert people(sitting) == list(FOUR)


def test_a_seat_nobody_can_take_over_any_more_is_said(client: Client) -> None:
    sitting = make.sitting(*FOUR)
    club = sitting.round.tournament.club
    ali = make.player("Ali", club=club)
    client.force_login(make.user(role=Role.ORGANISER, club=club))
    sitting.round.state = RoundState.CLOSED
    sitting.round.save()

    page = client.post(
        reverse("round-seats", args=[sitting.round_id]),
        {"do": "substitute", "seat": seat(sitting, 0).pk, "player": ali.pk},
    )
    empty = client.post(reverse("round-seats", args=[sitting.round_id]), {"do": "exchange"})

    assert "This round is not being played." in page.text
    assert "Tap the two who change seats." in empty.text


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
