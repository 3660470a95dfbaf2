"""Tables of three and more by exchanges, and by a search where exchanges come to no end."""

from collections.abc import Callable
from itertools import combinations
from random import Random

from tracker.movements.matching import split_into_tables
from tracker.movements.stored_plans import social_golfer

SQUARE = [[0, 1, 2], [3, 4, 5], [6, 7, 8]]


def met_at(*rounds: list[list[int]]) -> Callable[[int, int], int]:
    """Return what it costs to meet again those one met in these rounds."""
    met = {two for tables in rounds for table in tables for two in combinations(sorted(table), 2)}
    return lambda unit, other: int((min(unit, other), max(unit, other)) in met)


def cost_of(tables: list[list[int]], cost: Callable[[int, int], int]) -> int:
    return sum(cost(*two) for table in tables for two in combinations(table, 2))


def test_the_one_round_left_of_sixteen_is_found_although_no_exchange_leads_there() -> None:
    rounds = social_golfer(4, 4)
    *played, last = ([[*row[at : at + 4]] for at in range(0, 16, 4)] for row in rounds)
    cost = met_at(*played)
    shaken = list(range(16))
    Random(2).shuffle(shaken)  # from here exchanges get stuck

    tables = split_into_tables(shaken, 4, cost, Random(1), enough=0, tries=0)

    assert sorted(map(sorted, tables)) == sorted(map(sorted, last))


def test_where_people_must_meet_again_they_do_so_seldom() -> None:
    cost = met_at(SQUARE, [[0, 3, 6], [1, 4, 7], [2, 5, 8]])

    tables = split_into_tables(range(6), 3, cost, Random(1), enough=0)

    assert sorted(unit for table in tables for unit in table) == list(range(6))
    assert cost_of(tables, cost) == 2


def test_a_search_that_finds_nothing_ends() -> None:
    def cost(unit: int, other: int) -> int:
        return int((unit - other) % 3 == 0)  # of four two are alike in any case

    tables = split_into_tables(range(24), 4, cost, Random(1), enough=0, tries=2)

    assert sorted(unit for table in tables for unit in table) == list(range(24))
    assert cost_of(tables, cost) == 6
