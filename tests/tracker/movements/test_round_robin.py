"""Round robin: everybody meets everybody once, openings are even, and people may come and go."""

from collections import Counter
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given, settings, strategies as st

from tests.tracker.movements.evenings import THREE, TWO, unseatable
from tracker.movements.round_robin import plan
from tracker.movements.stored_plans import berger
from tracker.movements.types import (
    MeetingKind,
    OpenedBy,
    Question,
    RoundSeating,
    SeatingPlan,
    TableSeating,
    Wishes,
)


def everybody(units: int, rounds: int) -> Question:
    return Question(present=(tuple(range(1, units + 1)),) * rounds, shape=TWO)


def needed(units: int) -> int:
    return units - 1 + units % 2


def openings(plan: SeatingPlan) -> Counter[int]:
    return Counter(
        table.units[table.opener]
        for coming in plan.rounds
        for table in coming.tables
        if table.opener is not None
    )


def test_the_rows_for_eight_are_bergers() -> None:
    # FIDE Handbook C.05, annex 1, the table for 7 or 8 players.
    rows = [[(place + 1, other + 1) for place, other in berger(8, row)] for row in range(7)]
    assert rows == [
        [(1, 8), (2, 7), (3, 6), (4, 5)],
        [(8, 5), (6, 4), (7, 3), (1, 2)],
        [(2, 8), (3, 1), (4, 7), (5, 6)],
        [(8, 6), (7, 5), (1, 4), (2, 3)],
        [(3, 8), (4, 2), (5, 1), (6, 7)],
        [(8, 7), (1, 6), (2, 5), (3, 4)],
        [(4, 8), (5, 3), (6, 2), (7, 1)],
    ]


def test_the_plan_for_eight_opens_as_berger_does() -> None:
    planned = plan(everybody(8, 7))
    assert [[table.units for table in coming.tables] for coming in planned.rounds] == [
        [(place + 1, other + 1) for place, other in berger(8, row)] for row in range(7)
    ]


@given(units=st.integers(2, 24), cycles=st.integers(1, 2))
@settings(max_examples=40, deadline=None)
def test_everybody_meets_everybody_equally_often(units: int, cycles: int) -> None:
    planned = plan(everybody(units, cycles * needed(units)))
    met = Counter(tuple(sorted(t.units)) for coming in planned.rounds for t in coming.tables)
    assert met == dict.fromkeys(combinations(range(1, units + 1), 2), cycles)
    rested = Counter(unit for coming in planned.rounds for unit in coming.resting)
    assert set(rested.values()) <= {cycles}
    opened = openings(planned)
    assert max(opened.values()) - min(opened[unit] for unit in range(1, units + 1)) <= 1
    if cycles == 2:
        homes = Counter(table.units for coming in planned.rounds for table in coming.tables)
        assert set(homes.values()) == {1}


@given(units=st.integers(4, 14), rounds=st.integers(1, 12), seed=st.integers(0, 9))
@settings(max_examples=40, deadline=None)
def test_a_shorter_event_opens_evenly_too(units: int, rounds: int, seed: int) -> None:
    planned = plan(everybody(units, rounds))
    opened = openings(planned)
    played = Counter(u for coming in planned.rounds for t in coming.tables for u in t.units)
    for unit, other in combinations(range(1, units + 1), 2):
        if played[unit] == played[other]:
            assert abs(opened[unit] - opened[other]) <= 1


@given(data=st.data(), units=st.integers(4, 14))
@settings(max_examples=40, deadline=None)
def test_who_stays_meets_the_others_once_although_somebody_leaves(
    data: st.DataObject, units: int
) -> None:
    played = data.draw(st.integers(1, needed(units)))
    gone = data.draw(st.integers(1, units))
    before = plan(everybody(units, played)).rounds
    left = tuple(unit for unit in range(1, units + 1) if unit != gone)
    rounds = max(1, needed(units) - played)
    after = plan(Question(present=(left,) * rounds, shape=TWO, played=before))
    assert all(
        sorted([*(u for t in coming.tables for u in t.units), *coming.resting]) == list(left)
        for coming in after.rounds
    )
    assert after.account.count(MeetingKind.OPPONENTS) <= after.account.bounds[MeetingKind.MEETING]


@given(units=st.integers(4, 12), played=st.integers(0, 8))
@settings(max_examples=30, deadline=None)
def test_planned_again_the_rounds_to_come_are_the_same_matches(units: int, played: int) -> None:
    whole = plan(everybody(units, needed(units) + 9)).rounds
    again = plan(
        Question(present=everybody(units, 3).present, shape=TWO, played=whole[:played], seed=played)
    )
    assert [{frozenset(table.units) for table in coming.tables} for coming in again.rounds] == [
        {frozenset(table.units) for table in coming.tables} for coming in whole[played : played + 3]
    ]


def test_a_walk_in_takes_the_chair_to_rest_in() -> None:
    before = plan(everybody(7, 2)).rounds
    after = plan(Question(present=(tuple(range(1, 9)),) * 5, shape=TWO, played=before))
    assert not after.account.repeats
    assert not any(coming.resting for coming in after.rounds)


def test_who_must_not_meet_does_not() -> None:
    wishes = Wishes(apart=frozenset({frozenset({1, 2})}))
    question = Question(present=everybody(6, 5).present, shape=TWO, wishes=wishes)
    planned = plan(question)
    assert all({1, 2} != set(t.units) for coming in planned.rounds for t in coming.tables)
    with unseatable("nobody-to-meet"):
        plan(Question(present=((1, 2),), shape=TWO, wishes=wishes))


@pytest.mark.parametrize(("units", "rounds"), [(9, 4), (15, 5), (21, 7), (12, 3)])
def test_at_three_sides_nobody_meets_again_where_a_design_is_known(units: int, rounds: int) -> None:
    planned = plan(Question(present=(tuple(range(units)),) * rounds, shape=THREE))
    assert not planned.account.repeats


@given(units=st.integers(3, 17), rounds=st.integers(1, 8))
@settings(max_examples=30, deadline=None)
def test_at_three_sides_everybody_sits_once_and_rests_in_turn(units: int, rounds: int) -> None:
    question = Question(present=(tuple(range(units)),) * rounds, shape=THREE)
    planned = plan(question)
    for coming in planned.rounds:
        seated = [unit for table in coming.tables for unit in table.units]
        assert sorted([*seated, *coming.resting]) == list(range(units))
    rested = Counter(unit for coming in planned.rounds for unit in coming.resting)
    assert max(rested.values(), default=0) - min(rested[u] for u in range(units)) <= 1
    assert plan(question) == planned
    opened = openings(planned)
    for unit, other in combinations(range(units), 2):
        if rested[unit] == rested[other]:
            assert abs(opened[unit] - opened[other]) <= 1


def test_where_the_table_finds_out_nobody_is_named_to_open() -> None:
    question = Question(present=((1, 2, 3, 4),), shape=TWO, opened_by=OpenedBy.TABLE)
    assert {table.opener for table in plan(question).rounds[0].tables} == {None}


def test_a_round_played_otherwise_is_gone_on_from() -> None:
    odd_round = RoundSeating(
        tables=tuple(TableSeating(shape=TWO, units=two, opener=0) for two in [(1, 2), (3, 4)])
    )
    planned = plan(Question(present=((1, 2, 3, 4),) * 2, shape=TWO, played=(odd_round,)))
    assert not planned.account.repeats


def test_a_locked_table_that_finds_its_own_dealer_counts_as_played() -> None:
    locked = TableSeating(shape=TWO, units=(1, 2), number=1)
    question = replace(everybody(6, 2), locked=(locked,))

    planned = plan(question)

    assert locked in planned.rounds[0].tables
    assert not planned.account.repeats
    openings_now = openings(planned)
    assert max(openings_now.values()) <= 2


def test_where_the_lot_decides_anybody_may_open() -> None:
    question = replace(everybody(10, 9), opened_by=OpenedBy.LOT)

    tables = [table for coming in plan(question).rounds for table in coming.tables]

    assert {table.opener for table in tables} == {0, 1}
    assert plan(question) == plan(question)
