"""What a change would move is what it does move; looked at, it moves nothing."""

from collections.abc import Callable, Iterable
from typing import Any

import pytest
from pytest_django.asserts import assertNumQueries

from tests import act, make
from tests.tracker.results.stored import everything
from tracker.models import (
    CarryOver,
    Movement,
    Round,
    RoundState,
    Season,
    Sitting,
    Tournament,
)
from tracker.results.queries.effect import Effect
from tracker.results.queries.snapshot import take_snapshot
from tracker.results.services.preview import preview
from tracker.seating.services.player_replacement import Reach, replace_player
from tracker.seating.services.seat_swaps import swap_seats

pytestmark = pytest.mark.django_db
WON, LOST = {"eaten": [70, 50]}, {"eaten": [50, 70]}
FIVE = {"eaten": [5, 115]}


def four(*names: str, **more: Any) -> Sitting:
    return make.sitting(*names or ("Asha", "Neema", "Juma", "Baraka"), **more)


def three_hands(**more: Any) -> Sitting:
    """Asha & Juma win hands 1 and 3, Neema & Baraka hand 2."""
    sitting = four(**more)
    for sheet in (WON, LOST, WON):
        make.report(sitting, sheet)
    return sitting


@pytest.fixture
def table() -> Sitting:
    return three_hands()


def effect_of(change: Callable[[], object], table: Sitting, **more: Any) -> Effect:
    return preview(change, tournament_id=table.round.tournament_id, **more)


def correction(table: Sitting, changes: dict[int, Any]) -> Effect:
    before = everything()
    try:
        return effect_of(lambda: act.correct(table, changes), table, sittings=[table.pk])
    finally:
        assert everything() == before


def swap(table: Sitting) -> Effect:
    """Let the first two change seats."""
    first, second = table.seats.order_by("place")[:2]
    seats = (first.pk, second.pk)
    return effect_of(lambda: swap_seats(seats=seats, by=make.actor()), table)


def said(moves: Effect) -> list[tuple[str, list[tuple[str, str, str]]]]:
    """Return of every hand what becomes of it, and which other answers differ."""
    return [(hand.sentence, changes(hand.answers)) for hand in moves.hands]


def changes(moves: Iterable[Any]) -> list[tuple[str, str, str]]:
    return [(move.what, move.before, move.after) for move in moves]


def figures(moves: Effect) -> dict[str, list[tuple[str, str, str]]]:
    return {row.name: changes(row.other_changes) for row in moves.standing}


def places(rows: Iterable[Any]) -> dict[str, tuple[str, str]]:
    return {row.name: (row.place.before, row.place.after) for row in rows}


def points(rows: Iterable[Any]) -> dict[str, tuple[str, str]]:
    return {row.name: (row.points.before, row.points.after) for row in rows}


def each_side(first: tuple[str, str], second: tuple[str, str]) -> dict[str, tuple[str, str]]:
    return {"Asha": first, "Juma": first, "Neema": second, "Baraka": second}


def moves_anybody(moves: Effect) -> bool:
    rows = moves.standing
    return any(row.place.differs or row.points.differs or row.figures for row in rows)


@pytest.mark.parametrize(
    ("teams", "names"),
    [
        (False, {"Asha", "Neema", "Juma", "Baraka"}),
        (True, {"Neema & Baraka", "Asha & Juma"}),  # by the short names of their people
    ],
)
def test_people_and_teams_are_called_as_at_their_table(teams: bool, names: set[str]) -> None:
    people = ("Asha Kito", "Neema Mushi", "Juma Kapera", "Baraka Hassan")
    table = four(*people, at=make.tournament(teams=teams))
    make.report(table, WON)
    assert {row.name for row in correction(table, {1: LOST}).with_new_points} == names


def test_correction_says_what_becomes_of_hand_points_and_later_hands(table: Sitting) -> None:
    moves = correction(table, {2: WON})
    assert said(moves) == [("Hand 2: 50–70 becomes 70–50; Asha & Juma win · 1 victory point.", [])]
    assert points(moves.standing) == each_side(("2", "3"), ("1", "0"))
    # Baraka dealt hand 3: now Asha or Juma was due.
    late = ("Hand 3, table 1, round 1", "Baraka dealt, but it was Asha’s turn to deal.")
    assert [*moves.cautions] == [late]
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
    table = three_hands(at=make.tournament(movement=movement))
    for state in (RoundState.OPEN, RoundState.UNDONE):
        make.round_of(table.round.tournament, state=state)
    moves = correction(table, {1: FIVE, 3: {"eaten": [60, 60]}})
    assert places(moves.standing) == each_side(("1", "3"), ("3", "1"))
    assert (moves.rounds_by_standing, moves.rounds_by_results) == (standing, results)


def test_a_round_goes_by_the_movement_it_was_opened_with() -> None:
    table = three_hands(at=make.tournament(movement=Movement.EQUALS))
    by_lot = {"settings": {"movement": "by_lot"}}
    make.round_of(table.round.tournament, seating_plan=by_lot)
    make.round_of(table.round.tournament)
    assert correction(table, {1: FIVE}).rounds_by_standing == (3,)


def test_who_deals_next_is_named_where_it_is_played(table: Sitting) -> None:
    assert changes(swap(table).next_dealers) == [("Table 1, round 1", "Asha", "Neema")]


def test_tables_at_which_others_dealt_longest_ago_are_named(table: Sitting) -> None:
    Round.objects.update(state=RoundState.CLOSED)
    four(at=table.round.tournament, dealt_before=[-3, -1, -2, None])
    moves = swap(table)
    where = "Table 1, round 1"
    assert changes(moves.seats) == [(where, "Asha", "Neema"), (where, "Neema", "Asha")]
    assert moves.remembered == ("Table 1, round 2",)


def test_whoever_comes_for_somebody_stands_beside_who_is_gone(table: Sitting) -> None:
    seat, amina = table.seats.get(place=0), make.player("Amina", club=act.club_of(table))
    asked: dict[str, Any] = {"seat_id": seat.pk, "player_id": amina.pk}
    moves = effect_of(
        lambda: replace_player(**asked, reach=Reach.TOURNAMENT, by=make.actor()), table
    )
    assert places(moves.standing) == {"Amina": ("–", "1"), "Asha": ("1", "–")}


@pytest.fixture
def qualifying() -> Sitting:
    """Seat four of whom Asha & Juma lead the final by what they carry over from here."""
    table = three_hands(at=make.tournament(hands=3, name="Qualifying"))
    first = table.round.tournament
    final = stage_after(first, "Final", CarryOver.ALL)
    four(at=final)
    four(at=stage_after(first, "Consolation", CarryOver.NOTHING))
    stage_after(stage_after(final, "Last table", CarryOver.HALF), "Gala", CarryOver.NOTHING)
    return table


def stage_after(before: Tournament, name: str, carried: CarryOver) -> Tournament:
    more: dict[str, Any] = {"follows": before, "carry_over": carried, "stage": name}
    return make.tournament(hands=2, club=before.club, name=name, **more)


def test_stages_to_which_points_are_carried_over_move_with_it(qualifying: Sitting) -> None:
    moves = correction(qualifying, {1: FIVE})
    [(stage, rows)] = moves.stages
    assert stage == "Final"
    assert points(rows) == points(moves.standing)
    assert places(rows) == places(moves.standing)
    assert correction(qualifying, {2: {"eaten": [55, 65]}}).stages == ()  # nobody moves there


@pytest.mark.parametrize("tables", [1, 3])
def test_stages_cost_the_same_however_many_tables(qualifying: Sitting, tables: int) -> None:
    final = Tournament.objects.get(name="Final")
    for _ in range(1, tables):
        make.sitting(at=final)
    with assertNumQueries(25):  # two stages carry over: eight more each
        take_snapshot(qualifying.round.tournament_id)


def test_the_season_moves_with_a_tournament_that_is_official(table: Sitting) -> None:
    tournament = table.round.tournament
    tournament.season = Season.objects.create(club=tournament.club, name="Season 2026")
    tournament.save()
    assert correction(table, {3: LOST}).season_rows == ()
    Tournament.objects.update(official_at=make.NOON)
    moves = correction(table, {3: LOST})
    assert moves.season == "Season 2026"
    assert points(moves.season_rows) == each_side(("83.3", "16.7"), ("16.7", "83.3"))


def test_what_is_refused_is_refused_when_it_is_looked_at(table: Sitting) -> None:
    with act.refused("total"):
        correction(table, {2: {"eaten": [70, 48]}})


def test_an_order_of_which_the_first_stays_is_shown_whole_with_the_columns_it_moves() -> None:
    table = four(at=make.tournament("dalmuti", "4i"))
    make.report(table, {"order": [2, 0, 1, 3]})
    moves = correction(table, {1: {"order": [2, 1, 0, 3]}})

    asked = "In what order did they go out?"
    [(sentence, answers)] = said(moves)
    assert sentence.startswith("Game 1 stays Juma is Dalmuti")
    assert answers == [(asked, "Juma, Asha, Neema, Baraka", "Juma, Neema, Asha, Baraka")]
    # Ranked by who was Dalmuti: the points beside it are shown where they move.
    assert {row.points.what for row in moves.standing} == {"Dalmuti"}
    assert ("Points", "1", "2") in figures(moves)["Neema"]
    assert ("Points", "2", "1") in figures(moves)["Asha"]
    assert not moves.changes_nothing


def test_another_dealer_is_a_change_that_leaves_places_and_points(table: Sitting) -> None:
    moves = correction(table, {3: {**WON, "dealer": 0}})
    sentence = "Hand 3 stays 70–50, Asha & Juma win · 1 victory point."
    assert said(moves) == [(sentence, [("Dealt", "Baraka", "Asha")])]
    assert not moves_anybody(moves)
    assert not moves.changes_nothing
    assert figures(moves) == {"Asha": [("Dealt", "1", "2")], "Baraka": [("Dealt", "1", "0")]}


def test_another_trump_is_a_change_that_moves_nobody(table: Sitting) -> None:
    moves = correction(table, {2: {**LOST, "trump": "H"}})
    sentence = "Hand 2 stays 50–70, Neema & Baraka win · 1 victory point."
    assert said(moves) == [(sentence, [("What were trumps?", "–", "hearts")])]
    assert (moves.changes_nothing, moves.standing) == (False, ())


def test_the_eaten_that_part_equals_are_shown_though_nobody_moves(table: Sitting) -> None:
    moves = correction(table, {2: {"eaten": [55, 65]}})
    assert moves_anybody(moves)
    assert places(moves.standing) == each_side(("1", "1"), ("3", "3"))
    assert [len(also) for also in figures(moves).values()] == [1, 1, 1, 1]
