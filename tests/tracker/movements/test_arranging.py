"""Units at tables with the fewest repeats: what always holds, and figures that are reached."""

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, strategies as st

from games.mode import individuals, teams
from tests.drilled import FULL, examples
from tests.tracker.movements.evenings import PAIRS, unseatable
from tracker.movements.fewest_repeats import arrange
from tracker.movements.stored_plans import known_schedule
from tracker.movements.types import (
    MeetingKind,
    Question,
    RoundFrame,
    RoundSeating,
    TableSeating,
    TableShape,
    UnseatableError,
    Wishes,
)

FIVE = TableShape("5i", individuals(5, "").sides)
SHAPES = (
    PAIRS,
    FIVE,
    TableShape("2i", individuals(2, "").sides),
    TableShape("3i", individuals(3, "").sides),
    TableShape("6t2", teams(6, 2, "").sides),
    TableShape("6t3", teams(6, 3, "").sides),
    TableShape("7i", individuals(7, "").sides),
)


def meetings(
    rounds: Sequence[Sequence[TableSeating]],
) -> dict[MeetingKind, Counter[frozenset[int]]]:
    """Count how often every two met, by what they were to each other."""
    met: dict[MeetingKind, Counter[frozenset[int]]] = {kind: Counter() for kind in MeetingKind}
    for table in (table for tables in rounds for table in tables):
        side_of = {place: side for side in table.shape.sides for place in side}
        for place, other in combinations(range(table.shape.size), 2):
            pair = frozenset((table.units[place], table.units[other]))
            met[MeetingKind.MEETING][pair] += 1
            met[
                MeetingKind.PARTNERS if side_of[place] == side_of[other] else MeetingKind.OPPONENTS
            ][pair] += 1
    return met


def repeats(rounds: Sequence[Sequence[TableSeating]]) -> dict[MeetingKind, int]:
    return {
        kind: sum(times - 1 for times in met.values()) for kind, met in meetings(rounds).items()
    }


def night(players: int, rounds: int, *, seed: int = 0) -> tuple[Question, list[RoundFrame]]:
    """Ask for so many rounds of full tables of four in two pairs."""
    units = tuple(range(1, players + 1))
    frame = RoundFrame(shapes=(PAIRS,) * (players // 4), units=units)
    return Question(present=(units,) * rounds, shape=PAIRS, seed=seed), [frame] * rounds


@st.composite
def questions(draw: st.DrawFn) -> tuple[Question, list[RoundFrame]]:
    """Draw tables of any shapes, other people in every round, wishes, and who is due."""
    shapes = tuple(draw(st.lists(st.sampled_from(SHAPES), min_size=1, max_size=4 if FULL else 3)))
    seats = sum(shape.size for shape in shapes)
    people = st.permutations(range(1, seats + 4))
    pairs = st.frozensets(
        st.frozensets(st.integers(1, seats + 3), min_size=2, max_size=2), max_size=3
    )
    frames = []
    for _ in range(draw(st.integers(1, 3 if FULL else 2))):
        units = tuple(draw(people)[:seats])
        due = frozenset(draw(st.lists(st.sampled_from(units), max_size=len(shapes) + 2)))
        frames.append(RoundFrame(shapes=shapes, units=units, due=due))
    question = Question(
        present=tuple(frame.units for frame in frames),
        shape=PAIRS,
        other_shapes=SHAPES,
        odd_tables=True,
        wishes=Wishes(apart=draw(pairs), not_partners=draw(pairs)),
        seed=draw(st.integers(0, 99)),
    )
    return question, frames


@examples(3, full=8)
@given(asked=questions())
def test_everybody_sits_once_as_wished_and_the_same_question_has_the_same_answer(
    asked: tuple[Question, list[RoundFrame]],
) -> None:
    question, frames = asked
    wishes = question.wishes
    rounds: tuple[tuple[TableSeating, ...], ...] = ()
    with suppress(UnseatableError):
        rounds = arrange(question, frames)
    if not rounds:
        with pytest.raises(UnseatableError) as refusal:
            arrange(question, frames)
        assert frozenset(refusal.value.units) in wishes.apart | wishes.not_partners
        return

    for frame, tables in zip(frames, rounds, strict=True):
        assert tuple(table.shape for table in tables) == frame.shapes
        assert sorted(unit for table in tables for unit in table.units) == sorted(frame.units)
    met = meetings(rounds)
    assert not any(met[MeetingKind.MEETING][pair] for pair in question.wishes.apart)
    assert not any(met[MeetingKind.PARTNERS][pair] for pair in question.wishes.not_partners)
    assert arrange(question, frames) == rounds


@examples(4, full=8)
@given(tables=st.integers(2, 6), rounds=st.integers(1, 4), data=st.data(), seed=st.integers(0, 99))
def test_somebody_due_is_at_every_table_wherever_there_are_enough(
    tables: int, rounds: int, data: st.DataObject, seed: int
) -> None:
    question, plain = night(4 * tables, rounds, seed=seed)
    due = st.permutations(plain[0].units).map(lambda units: frozenset(units[:tables]))
    frames = [
        RoundFrame(shapes=frame.shapes, units=frame.units, due=data.draw(due)) for frame in plain
    ]

    for frame, seated in zip(frames, arrange(question, frames), strict=True):
        assert all(frame.due.intersection(table.units) for table in seated)


def test_what_was_played_and_the_locked_tables_are_not_repeated() -> None:
    question, frames = night(16, 1)
    played: list[tuple[TableSeating, ...]] = []
    for number in range(3):
        asked = Question(
            present=question.present,
            shape=PAIRS,
            played=tuple(RoundSeating(tables=tables) for tables in played),
            seed=number,
        )
        played.extend(arrange(asked, frames))
    assert repeats(played)[MeetingKind.PARTNERS] == repeats(played)[MeetingKind.OPPONENTS] == 0

    locked = TableSeating(shape=PAIRS, units=(1, 2, 3, 4))
    others = RoundFrame(shapes=(PAIRS,) * 3, units=tuple(range(5, 17)))
    asked = Question(present=question.present, shape=PAIRS, locked=(locked,))
    (tables,) = arrange(asked, [others])
    assert sorted(unit for table in tables for unit in table.units) == list(range(5, 17))


def test_whose_turn_it_is_sits_at_the_odd_table_and_nobody_leaves_the_table_they_keep() -> None:
    units = tuple(range(1, 14))
    frame = RoundFrame(
        shapes=(PAIRS, PAIRS, FIVE),
        units=units,
        odd=frozenset({1, 2, 3, 4, 5}),
        pinned={9: 1, 10: 0},
    )
    question = Question(present=(units,) * 3, shape=PAIRS, other_shapes=(FIVE,), odd_tables=True)

    for tables in arrange(question, [frame] * 3):
        assert set(tables[2].units) == {1, 2, 3, 4, 5}
        assert 9 in tables[1].units
        assert 10 in tables[0].units


@pytest.mark.parametrize(
    ("wishes", "code"),
    [
        (Wishes(apart=frozenset({frozenset({1, 2, 3})})), "apart"),
        (Wishes(not_partners=frozenset({frozenset(range(1, 9))})), "not-partners"),
    ],
)
def test_what_cannot_be_is_refused_with_the_people_it_is_about(wishes: Wishes, code: str) -> None:
    question, frames = night(8, 2)

    with unseatable(code) as refusal:
        arrange(Question(present=question.present, shape=PAIRS, wishes=wishes), frames)
    assert set(refusal.value.units) < set(range(1, 9))


def test_more_than_a_table_takes_cannot_all_keep_it() -> None:
    question, (frame,) = night(8, 1)
    crowded = RoundFrame(
        shapes=frame.shapes, units=frame.units, pinned=dict.fromkeys((1, 2, 3, 4, 5), 0)
    )

    with unseatable("kept-tables"):
        arrange(question, [crowded])


def test_a_night_known_in_part_does_not_get_worse_by_searching_on() -> None:
    present = [tuple(unit for unit in range(17) if unit != resting) for resting in range(16)]
    frames = [RoundFrame(shapes=(PAIRS,) * 4, units=units) for units in present]
    start = known_schedule(present, PAIRS, Random(1))
    assert start is not None
    rows, best = start
    known = [
        tuple(TableSeating(shape=PAIRS, units=tuple(row[at : at + 4])) for at in range(0, 16, 4))
        for row in rows
    ]

    arranged = repeats(arrange(Question(present=tuple(present), shape=PAIRS), frames))

    assert not best
    assert arranged[MeetingKind.PARTNERS] == repeats(known)[MeetingKind.PARTNERS] == 0
    assert arranged[MeetingKind.OPPONENTS] <= repeats(known)[MeetingKind.OPPONENTS]
