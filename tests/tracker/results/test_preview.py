"""What a change would move is what it does move; looked at, it moves nothing."""

from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries

from games.errors import RuleError
from tests import make
from tracker.models import (
    CarryOver,
    Confirm,
    Hand,
    Issue,
    LogEntry,
    Movement,
    Report,
    RoundState,
    Season,
    Seat,
    SeatTally,
    Sitting,
    Tally,
    Tournament,
)
from tracker.results.queries.effect import Effect
from tracker.results.queries.snapshot import take_snapshot
from tracker.results.services.corrections import correct_sitting
from tracker.results.services.preview import preview
from tracker.seating.services.player_replacement import Reach, replace_player
from tracker.seating.services.seat_swaps import swap_seats

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
    moves = preview(
        lambda: correct_sitting(sitting_id=sitting.pk, changes=changes, reason="", by=make.actor()),
        tournament_id=sitting.round.tournament_id,
        sittings=[sitting.pk],
    )
    assert everything() == before
    return moves


def said(moves: Effect) -> list[tuple[str, list[tuple[str, str, str]]]]:
    """Return of every hand what becomes of it, and which other answers differ."""
    return [
        (hand.sentence, [(move.what, move.before, move.after) for move in hand.answers])
        for hand in moves.hands
    ]


def figures(moves: Effect) -> dict[str, list[tuple[str, str, str]]]:
    return {
        row.name: [(each.what, each.before, each.after) for each in row.other_changes]
        for row in moves.standing
    }


def places(moves: Effect) -> dict[str, tuple[str, str]]:
    return {row.name: (row.place.before, row.place.after) for row in moves.standing}


def test_people_are_called_as_at_their_table() -> None:
    people = ("Asha Mrisho", "Neema Josephat", "Juma Kapera", "Baraka Ali")
    sitting = make.sitting(*people)
    make.report(sitting, SEVENTY_FIFTY)

    moves = correction(sitting, {1: FIFTY_SEVENTY})

    assert {row.name for row in moves.with_new_points} == {"Asha", "Neema", "Juma", "Baraka"}


def test_teams_are_called_by_the_short_names_of_their_people() -> None:
    people = ("Asha Kito", "Neema Mushi", "Juma Kapera", "Baraka Hassan")
    table = make.sitting(*people, at=make.tournament(teams=True))
    make.report(table, SEVENTY_FIFTY)

    moves = correction(table, {1: FIFTY_SEVENTY})

    assert [row.name for row in moves.standing] == ["Neema & Baraka", "Asha & Juma"]


def test_a_correction_says_what_becomes_of_the_hand_of_points_and_of_later_hands() -> None:
    moves = correction(three_hands(), {2: SEVENTY_FIFTY})

    assert said(moves) == [("Hand 2: 50–70 becomes 70–50; Asha & Juma win · 1 victory point.", [])]
    assert {row.name: (row.points.before, row.points.after) for row in moves.standing} == {
        "Asha": ("2", "3"),
        "Juma": ("2", "3"),
        "Neema": ("1", "0"),
        "Baraka": ("1", "0"),
    }
    # Baraka dealt hand 3: now Asha or Juma was due.
    assert [*moves.cautions] == [
        ("Hand 3, table 1, round 1", "Baraka dealt, but it was Asha’s turn to deal.")
    ]
    assert (moves.seats, moves.rounds_by_standing, moves.season_rows) == ((), (), ())


@pytest.mark.parametrize(
    ("movement", "standing", "results"),
    [
        (Movement.EQUALS, (2,), ()),
        (Movement.SWISS, (2,), ()),
        (Movement.LADDER, (), (2,)),
        (Movement.FEWEST_REPEATS, (), ()),
        (Movement.BY_LOT, (), ()),
    ],
)
def test_places_that_change_and_rounds_seated_by_them_since_are_named(
    movement: Movement, standing: tuple[int, ...], results: tuple[int, ...]
) -> None:
    sitting = three_hands(at=make.tournament(movement=movement))
    make.round_of(sitting.round.tournament)
    make.round_of(sitting.round.tournament, state=RoundState.UNDONE)

    moves = correction(sitting, {1: {"eaten": [5, 115]}, 3: {"eaten": [60, 60]}})

    assert places(moves) == {
        "Asha": ("1", "3"),
        "Juma": ("1", "3"),
        "Neema": ("3", "1"),
        "Baraka": ("3", "1"),
    }
    assert (moves.rounds_by_standing, moves.rounds_by_results) == (standing, results)


def test_a_round_goes_by_the_movement_it_was_opened_with() -> None:
    sitting = three_hands(at=make.tournament(movement=Movement.EQUALS))
    by_lot = {"settings": {"movement": "by_lot"}}
    make.round_of(sitting.round.tournament, seating_plan=by_lot)
    make.round_of(sitting.round.tournament)

    assert correction(sitting, {1: {"eaten": [5, 115]}}).rounds_by_standing == (3,)


def test_who_deals_next_is_named_where_it_is_played() -> None:
    sitting = three_hands()  # after which Asha deals
    seats = [seat.pk for seat in sitting.seats.order_by("place")[:2]]

    moves = preview(
        lambda: swap_seats(seats=(seats[0], seats[1]), by=make.actor()),
        tournament_id=sitting.round.tournament_id,
    )

    assert [(move.what, move.before, move.after) for move in moves.next_dealers] == [
        ("Table 1, round 1", "Asha", "Neema")
    ]


def test_tables_at_which_others_dealt_longest_ago_are_named() -> None:
    first = three_hands()
    type(first.round).objects.update(state=RoundState.CLOSED)
    four(at=first.round.tournament, dealt_before=[-3, -1, -2, None])
    seats = [seat.pk for seat in first.seats.order_by("place")[:2]]

    moves = preview(
        lambda: swap_seats(seats=(seats[0], seats[1]), by=make.actor()),
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

    moves = preview(
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

    [(stage, rows)] = moves.stages
    assert stage == "Final"
    assert {row.name: (row.points.before, row.points.after) for row in rows} == {
        row.name: (row.points.before, row.points.after) for row in moves.standing
    }
    assert {row.name: (row.place.before, row.place.after) for row in rows} == places(moves)


def test_stages_in_which_nobody_moves_are_not_named(qualifying: Sitting) -> None:
    assert correction(qualifying, {2: {"eaten": [55, 65]}}).stages == ()


@pytest.mark.parametrize("tables", [1, 3])
def test_stages_cost_the_same_however_many_tables(
    qualifying: Sitting, tables: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    final = Tournament.objects.get(name="Final")
    for table in range(1, tables):
        make.sitting(*(f"{name} {table}" for name in "ABCD"), at=final)

    with django_assert_num_queries(25):  # two stages carry over: eight more each
        take_snapshot(qualifying.round.tournament_id)


def test_the_season_moves_with_a_tournament_that_is_official() -> None:
    sitting = three_hands()
    tournament = sitting.round.tournament
    tournament.season = Season.objects.create(club=tournament.club, name="Season 2026")
    tournament.save()
    assert correction(sitting, {3: FIFTY_SEVENTY}).season_rows == ()
    tournament.official_at = make.NOON
    tournament.save()

    moves = correction(sitting, {3: FIFTY_SEVENTY})

    assert moves.season == "Season 2026"
    moved = {row.name: (row.points.before, row.points.after) for row in moves.season_rows}
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


def test_an_order_of_which_the_first_stays_is_shown_whole_with_the_columns_it_moves() -> None:
    sitting = four(at=make.tournament("dalmuti", "4i"))
    make.report(sitting, {"order": [2, 0, 1, 3]})

    moves = correction(sitting, {1: {"order": [2, 1, 0, 3]}})

    asked = "In what order did they go out?"
    [(sentence, answers)] = said(moves)
    assert sentence.startswith("Game 1 stays Juma is Dalmuti")
    assert answers == [(asked, "Juma, Asha, Neema, Baraka", "Juma, Neema, Asha, Baraka")]
    # Ranked by who was Dalmuti: the points beside it are shown where they move.
    assert {row.points.what for row in moves.standing} == {"Dalmuti"}
    assert ("Points", "1", "2") in figures(moves)["Neema"]
    assert ("Points", "2", "1") in figures(moves)["Asha"]
    assert not moves.changes_nothing


def test_another_dealer_is_a_change_that_leaves_places_and_points() -> None:
    sitting = three_hands()

    moves = correction(sitting, {3: {**SEVENTY_FIFTY, "dealer": 0}})

    sentence = "Hand 3 stays 70–50, Asha & Juma win · 1 victory point."
    assert said(moves) == [(sentence, [("Dealt", "Baraka", "Asha")])]
    assert not [
        row for row in moves.standing if row.place.differs or row.points.differs or row.figures
    ]
    assert not moves.changes_nothing
    assert figures(moves) == {
        "Asha": [("Dealt", "1", "2")],
        "Baraka": [("Dealt", "1", "0")],
    }


def test_another_trump_is_a_change_that_moves_nobody() -> None:
    sitting = three_hands()

    moves = correction(sitting, {2: {**FIFTY_SEVENTY, "trump": "H"}})

    sentence = "Hand 2 stays 50–70, Neema & Baraka win · 1 victory point."
    assert said(moves) == [(sentence, [("What were trumps?", "–", "hearts")])]
    assert not moves.changes_nothing
    assert moves.standing == ()


def test_the_eaten_that_part_equals_are_shown_though_nobody_moves() -> None:
    moves = correction(three_hands(), {2: {"eaten": [55, 65]}})

    assert [row for row in moves.standing if row.place.differs or row.points.differs or row.figures]
    assert set(places(moves).values()) == {("1", "1"), ("3", "3")}
    assert {name: len(also) for name, also in figures(moves).items()} == {
        "Asha": 1,
        "Juma": 1,
        "Neema": 1,
        "Baraka": 1,
    }


def test_only_what_waits_for_the_other_side_moves_nothing() -> None:
    sitting = four(at=make.tournament(confirm=Confirm.BOTH))
    make.report(sitting, SEVENTY_FIFTY, side=0)

    moves = correction(sitting, {1: SEVENTY_FIFTY})

    assert moves.changes_nothing
