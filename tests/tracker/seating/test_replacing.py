"""A wrong person who was entered is replaced by the right one, for what was played already."""

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests import make
from tracker.common.errors import Refused
from tracker.models import (
    Attendance,
    Award,
    AwardKind,
    Draw,
    Entrant,
    LogEntry,
    Player,
    Rest,
    Role,
    Round,
    RoundState,
    Seat,
    Sitting,
    Tally,
    Tournament,
)
from tracker.nights.services.closing import close_round
from tracker.people.services.merging import merge_players
from tracker.results.services.recount import recount
from tracker.seating.services.draws import draw_rounds
from tracker.seating.services.player_replacement import Reach, replace_player
from tracker.seating.services.round_opening import open_draw
from tracker.seating.services.rounds import restore_round, undo_round
from tracker.seating.services.seat_swaps import substitute
from tracker.standings.queries.standings import published_places, standings
from tracker.tables.entrant_replacement import entrants_in

pytestmark = pytest.mark.django_db
FOUR = ("Asha", "Neema", "Juma", "Baraka")
WON = {"eaten": [70, 50]}


def player(name: str, sitting: Sitting) -> Player:
    return make.player(name, club=sitting.round.tournament.club)


def replaced(sitting: Sitting, wrong: str, right: str, **more: Any) -> LogEntry:
    seat = sitting.seats.filter(player__name=wrong).order_by("from_hand").first()
    assert seat
    return replace_player(
        seat_id=seat.pk, player_id=player(right, sitting).pk, by=make.actor(), **more
    )


def stints(sitting: Sitting, place: int = 0) -> list[tuple[str, str, int, int | None]]:
    seats = sitting.seats.filter(place=place).order_by("from_hand")
    return [(str(each.player), str(each.entrant), each.from_hand, each.to_hand) for each in seats]


def points() -> dict[str, int]:
    rows = Tally.objects.filter(key="victory_points").exclude(amount=0)
    return {str(row.entrant): row.amount for row in rows}


def entrants() -> list[str]:
    return sorted(map(str, Entrant.objects.select_related("player", "team")))


def check_sums(sitting: Sitting) -> None:
    counted = recount(tournament_id=sitting.round.tournament_id, by=make.actor())
    assert list(map(str, counted.findings)) == []


def played(*names: str, hands: int = 1, **more: Any) -> Sitting:
    sitting = make.sitting(*(names or FOUR), **more)
    for _ in range(hands):
        make.report(sitting, WON)
    return sitting


def two_rounds(**more: Any) -> tuple[Sitting, Sitting]:
    """Return two tables of the same four, of two rounds; the first round is closed."""
    first = played(at=make.tournament(**more))
    close_round(round_id=first.round_id, anyway=True, by=make.actor())
    return first, played(at=first.round.tournament)


# In a round


def test_the_right_one_has_all_that_the_wrong_one_had() -> None:
    sitting = played(hands=2)

    entry = replaced(sitting, "Asha", "Amina", reason="Misheard")

    assert stints(sitting) == [("Amina", "Amina", 1, None)]
    assert points() == {"Amina": 2, "Juma": 2}
    assert entrants() == ["Amina", "Baraka", "Juma", "Neema"]
    assert (entry.verb, entry.reason) == ("player-replaced", "Misheard")
    [before], [after] = entry.numbers["before"], entry.numbers["after"]
    assert (before[:2], after[:2]) == ([sitting.pk, 0], [sitting.pk, 0])
    assert before[2] == player("Asha", sitting).pk
    assert after[2] == player("Amina", sitting).pk
    check_sums(sitting)


def test_what_the_wrong_one_played_in_other_rounds_stays() -> None:
    first, second = two_rounds()

    replaced(first, "Asha", "Amina")

    assert stints(first) == [("Amina", "Amina", 1, None)]
    assert stints(second) == [("Asha", "Asha", 1, None)]
    assert points() == {"Amina": 1, "Asha": 1, "Juma": 2}
    check_sums(first)


def test_whoever_replaced_can_be_replaced_again() -> None:
    sitting = played()
    before = (points(), entrants())

    replaced(sitting, "Asha", "Amina")
    replaced(sitting, "Amina", "Asha")

    assert (points(), entrants()) == before
    check_sums(sitting)


def test_awards_of_the_round_go_along_and_others_keep_the_wrong_one_entered() -> None:
    sitting = played()
    asha = Entrant.objects.get(player__name="Asha")
    for of_round in (sitting.round, None):
        Award.objects.create(
            tournament=sitting.round.tournament,
            entrant=asha,
            round=of_round,
            kind=AwardKind.PENALTY,
            amount=1,
            reason="Late",
        )

    replaced(sitting, "Asha", "Amina")

    given = Award.objects.order_by("pk").values_list("entrant__player__name", flat=True)
    assert list(given) == ["Amina", "Asha"]
    assert "Asha" in entrants()


def test_nobody_is_credited_for_a_rest_in_a_round_that_they_played() -> None:
    sitting = played(at=make.tournament(hands=1))
    amina = make.entrant(player("Amina", sitting), at=sitting.round.tournament)
    Rest.objects.create(round=sitting.round, entrant=amina)
    close_round(round_id=sitting.round_id, by=make.actor())
    assert Award.objects.get().withdrawn_at is None

    replaced(sitting, "Asha", "Amina")

    assert Award.objects.get().withdrawn_at is not None


def test_of_one_who_was_entered_twice_no_rest_is_credited_where_they_played() -> None:
    first = played(at=make.tournament(hands=1))
    close_round(round_id=first.round_id, by=make.actor())
    second = played("Amina", "Neema", "Juma", "Baraka", at=first.round.tournament)
    asha = Entrant.objects.get(player__name="Asha")
    Rest.objects.create(round=second.round, entrant=asha)
    close_round(round_id=second.round_id, by=make.actor())
    assert Award.objects.get().withdrawn_at is None

    replaced(first, "Asha", "Amina", reach=Reach.TOURNAMENT)

    assert Award.objects.get().withdrawn_at is not None


def test_the_seed_goes_along() -> None:
    sitting = played()
    Entrant.objects.filter(player__name="Asha").update(seed=3)

    replaced(sitting, "Asha", "Amina")

    assert Entrant.objects.get(player__name="Amina").seed == 3


# Some hands of a seat


def test_somebody_took_over_and_nobody_said_so() -> None:
    sitting = played(hands=5)

    replaced(sitting, "Asha", "Ali", reach=Reach.HANDS, from_hand=4)

    assert stints(sitting) == [("Asha", "Asha", 1, 3), ("Ali", "Ali", 4, None)]
    assert points() == {"Asha": 3, "Ali": 2, "Juma": 5}
    check_sums(sitting)


def test_whoever_took_over_had_been_there_from_the_first_hand() -> None:
    sitting = played(hands=2)
    ali = player("Ali", sitting)
    substitute(seat_id=sitting.seats.get(place=0).pk, player_id=ali.pk, by=make.actor())
    make.report(sitting, WON)

    replaced(sitting, "Asha", "Ali", reach=Reach.HANDS)

    assert stints(sitting) == [("Ali", "Ali", 1, None)]
    assert points() == {"Ali": 3, "Juma": 3}
    assert "Asha" not in entrants()
    check_sums(sitting)


@pytest.mark.parametrize(
    ("more", "entrant"), [({"teams": True}, "Asha & Juma"), ({"substitution": "absent"}, "Asha")]
)
def test_whoever_took_over_plays_for_those_they_replaced(
    more: dict[str, Any], entrant: str
) -> None:
    sitting = played(hands=5, at=make.tournament(**more))

    replaced(sitting, "Asha", "Ali", reach=Reach.HANDS, from_hand=4)

    assert stints(sitting) == [("Asha", entrant, 1, 3), ("Ali", entrant, 4, None)]
    assert points()[entrant] == 5
    check_sums(sitting)


def test_who_played_on_for_the_wrong_one_did_so_for_the_right_one() -> None:
    sitting = played(hands=2, at=make.tournament(substitution="absent"))
    ali = player("Ali", sitting)
    substitute(seat_id=sitting.seats.get(place=0).pk, player_id=ali.pk, by=make.actor())
    make.report(sitting, WON)

    replaced(sitting, "Asha", "Amina")

    assert stints(sitting) == [("Amina", "Amina", 1, 2), ("Ali", "Amina", 3, None)]
    assert points() == {"Amina": 3, "Juma": 3}
    assert entrants() == ["Amina", "Baraka", "Juma", "Neema"]
    check_sums(sitting)


def test_for_a_team_the_right_one_plays_for_the_team() -> None:
    sitting = played(at=make.tournament(teams=True))

    replaced(sitting, "Asha", "Amina")

    assert stints(sitting) == [("Amina", "Asha & Juma", 1, None)]
    assert entrants() == ["Asha & Juma", "Neema & Baraka"]
    check_sums(sitting)


# In all rounds


def test_somebody_was_never_here() -> None:
    first, second = two_rounds()
    asha = Entrant.objects.get(player__name="Asha")

    replaced(second, "Asha", "Amina", reach=Reach.TOURNAMENT)

    assert stints(first) == stints(second) == [("Amina", "Amina", 1, None)]
    assert Entrant.objects.get(player__name="Amina") == asha  # plans and what was published name it
    assert points() == {"Amina": 2, "Juma": 2}
    check_sums(first)


def test_what_was_published_stays_as_it_was() -> None:
    first, second = two_rounds()
    before = Round.objects.get(pk=first.round_id).published_standing

    replaced(second, "Asha", "Amina", reach=Reach.TOURNAMENT)

    round_ = Round.objects.get(pk=first.round_id)
    assert round_.published_standing == before
    rows = {row.name: row for row in standings(round_.tournament, upto=round_).rows}
    assert rows["Amina"].published == published_places(round_)[rows["Amina"].entrant]


def test_who_was_entered_twice_under_two_names_becomes_one() -> None:
    first = played(hands=2)
    close_round(round_id=first.round_id, anyway=True, by=make.actor())
    second = played("Amina", "Neema", "Juma", "Baraka", at=first.round.tournament)
    Rest.objects.create(round=second.round, entrant=Entrant.objects.get(player__name="Asha"))

    replaced(first, "Asha", "Amina", reach=Reach.TOURNAMENT)

    assert points() == {"Amina": 3, "Juma": 3}
    assert entrants() == ["Amina", "Baraka", "Juma", "Neema"]
    assert str(Rest.objects.get().entrant) == "Amina"
    check_sums(first)


def test_who_played_for_the_absent_wrong_one_did_so_for_the_right_one() -> None:
    tournament = make.tournament(substitution="absent")
    first = played(at=tournament)
    close_round(round_id=first.round_id, anyway=True, by=make.actor())
    second = make.sitting(*FOUR, at=tournament)
    ali = player("Ali", first)
    substitute(seat_id=second.seats.get(place=0).pk, player_id=ali.pk, by=make.actor())
    make.report(second, WON)  # before it Asha had gone: Ali alone was there for her
    make.entrant(player("Amina", first), at=tournament)

    replaced(first, "Asha", "Amina", reach=Reach.TOURNAMENT)

    assert stints(second) == [("Ali", "Amina", 1, None)]
    assert points() == {"Amina": 2, "Juma": 2}
    assert entrants() == ["Amina", "Baraka", "Juma", "Neema"]
    check_sums(first)


def test_the_wrong_ones_evening_was_the_right_ones() -> None:
    first, second = two_rounds()
    night = make.night(first.round.tournament.club)
    Round.objects.update(night=night)
    stays = {"night": night, "since": make.NOON}
    Attendance.objects.create(player=player("Asha", first), **stays)

    replaced(first, "Asha", "Amina", reach=Reach.TOURNAMENT)

    assert str(Attendance.objects.get().player) == "Amina"
    replaced(second, "Amina", "Asha", reach=Reach.TOURNAMENT)
    assert str(Attendance.objects.get().player) == "Asha"


def test_a_round_taken_back_comes_back_with_the_right_one() -> None:
    first, second = two_rounds()
    undo_round(round_id=second.round_id, by=make.actor())

    replaced(first, "Asha", "Amina", reach=Reach.TOURNAMENT)
    restore_round(round_id=second.round_id, by=make.actor())

    assert stints(second) == [("Amina", "Amina", 1, None)]
    assert points() == {"Amina": 2, "Juma": 2}
    check_sums(first)


def test_where_both_sat_in_a_round_taken_back_it_stays_as_it_was() -> None:
    first = played()
    close_round(round_id=first.round_id, anyway=True, by=make.actor())
    second = played("Asha", "Amina", at=first.round.tournament)
    undo_round(round_id=second.round_id, by=make.actor())

    replaced(first, "Asha", "Amina", reach=Reach.TOURNAMENT)

    assert stints(second)[0][:2] == ("Asha", "Asha")
    assert Entrant.objects.get(player__name="Asha").withdrawn_at is not None
    check_sums(first)


# What was drawn


def drawn(names: Sequence[str]) -> Tournament:
    """Return a tournament of these people, with round 1 opened as it was drawn, and round 2 drawn."""
    tournament = make.tournament(hands=2)
    people = [
        make.entrant(make.player(name, club=tournament.club), at=tournament) for name in names
    ]
    entrants = [each.pk for each in people]
    draw_rounds(
        tournament_id=tournament.pk, entrants=entrants, rounds=2, by=make.actor(), rng=Random(3)
    )
    open_draw(tournament_id=tournament.pk, by=make.actor(), rng=Random(3))
    return tournament


def test_what_was_drawn_names_the_right_one(client: Client) -> None:
    tournament = drawn([*FOUR, "Ali", "Zawadi", "Omari", "Rehema"])
    wrong = Seat.objects.get(player__name="Asha")
    amina = make.player("Amina", club=tournament.club)
    gone = wrong.entrant_id

    replace_player(seat_id=wrong.pk, player_id=amina.pk, by=make.actor())

    heir = Entrant.objects.get(player=amina).pk
    plan, draw = Round.objects.get().seating_plan, Draw.objects.get()
    for saved in (plan["seating"], draw.plan):
        assert heir in entrants_in(saved)
        assert gone not in entrants_in(saved)
    client.force_login(make.user(role=Role.ORGANISER, club=tournament.club))
    why = client.get(reverse("why", args=[tournament.pk, 1]))
    assert "Amina" in why.text
    assert "Asha" not in why.text
    assert "Amina" in client.get(reverse("draw", args=[tournament.pk])).text


def test_a_draw_in_which_both_were_to_be_goes() -> None:
    tournament = drawn([*FOUR, "Ali", "Zawadi", "Omari", "Rehema", "Amina"])
    rests = Rest.objects.get().entrant
    wrong = Seat.objects.exclude(entrant=rests).first()
    assert wrong
    assert rests.player_id

    replace_player(
        seat_id=wrong.pk, player_id=rests.player_id, reach=Reach.TOURNAMENT, by=make.actor()
    )

    assert not tournament.draws.exists()


# What is refused


def refusal_of(sitting: Sitting, right: int, **more: Any) -> Refused:
    seat = sitting.seats.filter(place=0).order_by("from_hand").first()
    assert seat
    before = (list(sitting.seats.values_list()), entrants(), points())
    with pytest.raises(Refused) as refusal:
        replace_player(seat_id=seat.pk, player_id=right, by=make.actor(), **more)
    assert (list(sitting.seats.values_list()), entrants(), points()) == before
    return refusal.value


@pytest.mark.parametrize("reach", Reach)
def test_the_right_one_cannot_have_sat_at_two_places(reach: Reach) -> None:
    sitting = played()
    other = make.sitting("Amina", in_round=sitting.round)

    for name, table in (("Juma", 1), ("Amina", other.number)):
        refusal = refusal_of(sitting, player(name, sitting).pk, reach=reach)
        says = f"{name} sits at table {table} in round 1. Swap the two instead."
        assert (refusal.code, str(refusal)) == ("sits-elsewhere", says)


def test_the_right_one_cannot_sit_in_another_running_round() -> None:
    sitting = played()
    make.sitting("Amina", at=make.tournament(club=sitting.round.tournament.club, name="Other"))

    assert refusal_of(sitting, player("Amina", sitting).pk).code == "seated-already"


def test_the_right_one_is_another_player_of_the_club() -> None:
    sitting = played()
    stranger = make.player("Amina", club=make.club("Kariakoo"))
    gone = player("Gone", sitting)
    merge_players(player_id=gone.pk, into_id=player("Omari", sitting).pk, by=make.actor())
    erased = player("Erased", sitting)
    Player.objects.filter(pk=erased.pk).update(erased_at=make.NOON)

    for somebody in (stranger, gone, erased):
        assert refusal_of(sitting, somebody.pk).code == "player-unknown"
    assert refusal_of(sitting, 10**9).code == "player-unknown"
    assert refusal_of(sitting, player("Asha", sitting).pk).code == "same-player"


def test_nobody_is_replaced_where_it_counts_for_nothing_or_was_not_played() -> None:
    sitting = played(hands=2)
    amina = player("Amina", sitting).pk

    assert refusal_of(sitting, amina, reach=Reach.HANDS, from_hand=3).code == "hand-unknown"
    Round.objects.update(state=RoundState.UNDONE)
    assert refusal_of(sitting, amina).code == "round-undone"
