"""Every perfect whist schedule, counted by another counter than its own."""

from itertools import combinations

import pytest

from tests.lab.whist.answers import found_pattern, found_starter
from tracker.movements.finite_fields import finite_field
from tracker.movements.whist import (
    FIELD_ORDERS,
    KNOWN_SIZES,
    PATTERNS,
    STARTERS,
    Schedule,
    check,
    from_field,
    in_copies,
    perfect_whist,
    tables_of,
)

SIZES = (
    *(4, 5, 8, 9, 12, 13, 16, 17, 20, 21, 24, 25, 28, 29, 32, 33, 36, 37, 40, 41, 44, 45, 48, 49),
    *(52, 53, 56, 57, 60, 61, 64, 65, 68, 69, 72, 73, 76, 77, 80, 81, 84, 85, 88, 89, 92, 93),
    *(96, 97, 100, 101),
)


def test_there_is_one_for_every_size() -> None:
    assert KNOWN_SIZES == SIZES
    assert [size for size in range(4, 102) if size % 4 < 2] == list(SIZES)


@pytest.mark.parametrize("size", SIZES)
def test_everybody_partners_everybody_once_and_opposes_everybody_twice(size: int) -> None:
    schedule = perfect_whist(size)
    partners = [[0] * size for _ in range(size)]
    opponents = [[0] * size for _ in range(size)]
    assert len(schedule) == (size if size % 4 else size - 1)
    rests = [0] * size
    for row in schedule:
        assert len(set(row)) == len(row) == size // 4 * 4
        for player in set(range(size)) - set(row):
            rests[player] += 1
        for north, east, south, west in tables_of(row):
            partners[north][south] += 1
            partners[east][west] += 1
            for player, other in ((north, east), (north, west), (south, east), (south, west)):
                opponents[player][other] += 1
    assert rests == [size % 4] * size
    for player, other in combinations(range(size), 2):
        assert partners[player][other] + partners[other][player] == 1
        assert opponents[player][other] + opponents[other][player] == 2


def test_a_schedule_is_always_the_same() -> None:
    assert perfect_whist(21) == perfect_whist(21)
    rows = (1, 2, 4, 3), (2, 3, 0, 4), (3, 4, 1, 0), (4, 0, 2, 1), (0, 1, 3, 2)
    assert perfect_whist(5) == rows


@pytest.mark.parametrize("size", FIELD_ORDERS)
def test_over_a_field_everybody_has_everybody_once_on_the_left(size: int) -> None:
    left = {
        beside
        for row in perfect_whist(size)
        for north, east, south, west in tables_of(row)
        for beside in ((north, east), (east, south), (south, west), (west, north))
    }
    assert len(left) == size * (size - 1)


@pytest.mark.parametrize("size", [0, 1, 6, 7, 102, 104])
def test_other_numbers_have_none(size: int) -> None:
    with pytest.raises(ValueError, match="No perfect schedule"):
        perfect_whist(size)


def swapped(schedule: Schedule, size: int) -> list[Schedule]:
    first, *later = schedule
    a, b, c, d, *others = first
    return [
        ((a, c, b, d, *others), *later),
        ((a, b, c, b, *others), *later),
        ((a, b, c, size, *others), *later),
        (first, *later[:-1]),
        (first, first, *later[1:]),
        (tuple(others), *later),
    ]


@pytest.mark.parametrize("size", [9, 12])
@pytest.mark.parametrize("broken", range(6))
def test_a_broken_schedule_is_refused(size: int, broken: int) -> None:
    with pytest.raises(ValueError):
        check(swapped(perfect_whist(size), size)[broken], size)


def test_opponents_are_counted_too() -> None:
    # The circle method's pairs, each round's first two against each other: partners are right.
    circle = [
        [(7, turn)] + [((turn + k) % 7, (turn - k) % 7) for k in (1, 2, 3)] for turn in range(7)
    ]
    with pytest.raises(ValueError, match="opposes"):
        check(
            tuple((*(a[0], b[0], a[1], b[1]), *(c[0], d[0], c[1], d[1])) for a, b, c, d in circle),
            8,
        )


def test_a_construction_refuses_what_it_cannot_build() -> None:
    with pytest.raises(ValueError, match="multiple of four"):
        from_field(7)
    with pytest.raises(ValueError, match="no field"):
        from_field(21)


@pytest.mark.parametrize("order", [2, 3, 4, 5, 8, 9, 25, 27, 81, 101])
def test_a_field_is_one(order: int) -> None:
    elements = finite_field(order)
    assert sorted(elements.powers) == list(range(1, order))
    for a in range(0, order, 3):
        assert sorted(elements.sums[a]) == list(range(order))
        for b in range(0, order, 5):
            assert elements.sums[a][b] == elements.sums[b][a]
            for c in range(0, order, 7):
                assert (
                    elements.times(c, elements.sums[a][b])
                    == (elements.sums[elements.times(c, a)][elements.times(c, b)])
                )


@pytest.mark.parametrize("order", [0, 1, 6, 12, 100])
def test_other_orders_have_no_field(order: int) -> None:
    with pytest.raises(ValueError, match="no field"):
        finite_field(order)


@pytest.mark.parametrize("copies", [4, 8, 12])
def test_a_pattern_serves_fields_that_no_size_needs(copies: int) -> None:
    check(in_copies(13, PATTERNS[copies], perfect_whist(copies)), 13 * copies)
    check(in_copies(7, PATTERNS[copies], perfect_whist(copies + 1)), 7 * copies + 1)


def test_the_search_finds_again_what_is_kept() -> None:
    assert {size: found_starter(size, seed=1) for size in (4, 8, 12)}.items() <= STARTERS.items()
    assert found_pattern(4, seed=1) == PATTERNS[4]
    assert found_pattern(12, seed=10) == PATTERNS[12]
