"""Whose turn it is to rest, to sit at the odd table and to open, as people come and go."""

from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings, strategies as st

from tests.tracker.movements.evenings import (
    PAIRS,
    Evening,
    at_odd_tables,
    club,
    people,
    spread_by,
    unseatable,
)
from tracker.movements.frames import round_frames
from tracker.movements.table_filling import round_seatings
from tracker.movements.types import OpenedBy, Question, RoundSeating, TableSeating, Wishes

CHANGES = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=10, max_size=10)


def evening(people: int, seed: int, *, odd_tables: bool = False) -> Evening:
    return Evening(present=list(range(people)), dice=Random(seed), odd_tables=odd_tables)


@pytest.mark.parametrize("odd_tables", [False, True])
@given(present=st.integers(8, 24), changes=CHANGES, seed=st.integers(0, 10**6))
@settings(max_examples=30, deadline=None)
def test_nobody_rests_or_sits_at_the_odd_table_twice_before_everybody_present_has_once(
    present: int, changes: list[tuple[int, int]], seed: int, *, odd_tables: bool
) -> None:
    night, had = evening(present, seed, odd_tables=odd_tables), Counter[int]()

    for come, go in changes:
        night.play()
        seating = night.played[-1]
        assert not (odd_tables and seating.resting)
        turn = at_odd_tables(seating) if odd_tables else set(seating.resting)
        if any(had[unit] for unit in turn):
            assert all(had[unit] for unit in set(people(seating)) - turn)
        had.update(turn)
        assert spread_by(night.rounds_of, had, night.everybody()) <= 1
        night.come_and_go(come=come, go=go)


@given(present=st.integers(4, 40), rounds=st.integers(1, 12), seed=st.integers(0, 99))
@settings(max_examples=40, deadline=None)
def test_rests_go_round_in_rounds_planned_together(present: int, rounds: int, seed: int) -> None:
    question = club([range(present)] * rounds, seed=seed)

    planned = round_frames(question)

    rested = Counter(unit for frame in planned for unit in set(range(present)) - set(frame.units))
    assert max(rested.values(), default=0) - min(rested[unit] for unit in range(present)) <= 1
    assert planned == round_frames(question)


def test_whoever_came_late_does_not_rest_in_their_first_round_among_equals() -> None:
    tables = tuple(
        TableSeating(shape=PAIRS, units=tuple(range(at, at + 4))) for at in range(0, 12, 4)
    )
    for seed in range(20):
        question = club([range(13)], played=[RoundSeating(tables=tables)], seed=seed)
        (frame,) = round_frames(question)
        assert 12 in frame.units


def test_people_rest_in_varying_company() -> None:
    planned = round_frames(club([range(14)] * 14))

    company = Counter(frozenset(set(range(14)) - set(frame.units)) for frame in planned)
    assert len(company) >= 13


def test_by_number_the_last_rest_first() -> None:
    planned = round_frames(club([range(6)] * 3), by_number=True)

    assert [set(range(6)) - set(frame.units) for frame in planned] == [{4, 5}, {2, 3}, {0, 1}]


def test_whoever_keeps_a_table_plays_at_it_and_does_not_rest() -> None:
    wishes = Wishes(keeps={12: 2, 5: 3, 6: 3})

    for seed in range(20):
        for frame in round_frames(replace(club([range(13)] * 5, seed=seed), wishes=wishes)):
            assert {5, 6, 12} <= set(frame.units)
            assert dict(frame.pinned) == {12: 1, 5: 2, 6: 2}


def test_whoever_keeps_a_table_has_their_turn_at_an_odd_one_there() -> None:
    question = replace(club([range(13)] * 13, odd_tables=True), wishes=Wishes(keeps={4: 1}))

    planned = round_frames(question)

    for frame in planned:
        assert (frame.shapes[frame.pinned[4]].code != "4t2") is (4 in frame.odd)
    assert sum(4 in frame.odd for frame in planned) == 5


LOCKED = TableSeating(shape=PAIRS, units=(0, 1, 2, 3), number=2)


@pytest.mark.parametrize(
    ("question", "code", "units", "params"),
    [
        (
            replace(club([range(8)]), wishes=Wishes(keeps={1: 1, 2: 2, 3: 3})),
            *("kept-missing", (1, 2, 3), {"tables": 3, "here": 2}),
        ),
        (
            replace(club([range(8)]), wishes=Wishes(keeps=dict.fromkeys(range(5), 1))),
            *("kept-full", (0, 1, 2, 3, 4), {"table": 1, "needed": 4}),
        ),
        (
            replace(club([range(8)]), locked=(LOCKED,), wishes=Wishes(keeps={5: 2})),
            *("kept-locked", (5,), {"table": 2}),
        ),
        (
            replace(club([range(10)], odd_tables=True), other_shapes=(), locked=(LOCKED,)),
            *("tables-unfit", (), {"here": 6}),
        ),
    ],
)
def test_who_fits_at_no_tables_is_refused(
    question: Question, code: str, units: tuple[int, ...], params: dict[str, int]
) -> None:
    with unseatable(code) as error:
        round_frames(question)
    assert (error.value.units, error.value.params) == (units, params)


def test_a_locked_table_and_its_people_are_left_out_of_the_coming_round() -> None:
    locked = TableSeating(shape=PAIRS, units=(3, 9, 1, 7), number=2)
    question = replace(club([range(13)] * 2), locked=(locked,))

    first, second = round_frames(question)

    assert len(first.shapes) == 2
    assert len(second.shapes) == 3
    assert not {3, 9, 1, 7}.intersection(first.units)
    tables = [
        [
            TableSeating(shape=shape, units=frame.units[at * 4 : at * 4 + 4])
            for at, shape in enumerate(frame.shapes)
        ]
        for frame in (first, second)
    ]
    coming, _ = round_seatings(question, tables)
    assert coming.tables[0] is locked
    assert sorted(people(coming)) == list(range(13))


def test_those_beside_the_locked_tables_who_fill_none_rest() -> None:
    (frame,) = round_frames(replace(club([range(6)]), locked=(LOCKED,)))

    assert (frame.shapes, frame.units) == ((), ())


def test_nobody_is_due_where_openings_are_even_or_nobodys_turn() -> None:
    fresh = club([range(13)] * 3)
    late = club([range(12)], played=[], opened=Counter({1: 1}))

    assert not any(frame.due for frame in round_frames(fresh))
    assert 1 not in round_frames(late)[0].due
    assert not any(frame.due for frame in round_frames(replace(late, opened_by=OpenedBy.TABLE)))


def test_where_all_tables_are_odd_nobody_is_spared() -> None:
    question = replace(
        club([range(5)] * 2, odd_tables=True, opened=Counter({1: 3})), wishes=Wishes(keeps={2: 1})
    )

    for frame in round_frames(question):
        assert [shape.code for shape in frame.shapes] == ["5i"]
        assert frame.odd == frozenset(range(5))
