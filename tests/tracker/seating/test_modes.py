"""Which tables suit a number of people."""

import pytest

from games import catalogue
from games.mode import individuals, teams
from tracker.movements.table_sizes import best_mode, units_at_table

PAIRS = teams(4, 2, "four in two pairs")


def test_a_table_has_a_seat_for_a_player_and_a_side_for_a_team() -> None:
    assert (units_at_table(PAIRS, fixed=False), units_at_table(PAIRS, fixed=True)) == (4, 2)


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
