"""A wrong person who was entered is replaced by the right one, for what was played already."""

from typing import Any

import pytest

from tests import act, make
from tests.reading import lacks, path, shows
from tests.tracker.seating.seats import FOUR, OTHERS, alone, entrants, play, player, points, stints
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
    Tournament,
)
from tracker.people.services.merging import merge_players
from tracker.seating.services.player_replacement import Reach, replace_player
from tracker.seating.services.rounds import restore_round, undo_round
from tracker.seating.services.seat_swaps import substitute
from tracker.standings.queries.standings import published_places, standings
from tracker.tables.entrant_replacement import entrants_in

pytestmark = pytest.mark.django_db

RIGHT = ["Amina", "Baraka", "Juma", "Neema"]
EVERYWHERE: dict[str, Any] = {"reach": Reach.TOURNAMENT}


def replaced(sitting: Sitting, wrong: str, right: str, **more: Any) -> LogEntry:
    seat = sitting.seats.filter(player__name=wrong).order_by("from_hand").first()
    assert seat
    return replace_player(
        seat_id=seat.pk, player_id=player(right, sitting), by=make.actor(), **more
    )


def replaced_whole(sitting: Sitting, **more: Any) -> None:
    """Replace Asha by Amina, after which nothing says that Asha was there."""
    replaced(sitting, "Asha", "Amina", **more)
    assert entrants() == RIGHT
    assert act.is_as_its_sheets_say(sitting)


def played(*names: str, hands: int = 1, **more: Any) -> Sitting:
    return play(make.sitting(*(names or FOUR), **more), hands)


def closed(sitting: Sitting) -> Sitting:
    act.close(sitting.round, anyway=True)
    return sitting


def two_rounds(**more: Any) -> tuple[Sitting, Sitting]:
    """Return two tables of the same four, of two rounds; the first round is closed."""
    first = closed(played(at=make.tournament(**more)))
    return first, played(at=first.round.tournament)


def ali_for_asha(sitting: Sitting) -> None:
    """Let Ali take over from Asha, and play a hand."""
    seat = sitting.seats.get(player__name="Asha")
    substitute(seat_id=seat.pk, player_id=player("Ali", sitting), by=make.actor())
    play(sitting)


# In a round


def test_the_right_one_has_all_that_the_wrong_one_had_and_can_be_replaced_again() -> None:
    sitting = played(hands=2)
    Entrant.objects.filter(player__name="Asha").update(seed=3)
    before = (points(), entrants())
    entry = replaced(sitting, "Asha", "Amina", reason="Misheard")

    assert stints(sitting) == [alone("Amina", 1)]
    assert points() == {"Amina": 2, "Juma": 2}
    assert entrants() == RIGHT
    assert Entrant.objects.get(player__name="Amina").seed == 3
    assert (entry.verb, entry.reason) == ("player-replaced", "Misheard")
    for when, name in (("before", "Asha"), ("after", "Amina")):
        [logged] = entry.numbers[when]
        assert logged[:3] == [sitting.pk, 0, player(name, sitting)]
    assert act.is_as_its_sheets_say(sitting)
    replaced(sitting, "Amina", "Asha")
    assert (points(), entrants()) == before
    assert act.is_as_its_sheets_say(sitting)


def test_what_the_wrong_one_played_in_other_rounds_stays() -> None:
    first, second = two_rounds()
    replaced(first, "Asha", "Amina")

    assert (stints(first), stints(second)) == ([alone("Amina", 1)], [alone("Asha", 1)])
    assert points() == {"Amina": 1, "Asha": 1, "Juma": 2}
    assert act.is_as_its_sheets_say(first)


def test_awards_of_the_round_go_along_and_others_keep_the_wrong_one_entered() -> None:
    sitting = played()
    asha = Entrant.objects.get(player__name="Asha")
    for of_round in (sitting.round, None):
        make.award(asha, 1, AwardKind.PENALTY, round=of_round)
    replaced(sitting, "Asha", "Amina")

    given = Award.objects.order_by("pk").values_list("entrant__player__name", flat=True)
    assert list(given) == ["Amina", "Asha"]
    assert "Asha" in entrants()


@pytest.mark.parametrize("twice", [False, True], ids=["a rest of the round", "entered twice"])
def test_nobody_is_credited_for_a_rest_in_a_round_that_they_played(*, twice: bool) -> None:
    first = played(at=make.tournament(hands=1))
    rests, of = "Amina", first.round
    if twice:  # in the second round Amina plays, and Asha, who is the same, rests
        act.close(first.round)
        rests, of = "Asha", played("Amina", *FOUR[1:], at=first.round.tournament).round
    (resting,) = act.enter(of.tournament, rests)
    Rest.objects.create(round=of, entrant=resting)
    act.close(of)
    assert Award.objects.get().withdrawn_at is None
    replaced(first, "Asha", "Amina", **(EVERYWHERE if twice else {}))

    assert Award.objects.get().withdrawn_at is not None


def test_who_played_on_for_the_wrong_one_did_so_for_the_right_one() -> None:
    sitting = played(hands=2, at=make.tournament(substitution="absent"))
    ali_for_asha(sitting)
    replaced_whole(sitting)

    assert stints(sitting) == [alone("Amina", 1, 2), ("Ali", "Amina", 3, None)]
    assert points() == {"Amina": 3, "Juma": 3}


def test_for_a_team_the_right_one_plays_for_the_team() -> None:
    sitting = played(at=make.tournament(teams=True))
    replaced(sitting, "Asha", "Amina")

    assert stints(sitting) == [("Amina", "Asha & Juma", 1, None)]
    assert entrants() == ["Asha & Juma", "Neema & Baraka"]
    assert act.is_as_its_sheets_say(sitting)


# Some hands of a seat


@pytest.mark.parametrize(
    ("more", "first", "then", "sums"),
    [
        ({}, "Asha", "Ali", {"Asha": 3, "Ali": 2, "Juma": 5}),
        ({"teams": True}, "Asha & Juma", "Asha & Juma", {"Asha & Juma": 5}),
        ({"substitution": "absent"}, "Asha", "Asha", {"Asha": 5, "Juma": 5}),
    ],
)
def test_somebody_took_over_and_nobody_said_so(
    more: dict[str, Any], first: str, then: str, sums: dict[str, int]
) -> None:
    sitting = played(hands=5, at=make.tournament(**more))
    replaced(sitting, "Asha", "Ali", reach=Reach.HANDS, from_hand=4)

    assert stints(sitting) == [("Asha", first, 1, 3), ("Ali", then, 4, None)]
    assert points() == sums
    assert act.is_as_its_sheets_say(sitting)


def test_whoever_took_over_had_been_there_from_the_first_hand() -> None:
    sitting = played(hands=2)
    ali_for_asha(sitting)
    replaced(sitting, "Asha", "Ali", reach=Reach.HANDS)

    assert stints(sitting) == [alone("Ali", 1)]
    assert points() == {"Ali": 3, "Juma": 3}
    assert "Asha" not in entrants()
    assert act.is_as_its_sheets_say(sitting)


# In all rounds


def test_somebody_was_never_here_and_what_was_published_stays_as_it_was() -> None:
    first, second = two_rounds()
    asha = Entrant.objects.get(player__name="Asha")
    before = Round.objects.get(pk=first.round_id).published_standing
    replaced_whole(second, **EVERYWHERE)

    assert stints(first) == stints(second) == [alone("Amina", 1)]
    assert Entrant.objects.get(player__name="Amina") == asha  # plans and what was published name it
    assert points() == {"Amina": 2, "Juma": 2}
    round_ = Round.objects.get(pk=first.round_id)
    assert round_.published_standing == before
    rows = {row.name: row for row in standings(round_.tournament, upto=round_).rows}
    assert rows["Amina"].published == published_places(round_)[rows["Amina"].entrant]


def test_who_was_entered_twice_under_two_names_becomes_one() -> None:
    first = closed(played(hands=2))
    second = played("Amina", *FOUR[1:], at=first.round.tournament)
    Rest.objects.create(round=second.round, entrant=Entrant.objects.get(player__name="Asha"))
    replaced_whole(first, **EVERYWHERE)

    assert points() == {"Amina": 3, "Juma": 3}
    assert str(Rest.objects.get().entrant) == "Amina"


def test_who_played_for_the_absent_wrong_one_did_so_for_the_right_one() -> None:
    first = closed(played(at=make.tournament(substitution="absent")))
    second = make.sitting(*FOUR, at=first.round.tournament)
    ali_for_asha(second)  # she had gone before: Ali alone was there for her
    act.enter(first.round.tournament, "Amina")
    replaced_whole(first, **EVERYWHERE)

    assert stints(second) == [("Ali", "Amina", 1, None)]
    assert points() == {"Amina": 2, "Juma": 2}


def test_the_wrong_ones_evening_was_the_right_ones() -> None:
    first, second = two_rounds()
    night = make.night(first.round.tournament.club)
    Round.objects.update(night=night)
    asha = player("Asha", first)
    Attendance.objects.create(player_id=asha, night=night, since=make.NOON)
    replaced(first, "Asha", "Amina", **EVERYWHERE)

    assert str(Attendance.objects.get().player) == "Amina"
    replaced(second, "Amina", "Asha", **EVERYWHERE)
    assert str(Attendance.objects.get().player) == "Asha"


def test_a_round_taken_back_comes_back_with_the_right_one() -> None:
    first, second = two_rounds()
    undo_round(round_id=second.round_id, by=make.actor())
    replaced(first, "Asha", "Amina", **EVERYWHERE)
    restore_round(round_id=second.round_id, by=make.actor())

    assert stints(second) == [alone("Amina", 1)]
    assert points() == {"Amina": 2, "Juma": 2}
    assert act.is_as_its_sheets_say(first)


def test_where_both_sat_in_a_round_taken_back_it_stays_as_it_was() -> None:
    first = closed(played())
    second = played("Asha", "Amina", at=first.round.tournament)
    undo_round(round_id=second.round_id, by=make.actor())
    replaced(first, "Asha", "Amina", **EVERYWHERE)

    assert stints(second)[0][:2] == ("Asha", "Asha")
    assert Entrant.objects.get(player__name="Asha").withdrawn_at is not None
    assert act.is_as_its_sheets_say(first)


# What was drawn


def drawn(*names: str) -> Tournament:
    """Return a tournament of these people, with round 1 opened as it was drawn, and round 2 drawn."""
    tournament = make.tournament(hands=2)
    people = [entrant.pk for entrant in act.enter(tournament, *names)]
    act.draw(tournament, 3, entrants=people, rounds=2)
    act.open_drawn(tournament, 3)
    return tournament


def test_what_was_drawn_names_the_right_one() -> None:
    tournament = drawn(*FOUR, *OTHERS)
    wrong = Seat.objects.get(player__name="Asha")
    amina = make.player("Amina", club=tournament.club)
    replace_player(seat_id=wrong.pk, player_id=amina.pk, by=make.actor())

    heir = Entrant.objects.get(player=amina).pk
    for saved in (Round.objects.get().seating_plan["seating"], Draw.objects.get().plan):
        assert heir in entrants_in(saved)
        assert wrong.entrant_id not in entrants_in(saved)
    organiser = act.sign_in(Role.ORGANISER, tournament)
    why = organiser.get(path("why", tournament, 1))
    shows(why, "Amina")
    lacks(why, "Asha")
    shows(organiser.get(path("draw", tournament)), "Amina")


def test_a_draw_in_which_both_were_to_be_goes() -> None:
    tournament = drawn(*FOUR, *OTHERS, "Amina")
    rests = Rest.objects.get().entrant
    wrong = Seat.objects.exclude(entrant=rests)[0]
    assert rests.player_id
    replace_player(seat_id=wrong.pk, player_id=rests.player_id, by=make.actor(), **EVERYWHERE)

    assert not tournament.draws.exists()


# What is refused


def refusal_of(sitting: Sitting, right: int, **more: Any) -> tuple[str, str]:
    """Return the code and the sentence with which it is refused; everything stays as it was."""
    seat = sitting.seats.filter(place=0).order_by("from_hand")[0]
    before = (list(sitting.seats.values_list()), entrants(), points())
    with pytest.raises(Refused) as refusal:
        replace_player(seat_id=seat.pk, player_id=right, by=make.actor(), **more)
    assert (list(sitting.seats.values_list()), entrants(), points()) == before
    return refusal.value.code, str(refusal.value)


def test_the_right_one_is_another_player_of_the_club_who_sits_nowhere_else() -> None:
    sitting = played(hands=2)
    make.sitting("Amina", in_round=sitting.round)
    make.sitting("Zuri", at=make.tournament(club=sitting.round.tournament.club, name="Other"))
    stranger = make.player("Amina", club=make.club("Kariakoo")).pk
    gone, erased = player("Gone", sitting), player("Erased", sitting)
    merge_players(player_id=gone, into_id=player("Omari", sitting), by=make.actor())
    Player.objects.filter(pk=erased).update(erased_at=make.NOON)

    for reach in Reach:
        for name, table in (("Juma", 1), ("Amina", 2)):
            says = f"{name} sits at table {table} in round 1. Swap the two instead."
            refused = refusal_of(sitting, player(name, sitting), reach=reach)
            assert refused == ("sits-elsewhere", says)
    assert refusal_of(sitting, player("Zuri", sitting))[0] == "seated-already"
    for somebody in (stranger, gone, erased, 10**9):
        assert refusal_of(sitting, somebody)[0] == "player-unknown"
    assert refusal_of(sitting, player("Asha", sitting))[0] == "same-player"
    # Nobody is replaced in what was not played, or counts for nothing.
    ali = player("Ali", sitting)
    assert refusal_of(sitting, ali, reach=Reach.HANDS, from_hand=3)[0] == "hand-unknown"
    Round.objects.update(state=RoundState.UNDONE)
    assert refusal_of(sitting, ali)[0] == "round-undone"


def test_who_is_replaced_and_comes_back_keeps_the_lot() -> None:
    tournament = make.tournament(tie_breaks=["lots"], lots_seed=7)
    sitting = played(*FOUR, at=tournament)
    uid = tournament.entrants.get(player__name="Asha").uid
    replaced(sitting, "Asha", "Amina", reach=Reach.ROUND)
    replaced(sitting, "Amina", "Asha", reach=Reach.ROUND)

    assert tournament.entrants.get(player__name="Asha").uid == uid
    assert tournament.entrants.get(player__name="Amina").withdrawn_at
