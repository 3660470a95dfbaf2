"""Every movement, over evenings on which people come and go, wish something and sit at odd tables."""

from collections import Counter
from dataclasses import dataclass, field, replace
from random import Random

import pytest
from hypothesis import given, settings, strategies as st

from tests.tracker.movements.evenings import PAIRS, THREE, TWO, alone, people, spread_by
from tracker.movements.catalogue import MOVEMENTS
from tracker.movements.types import (
    Question,
    RoundSeating,
    SeatingPlan,
    TableShape,
    UnseatableError,
    Wishes,
)

SHAPES = (TWO, THREE, PAIRS, alone(5))
WITH_ODD_TABLES = {"fewest_repeats", "by_lot", "in_order", "equals", "strong_with_weak"}
REFUSALS = {"apart", "not-partners", "must-not-meet", "nobody-to-meet", "must-not-partner"}
BRACKET_IS_OVER = {"decided", "nobody-left"}


@dataclass
class Rounds:
    """The rounds of one movement, of which anybody may win; whoever won more stands higher."""

    movement: str
    shape: TableShape
    dice: Random
    played: list[RoundSeating] = field(default_factory=list)
    won: Counter[int] = field(default_factory=Counter)
    entered: tuple[int, ...] = ()  # also those who have gone, as a bracket needs their seeds

    def question(self, present: list[int]) -> Question:
        standing = [
            tuple(unit for unit in present if self.won[unit] == times)
            for times in sorted({self.won[unit] for unit in present}, reverse=True)
        ]
        return Question(
            present=(tuple(present),),
            shape=self.shape,
            other_shapes=(alone(3), alone(4)),
            odd_tables=self.movement in WITH_ODD_TABLES and self.shape.size > 3,
            played=tuple(self.played),
            standing=tuple(standing),
            seeds=self.entered or tuple(sorted(present)),
            seed=self.dice.randrange(99),
        )

    def plan(self, question: Question) -> SeatingPlan:
        return MOVEMENTS[self.movement].plan(question)

    def play(self, coming: RoundSeating) -> None:
        tables = []
        for table in coming.tables:
            order = self.dice.sample(range(len(table.units)), len(table.units))
            self.won[table.units[order.index(max(order))]] += 1
            merits = tuple((place,) for place in order)
            tables.append(replace(table, merits=merits, opener=table.opener or 0))
        self.played.append(replace(coming, tables=tuple(tables)))

    def present_in(self, unit: int) -> tuple[int, ...]:
        return tuple(at for at, seating in enumerate(self.played) if unit in people(seating))


@pytest.mark.parametrize("movement", MOVEMENTS)
@given(shape=st.sampled_from(SHAPES), units=st.integers(8, 15), seed=st.integers(0, 999))
@settings(max_examples=4, deadline=None)
def test_everybody_present_sits_once_or_rests_in_turn(
    movement: str, shape: TableShape, units: int, seed: int
) -> None:
    bracket = MOVEMENTS[movement].bracket
    rounds = Rounds(movement, TWO if bracket else shape, Random(seed))
    present, rested = list(range(1, units + 1)), Counter[int]()
    rounds.entered = tuple(present) if bracket else ()
    for number in range(4):
        question = rounds.question(present)
        try:
            plan = rounds.plan(question)
        except UnseatableError as over:
            assert bracket and over.code in BRACKET_IS_OVER  # noqa: PT017, PT018 - it may go on
            break
        (coming,) = plan.rounds
        assert rounds.plan(question) == plan
        assert bracket or sorted(people(coming)) == sorted(present)
        assert set(people(coming)) <= set(present)
        assert len(people(coming)) == len(set(people(coming)))
        assert [table.number for table in coming.tables] != [None] * len(coming.tables)
        assert len({table.number for table in coming.tables}) == len(coming.tables)
        stays = rounds.dice.choice(coming.tables)
        again = rounds.plan(replace(question, locked=(stays,))).rounds[0]
        assert stays in again.tables
        assert sorted(people(again)) == sorted(people(coming))
        rounds.play(coming)
        rested.update(coming.resting)
        everybody = sorted({unit for seating in rounds.played for unit in people(seating)})
        assert bracket or spread_by(rounds.present_in, rested, everybody) <= 1
        present.remove(rounds.dice.choice(present))
        if not bracket:
            present += [100 + number] * (number > 0)


WISHED = st.frozensets(st.frozensets(st.integers(1, 14), min_size=2, max_size=2), max_size=4)


@pytest.mark.parametrize("movement", MOVEMENTS)
@given(data=st.data(), shape=st.sampled_from(SHAPES), units=st.integers(8, 14))
@settings(max_examples=6, deadline=None)
def test_wishes_hold_or_are_refused(
    movement: str, data: st.DataObject, shape: TableShape, units: int
) -> None:
    rounds = Rounds(movement, TWO if MOVEMENTS[movement].bracket else shape, Random(1))
    only_teams = movement in {"round_robin", "swiss"}  # which have no partners
    wishes = Wishes(
        keeps=data.draw(st.dictionaries(st.integers(1, 6), st.just(2), max_size=1)),
        apart=data.draw(WISHED),
        not_partners=frozenset() if only_teams else data.draw(WISHED),
    )
    question = replace(rounds.question(list(range(1, units + 1))), wishes=wishes)
    try:
        (coming,) = rounds.plan(question).rounds
    except UnseatableError as error:
        assert error.code in REFUSALS  # noqa: PT017 - either answer is right
        return
    for table in coming.tables:
        assert not any(pair <= set(table.units) for pair in wishes.apart)
        for side in table.shape.sides:
            partners = {table.units[place] for place in side}
            assert not any(pair <= partners for pair in wishes.not_partners)
        assert all(table.number == 2 for unit in table.units if unit in wishes.keeps)
