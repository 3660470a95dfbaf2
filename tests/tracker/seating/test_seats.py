"""Seats put right: people exchanged for all hands, somebody who takes over from here."""

from typing import Any

import pytest

from tests import act, make
from tests.tracker.seating.seats import (
    FOUR,
    OTHERS,
    alone,
    people,
    play,
    player,
    points,
    seat,
    stints,
)
from tracker.common.errors import Refused
from tracker.common.forms import refusal_text
from tracker.models import Entrant, LogEntry, Round, RoundState, Seat, SeatTally, Sitting, Tally
from tracker.seating.services.player_replacement import replace_player
from tracker.seating.services.seat_swaps import substitute, swap_seats
from tracker.tournaments.services.entering import enter_player

pytestmark = pytest.mark.django_db


@pytest.fixture
def table() -> Sitting:
    return make.sitting(*FOUR)


@pytest.fixture
def taken_over(table: Sitting) -> Sitting:
    """Return a table at which Ali took over from Asha after three hands, and two followed."""
    play(table, 3)
    takes_over(table, "Ali")
    return play(table, 2)


def beside(sitting: Sitting, *names: str, hands: int = 0) -> Sitting:
    """Return another table of the same round."""
    return play(make.sitting(*(names or OTHERS), in_round=sitting.round), hands)


def swap(one: Seat, other: Seat, *, only_together: bool = False) -> None:
    swap_seats(seats=(one.pk, other.pk), by=make.actor(), only_together=only_together)


def takes_over(sitting: Sitting, name: str, place: int | Seat = 0) -> Seat:
    left = place if isinstance(place, Seat) else seat(sitting, place)
    return substitute(seat_id=left.pk, player_id=player(name, sitting), by=make.actor())


def of(name: str, sitting: Sitting) -> Seat:
    return sitting.seats.get(player__name=name)


# Exchanging


def test_two_exchange_their_points_also_once_the_round_is_closed(table: Sitting) -> None:
    play(table)
    Round.objects.update(state=RoundState.CLOSED)
    sums = SeatTally.objects.order_by("pk").values_list("seat__place", "key", "amount")
    before = list(sums)
    swap(seat(table, 0), seat(table, 1))

    assert list(sums.all()) == before  # which stay with the place, as the dealer does
    assert people(table) == ["Neema", "Asha", "Juma", "Baraka"]
    assert points() == {"Neema": 1, "Juma": 1}
    assert points("dealt") == {"Neema": 1}
    assert [seat(table, place).side for place in range(2)] == [0, 1]
    assert LogEntry.objects.get(verb="seats-exchanged").on["sittings"] == [table.pk]
    Round.objects.update(state=RoundState.UNDONE)
    with act.refused("round-undone"):
        swap(seat(table, 0), seat(table, 1))


def test_an_exchange_reaches_over_two_tables_and_back(table: Sitting) -> None:
    play(table)
    other = beside(table)
    make.report(other, {"eaten": [30, 90]})
    before = (points(), points("dealt"))
    swap(seat(table, 0), seat(other, 0))
    between = points()
    swap(seat(table, 0), seat(other, 0))

    assert between == {"Ali": 1, "Juma": 1, "Zawadi": 1, "Rehema": 1}
    assert (points(), points("dealt")) == before
    assert people(table) == list(FOUR)


def test_nobody_exchanges_with_themselves_or_with_another_round(table: Sitting) -> None:
    for other in (seat(table, 0), seat(make.sitting(*OTHERS), 0)):
        with act.refused("seats-two") as refusal:
            swap(seat(table, 0), other)
        assert "Choose two people of the same round" in str(refusal.value)


@pytest.mark.parametrize("chosen", ["Asha", "Ali"])
def test_whoever_took_over_goes_along_with_the_chair(taken_over: Sitting, chosen: str) -> None:
    table, chair = taken_over, [alone("Asha", 1, 3), alone("Ali", 4)]
    swap(seat(table, 1), of(chosen, table))
    assert (stints(table, 0), stints(table, 1)) == ([alone("Neema", 1)], chair)
    assert points() == {"Neema": 5, "Juma": 5}
    assert act.is_as_its_sheets_say(table)
    swap(seat(table, 0), seat(table, 1))

    assert stints(table, 0) == chair
    assert points() == {"Asha": 3, "Ali": 2, "Juma": 5}
    assert act.is_as_its_sheets_say(table)


def test_two_people_alone_change_for_the_hands_that_both_were_there(taken_over: Sitting) -> None:
    table = taken_over
    swap(seat(table, 0), seat(table, 1), only_together=True)
    assert stints(table, 0) == [alone("Asha", 1, 3), alone("Neema", 4)]
    assert stints(table, 1) == [alone("Neema", 1, 3), alone("Ali", 4)]
    assert points() == {"Asha": 3, "Neema": 2, "Juma": 5}
    assert act.is_as_its_sheets_say(table)
    swap(seat(table, 0), seat(table, 1), only_together=True)

    assert stints(table, 0) == [alone("Asha", 1, 3), alone("Ali", 4)]
    assert stints(table, 1) == [alone("Neema", 1)]
    assert act.is_as_its_sheets_say(table)


@pytest.mark.parametrize(
    ("hands", "only_together", "here", "there"),
    [
        # One hand was played there: Asha had that, and Ali has the next.
        (1, False, [alone("Zawadi", 1)], [alone("Asha", 1, 1), alone("Ali", 2)]),
        # A take-over that reached no hand of the other table was none there.
        (0, False, [alone("Zawadi", 1)], [alone("Ali", 1)]),
        # Two people alone change each for their hands.
        (1, True, [alone("Asha", 1, 3), alone("Zawadi", 4)], [alone("Ali", 1)]),
    ],
)
def test_a_chair_that_was_taken_over_goes_to_another_table(
    taken_over: Sitting, hands: int, only_together: bool, here: object, there: object
) -> None:
    other = beside(taken_over, *OTHERS[1:], hands=hands)
    swap(seat(taken_over, 0), seat(other, 0), only_together=only_together)
    assert (stints(taken_over), stints(other)) == (here, there)
    assert act.is_as_its_sheets_say(taken_over)


def test_who_never_sat_there_together_is_not_exchanged(taken_over: Sitting) -> None:
    table = taken_over
    asha, ali = table.seats.filter(place=0).order_by("from_hand")
    with pytest.raises(Refused, match="Asha and Ali had the same seat"):
        swap(asha, ali)
    omari = takes_over(table, "Omari", 1)
    with pytest.raises(Refused, match="Asha and Omari never sat there together"):
        swap(asha, omari, only_together=True)
    other = beside(table, "Zawadi", hands=1)
    takes_over(other, "Asha", 1)  # she left the first table, and sits at the second one now
    with pytest.raises(Refused, match="Asha cannot sit in two places at once"):
        swap(asha, seat(other, 0), only_together=True)


# Taking over


@pytest.mark.parametrize(
    ("more", "entrant", "sums"),
    [
        ({}, "Ali", {"Asha": 1, "Juma": 2, "Ali": 1}),
        ({"teams": True}, "Asha & Juma", {"Asha & Juma": 2}),
        ({"substitution": "absent"}, "Asha", {"Asha": 2, "Juma": 2}),
    ],
)
def test_a_substitute_plays_from_the_coming_hand_on(
    more: dict[str, Any], entrant: str, sums: dict[str, int]
) -> None:
    table = play(make.sitting(*FOUR, at=make.tournament(**more)))
    entered = Entrant.objects.count()
    new = takes_over(table, "Ali")
    play(table)

    own = "Asha & Juma" if "teams" in more else "Asha"
    assert stints(table) == [("Asha", own, 1, 1), ("Ali", entrant, 2, None)]
    assert (new.place, new.side, str(new.entrant)) == (0, 0, entrant)
    assert new.tallies.get(key="hands").amount == 1  # of Ali's career
    assert points() == sums
    assert Entrant.objects.count() == entered + (entrant == "Ali")
    assert act.is_as_its_sheets_say(table)


def test_what_tells_a_change_goes_on_for_whoever_is_absent() -> None:
    sums = []
    for taken_over in (False, True):
        table = make.sitting(*FOUR, at=make.tournament("dalmuti", "4i", substitution="absent"))
        make.report(table, {"order": [2, 1, 3, 0]})
        if taken_over:
            takes_over(table, "Ali")
        make.report(table, {"order": [0, 1, 2, 3]})
        asha = Entrant.objects.get(player__name="Asha", tournament=table.round.tournament_id)
        sums.append(dict(asha.tallies.exclude(amount=0).values_list("key", "amount")))

    assert sums[0] == sums[1]
    assert "latest" in sums[0]


def test_a_substitute_sits_down_although_no_place_is_free() -> None:
    tournament = make.tournament(places=4)
    table = make.sitting(*FOUR, at=tournament)
    enter_player(tournament_id=tournament.pk, player_id=player("Ali", table), by=make.actor())
    new = takes_over(table, "Ali")

    assert (str(new.entrant), new.entrant.reserve_since) == ("Ali", None)
    # Before the first hand the seat simply changes hands.
    assert people(table) == ["Ali", "Neema", "Juma", "Baraka"]
    assert table.seats.count() == 4


def test_whoever_left_can_sit_down_elsewhere_but_then_is_not_swapped_back(table: Sitting) -> None:
    play(table)
    other, left = beside(table, hands=1), seat(table, 0)
    takes_over(table, "Salim")
    takes_over(other, "Asha")
    assert people(other)[0] == "Asha"
    takes_over(other, "Ali")  # Asha goes to another tournament
    cup = make.tournament(club=table.round.tournament.club, name="Winter")
    make.sitting("Asha", at=cup, number=2)
    before = list(Seat.objects.order_by("pk").values_list())
    with act.refused("seated-already") as refusal:
        swap(left, seat(other, 1), only_together=True)

    says = "Asha still sits at table 2 of “Winter”: close round 1 there first."
    assert refusal_text(refusal.value) == says
    assert list(Seat.objects.order_by("pk").values_list()) == before


def test_nobody_takes_over_where_it_cannot_be(table: Sitting) -> None:
    with act.refused("seated-already"):  # who sits at a table
        takes_over(table, "Juma")
    with act.refused("player-unknown"):  # of another club
        stranger = make.player("Ali", club=make.club("Kariakoo"))
        substitute(seat_id=seat(table, 0).pk, player_id=stranger.pk, by=make.actor())
    play(table)
    left = seat(table, 0)
    takes_over(table, "Ali")
    with act.refused("seat-left"):
        takes_over(table, "Omari", left)
    Round.objects.update(state=RoundState.CLOSED)
    with act.refused("round-not-open"):
        takes_over(table, "Omari")


def test_a_seat_that_was_put_right_meanwhile_is_refused_in_words(table: Sitting) -> None:
    """Two organisers have the same page: the one's swap took the seat away that the other taps."""
    gone, omari = Seat.objects.latest("pk").pk + 1, player("Omari", table)
    for change in (substitute, replace_player):
        with act.refused("seat-left"):
            change(seat_id=gone, player_id=omari, by=make.actor())


# Marks that tell a change: whoever takes over begins anew (D-12)


@pytest.mark.parametrize(
    ("sheets", "latest"),
    [
        # Who takes over does not inherit the place of the game before.
        (
            [{"order": [3, 0, 1, 2]}, {"order": [0, 3, 1, 2]}],
            {"Asha": 1, "Neema": 3, "Juma": 4, "Baraka": 4, "Ali": 2},
        ),
        # A game that counts for nothing is nobody's first.
        (
            [{"bare": "void"}, {"order": [0, 3, 1, 2]}, {"order": [3, 0, 1, 2]}],
            {"Asha": 2, "Neema": 3, "Juma": 4, "Baraka": 4, "Ali": 1},
        ),
    ],
)
def test_the_place_of_the_latest_game_is_ones_own(
    sheets: list[dict[str, object]], latest: dict[str, int]
) -> None:
    table = make.sitting(*FOUR, at=make.tournament("dalmuti", "4i"))
    make.report(table, {"order": [0, 1, 2, 3]})
    takes_over(table, "Ali", 3)
    for sheet in sheets:
        make.report(table, sheet)

    assert {str(row.entrant): row.amount for row in Tally.objects.filter(key="latest")} == latest
    assert act.is_as_its_sheets_say(table)
