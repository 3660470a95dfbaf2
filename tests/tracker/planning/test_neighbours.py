"""Neighbours in the standing meet, nobody twice while there is a stranger, and rest in turn."""

from collections import Counter
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from tracker.planning.logic.neighbours import equals, swiss
from tracker.seating.logic.movements.catalogue import Planner
from tracker.seating.logic.movements.seam import Question, RoundSeating, Shape

PAIR = Shape("4t2", ((0,), (1,)))
FOUR = Shape("4i", ((0,), (1,), (2,), (3,)))


def evening(planner: Planner, shape: Shape, units: int, rounds: int) -> list[RoundSeating]:
    """Seat round after round by a standing that the lot makes up."""
    rng, played = Random(units), list[RoundSeating]()
    for seed in range(rounds):
        standing = rng.sample(range(units), units)
        question = Question(
            present=(tuple(range(units)),),
            shape=shape,
            played=tuple(played),
            places=tuple((unit,) for unit in standing),
            seed=seed,
        )
        played.extend(planner(question).rounds)
    return played


@given(units=st.integers(6, 30), rounds=st.integers(1, 5))
def test_everybody_sits_once_or_rests_in_turn(units: int, rounds: int) -> None:
    for planner, shape in ((swiss, PAIR), (equals, FOUR)):
        played = evening(planner, shape, units, rounds)

        rests = Counter(dict.fromkeys(range(units), 0))
        for round_ in played:
            seated = [unit for table in round_.tables for unit in table.units]
            assert sorted([*seated, *round_.resting]) == list(range(units))
            rests.update(round_.resting)
        assert max(rests.values()) - min(rests.values()) <= 1


@given(pairs=st.integers(6, 30))
def test_strangers_meet_while_there_are_some(pairs: int) -> None:
    first, second = evening(swiss, PAIR, pairs, 2)

    met = {frozenset(table.units) for table in first.tables}
    again = [table for table in second.tables if frozenset(table.units) in met]
    assert len(again) <= 1  # of the last there may be only one left


def test_the_best_meet_the_next() -> None:
    question = Question(
        present=((0, 1, 2, 3),), shape=PAIR, places=((2,), (0,), (3,), (1,)), seed=1
    )

    (round_,) = swiss(question).rounds

    assert [table.units for table in round_.tables] == [(2, 0), (3, 1)]
