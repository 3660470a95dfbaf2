"""Who deals first in a plan: openings differ by one at most among those who played as long."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

from hypothesis import example, given, settings, strategies as st

from tests.tracker.movements.evenings import PAIRS, Evening, arranged_anyhow, club, spread_by
from tracker.movements.even_shares import share_evenly
from tracker.movements.frames import round_frames
from tracker.movements.turns import choose_first_dealers
from tracker.movements.types import DealCounts, OpenedBy, RoundSeating, TableSeating

CHANGES = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=10, max_size=10)


def spread_of_openings(night: Evening) -> int:
    """Return by how much openings differ at most among those who played equally long."""
    sat = Counter(
        unit for seating in night.played for table in seating.tables for unit in table.units
    )
    return spread_by(sat.__getitem__, night.opened, night.everybody())


@given(present=st.integers(8, 24), changes=CHANGES, seed=st.integers(0, 10**6))
@example(present=19, changes=[(0, 1), (0, 2), (0, 2), *[(0, 0)] * 7], seed=1)
@settings(max_examples=50, deadline=None)
def test_openings_stay_even_where_rounds_planned_ahead_are_planned_again(
    present: int, changes: list[tuple[int, int]], seed: int
) -> None:
    night = Evening(present=list(range(present)), dice=Random(seed))

    for come, go in changes[:7]:
        planned = night.dice.randint(1, 5)
        night.play(planned=planned, of_them=night.dice.randint(1, planned))
        assert spread_of_openings(night) <= 1
        night.come_and_go(come=come, go=go)


@given(
    rounds=st.lists(st.permutations(range(6)), min_size=1, max_size=3),
    ahead=st.lists(st.integers(-6, 6), min_size=6, max_size=6),
)
@settings(max_examples=50, deadline=None)
def test_turns_are_within_one_of_the_shares_or_as_near_to_them_as_any_choice_is(
    rounds: list[list[int]], ahead: list[int]
) -> None:
    groups = {(at, n): row[3 * n : 3 * n + 3] for at, row in enumerate(rounds) for n in range(2)}

    def each_round(choice: tuple[int, ...]) -> Iterator[tuple[int, int, int]]:
        """Yield, for each unit, the rounds so far, its turns in them, and what it is owed in 12ths."""
        for unit, so_far in product(range(6), range(1, len(rounds) + 1)):
            yield so_far, choice[: 2 * so_far].count(unit), 4 * so_far - 3 * ahead[unit]

    def within_bounds(choice: tuple[int, ...]) -> bool:
        """Return whether nobody is off by a whole turn, but for those who are whatever they do."""
        return all(
            min(so_far, owed // 12) <= times <= max(0, -(-owed // 12))
            for so_far, times, owed in each_round(choice)
        )

    def squares(choice: tuple[int, ...]) -> int:
        return sum((12 * times - owed) ** 2 for _, times, owed in each_round(choice))

    chosen = tuple(share_evenly(groups, lambda unit: Fraction(ahead[unit], 4)).values())

    every_choice = list(product(*groups.values()))
    if any(map(within_bounds, every_choice)):
        assert within_bounds(chosen)
    else:
        assert squares(chosen) == min(map(squares, every_choice))


@given(
    present=st.integers(4, 30),
    rounds=st.integers(1, 10),
    odd_tables=st.booleans(),
    seed=st.integers(0, 10**6),
)
@settings(max_examples=60, deadline=None)
def test_however_a_night_is_arranged_openings_are_even_after_every_round_of_it(
    present: int, rounds: int, odd_tables: bool, seed: int
) -> None:
    if present in {6, 7, 11} and odd_tables:  # tables of three and four only
        odd_tables = False
    night = Evening(present=list(range(present)), dice=Random(seed), odd_tables=odd_tables)
    night.play(planned=rounds)

    whole, night.opened, night.played = night.played, Counter(), []
    for seating in whole:
        night.played.append(seating)
        night.opened.update(table.units[table.opener or 0] for table in seating.tables)
        assert spread_of_openings(night) <= 1


def one_table(**question: Any) -> tuple[int | None, ...]:
    seated = RoundSeating(tables=(TableSeating(shape=PAIRS, units=(10, 11, 12, 13)),))
    asked = replace(club([(10, 11, 12, 13)]), **question)
    return tuple(table.opener for table in choose_first_dealers(asked, [seated])[0].tables)


def test_whoever_opened_least_opens() -> None:
    dealt = {unit: DealCounts(opened=1) for unit in (10, 11, 13)}

    assert one_table(deal_counts=dealt) == (2,)


def test_among_those_level_whoever_dealt_least_opens() -> None:
    dealt = {
        10 + place: DealCounts(opened=1, dealt=times) for place, times in enumerate((3, 2, 1, 2))
    }

    assert one_table(deal_counts=dealt) == (2,)


def test_among_those_who_dealt_alike_whoever_dealt_longest_ago_opens() -> None:
    when = (-1, -3, -2, -1)
    dealt = {
        10 + place: DealCounts(opened=1, dealt=2, last_dealt=last)
        for place, last in enumerate(when)
    }

    assert one_table(deal_counts=dealt) == (1,)
    assert one_table(deal_counts=dealt | {13: DealCounts(opened=1, dealt=2)}) == (3,)


def test_the_lot_is_drawn_by_the_seed_alone() -> None:
    openers = {one_table(opened_by=OpenedBy.LOT, seed=seed) for seed in range(40)}

    assert openers == {(0,), (1,), (2,), (3,)}
    assert one_table(opened_by=OpenedBy.LOT, seed=1) == one_table(opened_by=OpenedBy.LOT, seed=1)


def test_a_table_that_finds_its_dealer_is_named_nobody() -> None:
    assert one_table(opened_by=OpenedBy.TABLE) == (None,)


def test_a_table_that_has_an_opener_keeps_it() -> None:
    question = club([range(8)] * 4)
    rounds = list(arranged_anyhow(question, round_frames(question), Random(5)))
    first = replace(rounds[0], tables=tuple(replace(t, opener=3) for t in rounds[0].tables))

    dealt = choose_first_dealers(question, [first, *rounds[1:]])

    assert [table.opener for table in dealt[0].tables] == [3, 3]
    opened = Counter(table.units[table.opener or 0] for each in dealt for table in each.tables)
    assert set(opened.values()) == {1}


def test_a_hundred_players_and_fifteen_rounds_are_even() -> None:
    night = Evening(present=list(range(100)), dice=Random(1))

    night.play(planned=15)

    assert set(night.opened.values()) == {3, 4}
