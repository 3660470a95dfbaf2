"""Which tables there are for a number of people."""

import pytest
from hypothesis import given, strategies as st

from games import catalogue
from games.mode import individuals, teams
from tests.tracker.movements.evenings import unseatable
from tracker.movements.table_sizes import best_mode, table_shapes, units_at_table
from tracker.movements.types import Question, TableShape


def asked(game: str, usual: str, *, odd_tables: bool = True) -> Question:
    rules = catalogue.GAMES[game]
    shapes = {
        mode.code: TableShape(mode.code, mode.sides)
        for mode in rules.modes(rules.default_options())
    }
    return Question(
        present=(),
        shape=shapes.pop(usual),
        other_shapes=tuple(shapes.values()),
        odd_tables=odd_tables,
    )


def codes(units: int, question: Question) -> str:
    return " ".join(shape.code for shape in table_shapes(units, question))


@pytest.mark.parametrize(
    ("game", "usual", "people", "expected"),
    [
        ("albastini", "4t2", 13, "4t2 4t2 5i"),
        ("albastini", "4t2", 14, "4t2 4t2 6t2"),
        ("albastini", "4t2", 15, "4t2 4t2 4t2 3i"),
        ("albastini", "4t2", 8, "4t2 4t2"),
        ("albastini", "4t2", 7, "4t2 3i"),
        ("albastini", "5i", 13, "5i 4i 4i"),
        ("dalmuti", "6i", 13, "6i 7i"),
        ("dalmuti", "6i", 16, "6i 5i 5i"),
        ("dalmuti", "8i", 11, "5i 6i"),
        ("mambassa", "5i", 14, "5i 5i 4i"),
        ("mambassa", "8i", 11, "5i 6i"),
        ("mambassa", "8i", 16, "8i 8i"),
        ("mambassa", "4i", 9, "4i 5i"),
    ],
)
def test_tables_of_other_sizes_leave_nobody_to_rest(
    game: str, usual: str, people: int, expected: str
) -> None:
    assert codes(people, asked(game, usual)) == expected


def test_whoever_is_left_over_rests_where_tables_are_all_alike() -> None:
    assert codes(15, asked("albastini", "4t2", odd_tables=False)) == "4t2 4t2 4t2"


@pytest.mark.parametrize(
    ("question", "people", "code", "params"),
    [
        (asked("albastini", "4t2", odd_tables=False), 3, "too-few", {"needed": 4, "here": 3}),
        (asked("albastini", "4t2"), 2, "too-few", {"needed": 3, "here": 2}),
        (asked("briscola", "4t2"), 5, "tables-unfit", {"here": 5}),
    ],
)
def test_there_may_be_no_tables_for_them(
    question: Question, people: int, code: str, params: dict[str, int]
) -> None:
    with unseatable(code) as error:
        table_shapes(people, question)

    assert error.value.params == params


def test_fixed_pairs_only_sit_where_pairs_play() -> None:
    two, three = ((0,), (1,)), ((0,), (1,), (2,))
    question = Question(
        present=(),
        shape=TableShape("4t2", two),
        other_shapes=(TableShape("6t2", three),),
        odd_tables=True,
    )

    assert codes(5, question) == "4t2 6t2"


@given(people=st.integers(3, 101), size=st.integers(3, 8))
def test_everybody_sits_at_tables_of_nearly_one_size(people: int, size: int) -> None:
    sizes = [shape.size for shape in table_shapes(people, asked("mambassa", f"{size}i"))]

    assert sum(sizes) == people
    assert max(sizes) - min(sizes) <= 1


def test_a_table_has_a_seat_for_a_player_and_a_side_for_a_team() -> None:
    pairs = teams(4, 2, "four in two pairs")
    assert (units_at_table(pairs, fixed=False), units_at_table(pairs, fixed=True)) == (4, 2)


def test_albastini_is_played_in_pairs_where_that_seats_most_and_alone_at_few_tables() -> None:
    albastini = catalogue.GAMES["albastini"]
    modes = albastini.modes(albastini.default_options())
    alone = [individuals(seats, "") for seats in range(3, 11)]

    chosen = {people: best_mode(people, modes) for people in (1, 2, 4, 5, 6, 9, 10, 13)}

    assert " ".join(mode.code if mode else "none" for mode in chosen.values()) == (
        "none 2i 4t2 5i 6t2 4t2 5i 4t2"
    )
    few = [best_mode(people, alone) for people in (7, 12, 13)]
    assert [mode.code for mode in few if mode] == ["7i", "6i", "6i"]
