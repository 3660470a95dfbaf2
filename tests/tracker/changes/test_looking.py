"""What a change would move is what it does move; looked at, it moves nothing."""

from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries

from games.errors import RuleError
from tests import make
from tracker.changes.queries.effect import Effect
from tracker.changes.queries.picture import picture
from tracker.changes.services.looking import look
from tracker.models import (
    CarryOver,
    Hand,
    Issue,
    LogEntry,
    Report,
    RoundState,
    Season,
    Seat,
    SeatTally,
    Sitting,
    Tally,
    Tournament,
)
from tracker.reports.services.corrections import correct_sitting
from tracker.seating.services.mistakes import Reach
from tracker.seating.services.replacing import replace_player
from tracker.seating.services.seats import exchange

pytestmark = pytest.mark.django_db
SEVENTY_FIFTY = {"eaten": [70, 50]}
FIFTY_SEVENTY = {"eaten": [50, 70]}


def four(**more: Any) -> Sitting:
    return make.sitting("Asha", "Neema", "Juma", "Baraka", **more)


def three_hands(**more: Any) -> Sitting:
    """Asha & Juma win hands 1 and 3, Neema & Baraka hand 2."""
    sitting = four(**more)
    for sheet in (SEVENTY_FIFTY, FIFTY_SEVENTY, SEVENTY_FIFTY):
        make.report(sitting, sheet)
    return sitting


def everything() -> list[list[Any]]:
    models = (Report, Hand, Issue, Seat, SeatTally, Tally, LogEntry, Sitting)
    return [[*model.objects.order_by("pk").values_list()] for model in models]


def correction(sitting: Sitting, changes: dict[int, Any]) -> Effect:
    before = everything()
    moves = look(
        lambda: correct_sitting(sitting_id=sitting.pk, changes=changes, reason="", by=make.actor()),
        tournament_id=sitting.round.tournament_id,
        sittings=[sitting.pk],
    )
    assert everything() == before
    return moves


def places(moves: Effect) -> dict[str, tuple[str, str]]:
    return {row.name: (row.place.before, row.place.after) for row in moves.standing}


def test_a_correction_says_what_becomes_of_the_hand_of_points_and_of_later_hands() -> None:
    moves = correction(three_hands(), {2: SEVENTY_FIFTY})

    assert [(move.what, move.before, move.after) for move in moves.hands] == [
        (
            "Hand 2, table 1, round 1",
            "50–70, Neema & Baraka win · 1 point",
            "70–50, Asha & Juma win · 1 point",
        )
    ]
    assert {row.name: (row.points.before, row.points.after) for row in moves.standing} == {
        "Asha": ("2", "3"),
        "Juma": ("2", "3"),
        "Neema": ("1", "0"),
        "Baraka": ("1", "0"),
    }
    # Neema dealt hand 3: now Asha or Juma was due.
    assert moves.cautions == ("Hand 3, table 1, round 1",)
    assert (moves.seats, moves.rounds_after, moves.in_season) == ((), (), ())


def test_places_that_change_and_rounds_seated_since_are_named() -> None:
    sitting = three_hands()
    make.round_of(sitting.round.tournament)
    make.round_of(sitting.round.tournament, state=RoundState.UNDONE)

    moves = correction(sitting, {1: {"eaten": [5, 115]}, 3: {"eaten": [60, 60]}})

    assert places(moves) == {
        "Asha": ("1", "3"),
        "Juma": ("1", "3"),
        "Neema": ("3", "1"),
        "Baraka": ("3", "1"),
    }
    assert moves.rounds_after == (2,)


def test_who_deals_next_is_named_where_it_is_played() -> None:
    sitting = three_hands()  # after which Asha deals
    seats = [seat.pk for seat in sitting.seats.order_by("place")[:2]]

    moves = look(
        lambda: exchange(seats=(seats[0], seats[1]), by=make.actor()),
        tournament_id=sitting.round.tournament_id,
    )

    assert [(move.what, move.before, move.after) for move in moves.deals] == [
        ("Table 1, round 1", "Asha", "Neema")
    ]


def test_tables_at_which_others_dealt_longest_ago_are_named() -> None:
    first = three_hands()
    type(first.round).objects.update(state=RoundState.CLOSED)
    four(at=first.round.tournament, dealt_before=[-3, -1, -2, None])
    seats = [seat.pk for seat in first.seats.order_by("place")[:2]]

    moves = look(
        lambda: exchange(seats=(seats[0], seats[1]), by=make.actor()),
        tournament_id=first.round.tournament_id,
    )

    assert [(move.what, move.before, move.after) for move in moves.seats] == [
        ("Table 1, round 1", "Asha", "Neema"),
        ("Table 1, round 1", "Neema", "Asha"),
    ]
    assert moves.remembered == ("Table 1, round 2",)


def test_whoever_comes_for_somebody_stands_beside_who_is_gone() -> None:
    sitting = three_hands()
    amina = make.player("Amina", club=sitting.round.tournament.club)

    moves = look(
        lambda: replace_player(
            seat_id=sitting.seats.get(place=0).pk,
            player_id=amina.pk,
            reach=Reach.TOURNAMENT,
            by=make.actor(),
        ),
        tournament_id=sitting.round.tournament_id,
    )

    assert places(moves) == {"Amina": ("–", "1"), "Asha": ("1", "–")}


@pytest.fixture
def qualifying() -> Sitting:
    """Seat four of whom Asha & Juma lead the final by what they carry over from here."""
    sitting = three_hands(at=make.tournament(hands=3, name="Qualifying"))
    first = sitting.round.tournament
    final = stage_after(first, "Final", CarryOver.ALL)
    four(at=final)
    four(at=stage_after(first, "Consolation", CarryOver.NOTHING))
    stage_after(stage_after(final, "Last table", CarryOver.HALF), "Gala", CarryOver.NOTHING)
    return sitting


def stage_after(before: Tournament, name: str, carried: CarryOver) -> Tournament:
    return make.tournament(
        hands=2, club=before.club, name=name, follows=before, carry_over=carried, stage=name
    )


def test_stages_to_which_points_are_carried_over_move_with_it(qualifying: Sitting) -> None:
    moves = correction(qualifying, {1: {"eaten": [5, 115]}})

    [final] = moves.stages
    assert final.name == "Final"
    assert {row.name: (row.points.before, row.points.after) for row in final.rows} == {
        row.name: (row.points.before, row.points.after) for row in moves.standing
    }
    assert {row.name: (row.place.before, row.place.after) for row in final.rows} == places(moves)


def test_stages_in_which_nobody_moves_are_not_named(qualifying: Sitting) -> None:
    assert correction(qualifying, {2: {"eaten": [55, 65]}}).stages == ()


@pytest.mark.parametrize("tables", [1, 3])
def test_stages_cost_the_same_however_many_tables(
    qualifying: Sitting, tables: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    final = Tournament.objects.get(name="Final")
    for table in range(1, tables):
        make.sitting(*(f"{name} {table}" for name in "ABCD"), at=final)

    with django_assert_num_queries(26):  # two stages carry over: eight more each
        picture(qualifying.round.tournament_id)


def test_the_season_moves_with_a_tournament_that_is_official() -> None:
    sitting = three_hands()
    tournament = sitting.round.tournament
    tournament.season = Season.objects.create(club=tournament.club, name="Season 2026")
    tournament.save()
    assert correction(sitting, {3: FIFTY_SEVENTY}).in_season == ()
    tournament.official_at = make.NOON
    tournament.save()

    moves = correction(sitting, {3: FIFTY_SEVENTY})

    assert moves.season == "Season 2026"
    moved = {row.name: (row.points.before, row.points.after) for row in moves.in_season}
    assert moved == {
        "Asha": ("83.3", "16.7"),
        "Juma": ("83.3", "16.7"),
        "Neema": ("16.7", "83.3"),
        "Baraka": ("16.7", "83.3"),
    }


def test_what_is_refused_is_refused_when_it_is_looked_at() -> None:
    sitting = three_hands()
    before = everything()

    with pytest.raises(RuleError):
        correction(sitting, {2: {"eaten": [70, 48]}})

    assert everything() == before


def test_nothing_is_said_to_move_where_nothing_does() -> None:
    sitting = three_hands()

    assert correction(sitting, {2: FIFTY_SEVENTY}).nothing
