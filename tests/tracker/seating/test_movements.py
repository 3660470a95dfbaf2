"""Who sits where, who rests, and which tables suit a number of people."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games import catalogue
from games.mode import Mode, individuals, teams
from tracker.seating.logic.movements import Seating, Unit, at_a_table, best_mode, fit
from tracker.seating.logic.movements.in_order import in_order
from tracker.seating.logic.movements.mixed import mixed

PAIRS = teams(4, 2, "four in two pairs")


def seat(rested: list[int], mode: Mode = PAIRS, *, fixed: bool = False) -> Seating:
    units = [Unit(key=key, rested=times) for key, times in enumerate(rested)]
    return in_order(units, mode, fixed, Random(7))


def test_people_sit_down_in_the_order_given() -> None:
    assert seat([0] * 8) == Seating(tables=((0, 1, 2, 3), (4, 5, 6, 7)))


def test_the_last_rest_when_nobody_has_rested() -> None:
    assert seat([0] * 6) == Seating(tables=((0, 1, 2, 3),), resting=(4, 5))


def test_whoever_rested_plays_and_another_rests() -> None:
    assert seat([0, 0, 0, 0, 1]) == Seating(tables=((0, 1, 2, 4),), resting=(3,))


def test_fixed_teams_fill_a_table_by_its_sides() -> None:
    assert seat([0] * 5, fixed=True) == Seating(tables=((0, 1), (2, 3)), resting=(4,))


def test_a_table_has_a_seat_for_a_player_and_a_side_for_a_team() -> None:
    assert (at_a_table(PAIRS, fixed=False), at_a_table(PAIRS, fixed=True)) == (4, 2)


@given(people=st.integers(4, 40), rounds=st.integers(1, 12))
@settings(max_examples=40, deadline=None)
def test_resting_goes_round_before_anybody_rests_again(people: int, rounds: int) -> None:
    rested = [0] * people

    for _ in range(rounds):
        seating = seat(rested)
        for unit in seating.resting:
            rested[unit] += 1
        assert len(seating.resting) == fit(people, PAIRS, fixed=False).resting
        assert sorted([*sum(seating.tables, ()), *seating.resting]) == list(range(people))

    assert max(rested) - min(rested) <= 1


@pytest.mark.parametrize(
    ("people", "code"),
    [(1, None), (2, "2i"), (4, "4t2"), (5, "5i"), (6, "6t2"), (9, "4t2"), (10, "5i"), (13, "4t2")],
)
def test_albastini_is_played_in_pairs_where_that_seats_most(people: int, code: str | None) -> None:
    albastini = catalogue.GAMES["albastini"]

    mode = best_mode(people, albastini.modes(albastini.default_options()))

    assert (mode.code if mode else None) == code


def test_a_game_without_partners_takes_few_tables() -> None:
    modes = [individuals(seats, "") for seats in range(3, 11)]

    chosen = [best_mode(people, modes) for people in (7, 12, 13)]

    assert [mode.code for mode in chosen if mode] == ["7i", "6i", "6i"]


@pytest.mark.parametrize(
    ("game", "usual", "people", "codes"),
    [
        ("albastini", "4t2", 13, "4t2 4t2 5i"),
        ("albastini", "4t2", 14, "4t2 4t2 6t2"),
        ("albastini", "4t2", 8, "4t2 4t2"),
        ("albastini", "4t2", 7, "4t2 3i"),
        ("albastini", "4t2", 2, ""),
        ("briscola", "4t2", 5, ""),
        ("dalmuti", "6i", 13, "6i 7i"),
        ("mambassa", "5i", 14, "5i 5i 4i"),
    ],
)
def test_tables_of_other_sizes_leave_nobody_to_rest(
    game: str, usual: str, people: int, codes: str
) -> None:
    rules = catalogue.GAMES[game]
    options = rules.default_options()

    tables = mixed(people, rules.mode(usual, options), rules.modes(options), fixed=False)

    assert " ".join(mode.code for mode in tables) == codes


def test_fixed_pairs_only_sit_where_pairs_play() -> None:
    rules = catalogue.GAMES["albastini"]
    options = rules.default_options()

    tables = mixed(5, rules.mode("4t2", options), rules.modes(options), fixed=True)

    assert [mode.code for mode in tables] == ["4t2", "6t2"]
