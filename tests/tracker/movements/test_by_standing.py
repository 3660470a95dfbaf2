"""Plans by lot, in order and by the standing."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from tests.tracker.movements.evenings import PAIRS, club, unseatable
from tracker.movements import by_standing
from tracker.movements.table_filling import by_lot, in_order
from tracker.movements.types import (
    MeetingKind,
    Question,
    RoundSeating,
    SeatingPlan,
    TableSeating,
    Wishes,
)


def by_rank(players: int, **wishes: Any) -> Question:
    """Return the question in which unit 0 leads, then 1, and so on."""
    question = club([range(players)])
    return replace(
        question, standing=tuple((unit,) for unit in range(players)), wishes=Wishes(**wishes)
    )


def sides(plan: SeatingPlan) -> list[list[set[int]]]:
    """Return who is partners at the tables of the coming round, by the best at each."""
    return [
        sorted(({table.units[place] for place in side} for side in table.shape.sides), key=min)
        for table in sorted(plan.rounds[0].tables, key=lambda table: min(table.units))
    ]


def pairs(*wished: tuple[int, int]) -> frozenset[frozenset[int]]:
    return frozenset(map(frozenset, wished))


def test_equals_sit_together_and_the_first_partners_the_fourth() -> None:
    plan = by_standing.equals(by_rank(8))

    assert sides(plan) == [[{0, 3}, {1, 2}], [{4, 7}, {5, 6}]]


def test_strong_with_weak_gives_every_table_a_fair_mix() -> None:
    plan = by_standing.strong_with_weak(by_rank(8))

    assert sides(plan) == [[{0, 7}, {3, 4}], [{1, 6}, {2, 5}]]


def test_among_those_level_partners_are_new() -> None:
    played = RoundSeating(tables=(TableSeating(shape=PAIRS, units=(0, 1, 3, 2)),))
    question = replace(by_rank(4), played=(played,), standing=((0, 1, 2, 3),))

    for seed in range(10):
        plan = by_standing.equals(replace(question, seed=seed))
        assert plan.account.count(MeetingKind.PARTNERS) == 0


def test_those_who_must_not_meet_swap_with_the_nearest() -> None:
    plan = by_standing.equals(by_rank(12, apart=pairs((4, 5))))

    tables = [set(table.units) for table in plan.rounds[0].tables]
    assert not any({4, 5} <= table for table in tables)
    moved = sum(
        len(table - set(range(at, at + 4)))
        for table, at in zip(sorted(tables, key=min), (0, 4, 8), strict=True)
    )
    assert moved == 2


def test_those_who_must_not_be_partners_are_opponents_instead() -> None:
    plan = by_standing.equals(by_rank(8, not_partners=pairs((0, 3))))

    assert sides(plan)[0] in ([{0, 2}, {1, 3}], [{0, 1}, {2, 3}])


def test_only_one_round_is_known_by_the_standing() -> None:
    with unseatable("not-ahead"):
        by_standing.equals(club([range(8)] * 2))


@pytest.mark.parametrize("plan", [by_lot, in_order, by_standing.equals])
def test_four_who_must_not_meet_are_refused_by_name_where_there_are_two_tables(
    plan: Callable[[Question], SeatingPlan],
) -> None:
    apart = pairs((0, 1), (0, 2), (1, 2))

    with unseatable("apart") as error:
        plan(by_rank(8, apart=apart))
    assert len(error.value.units) >= 2


def test_in_order_fills_table_after_table() -> None:
    plan = in_order(club([(5, 3, 8, 1, 2, 9, 4, 7, 6)] * 2))

    tables = [[table.units for table in seating.tables] for seating in plan.rounds]
    assert tables == [[(5, 3, 8, 1), (2, 9, 4, 7)], [(5, 3, 8, 1), (2, 9, 4, 6)]]
    assert [seating.resting for seating in plan.rounds] == [(6,), (7,)]


def test_by_lot_the_seed_alone_decides() -> None:
    plans = [by_lot(club([order] * 3, seed=5)) for order in (range(12), range(11, -1, -1))]

    assert plans[0] == plans[1]
    assert plans[0] != by_lot(club([range(12)] * 3, seed=6))


@pytest.mark.parametrize("way", [by_lot, by_standing.equals, by_standing.strong_with_weak])
def test_openings_stay_even_however_people_are_seated(
    way: Callable[[Question], SeatingPlan],
) -> None:
    question = club([range(12)])
    for number in range(8):
        (coming,) = way(replace(question, seed=number)).rounds
        opened = Counter({unit: counts.opened for unit, counts in question.deal_counts.items()})
        opened.update(table.units[table.opener or 0] for table in coming.tables)
        assert (
            max(opened[unit] for unit in range(12)) - min(opened[unit] for unit in range(12)) <= 1
        )
        played = (*question.played, coming)
        question = club([range(12)], played=played, opened=opened)


@pytest.mark.parametrize("plan", [by_lot, in_order])
def test_who_must_not_partner_sits_otherwise_at_the_same_table(
    plan: Callable[[Question], SeatingPlan],
) -> None:
    barred = (0, 2), (1, 3)

    (table,) = plan(by_rank(4, not_partners=pairs(*barred))).rounds[0].tables

    assert not {frozenset(table.units[at] for at in side) for side in PAIRS.sides} & pairs(*barred)


@pytest.mark.parametrize("plan", [by_lot, in_order])
def test_at_the_only_table_nobody_can_be_kept_apart(
    plan: Callable[[Question], SeatingPlan],
) -> None:
    with unseatable("apart") as refusal:
        plan(by_rank(4, apart=pairs((0, 3))))

    assert refusal.value.units == (0, 3)
