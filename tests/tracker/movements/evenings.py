"""An evening for the tests of movements: people come and go, round by round."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from random import Random

import pytest

from tracker.movements.frames import round_frames
from tracker.movements.table_filling import round_seatings
from tracker.movements.turns import choose_first_dealers
from tracker.movements.types import (
    DealCounts,
    Question,
    RoundFrame,
    RoundSeating,
    TableSeating,
    TableShape,
    UnseatableError,
)

# Two or three fixed teams at a table; four players in two pairs, and six in three.
TWO, THREE = TableShape("4t2", ((0,), (1,))), TableShape("6t3", ((0,), (1,), (2,)))
PAIRS = TableShape("4t2", ((0, 2), (1, 3)))
THREE_PAIRS = TableShape("6t2", ((0, 3), (1, 4), (2, 5)))


def alone(size: int) -> TableShape:
    return TableShape(f"{size}i", tuple((place,) for place in range(size)))


def club(
    present: Sequence[Sequence[int]],
    *,
    odd_tables: bool = False,
    played: Sequence[RoundSeating] = (),
    opened: Counter[int] | None = None,
    seed: int = 0,
) -> Question:
    """Return the question of a club that changes partners at tables of four."""
    return Question(
        present=tuple(map(tuple, present)),
        shape=PAIRS,
        other_shapes=(alone(3), alone(5), THREE_PAIRS),
        odd_tables=odd_tables,
        played=tuple(played),
        deal_counts={unit: DealCounts(opened=times) for unit, times in (opened or {}).items()},
        seed=seed,
    )


def arranged_anyhow(
    question: Question, planned: Sequence[RoundFrame], dice: Random
) -> tuple[RoundSeating, ...]:
    """Return the frames with everybody at some table: only whose turn it is is respected."""
    rounds = []
    for frame in planned:
        tables: list[list[int]] = [[] for _ in frame.shapes]
        for odd in (False, True):
            units = [unit for unit in frame.units if (unit in frame.odd) is odd]
            dice.shuffle(units)
            units.sort(key=lambda unit: unit in frame.due)  # those due are dealt first
            of_kind = [at for at, s in enumerate(frame.shapes) if (s.code != "4t2") is odd]
            for at in of_kind:
                tables[at].append(units.pop())
            dice.shuffle(units)
            for at in of_kind:
                while len(tables[at]) < frame.shapes[at].size:
                    tables[at].append(units.pop())
        rounds.append(
            tuple(
                TableSeating(shape=shape, units=tuple(dice.sample(units, len(units))))
                for shape, units in zip(frame.shapes, tables, strict=True)
            )
        )
    return round_seatings(question, rounds)


def arranged(question: Question, seed: int = 0) -> tuple[RoundSeating, ...]:
    return arranged_anyhow(question, round_frames(question), Random(seed))


@contextmanager
def unseatable(code: str) -> Iterator[pytest.ExceptionInfo[UnseatableError]]:
    with pytest.raises(UnseatableError) as error:
        yield error
    assert error.value.code == code


@dataclass
class Evening:
    """What was played, and by whom how often what."""

    present: list[int]
    dice: Random
    odd_tables: bool = False
    played: list[RoundSeating] = field(default_factory=list)
    opened: Counter[int] = field(default_factory=Counter)
    newcomers: Iterator[int] = field(default_factory=lambda: count(1000))

    def play(self, *, planned: int = 1, of_them: int | None = None) -> None:
        """Plan so many rounds at one time, and play the first *of_them*."""
        question = club(
            [self.present] * planned,
            odd_tables=self.odd_tables,
            played=self.played,
            opened=self.opened,
            seed=self.dice.randrange(10**6),
        )
        rounds = choose_first_dealers(
            question, arranged_anyhow(question, round_frames(question), self.dice)
        )
        for seating in rounds[:of_them]:
            self.played.append(seating)
            for table in seating.tables:
                assert table.opener is not None
                self.opened[table.units[table.opener]] += 1

    def come_and_go(self, *, come: int, go: int, least: int = 8) -> None:
        for _ in range(min(go, len(self.present) - least)):
            self.present.remove(self.dice.choice(self.present))
        self.present += [next(self.newcomers) for _ in range(come)]

    def rounds_of(self, unit: int) -> tuple[int, ...]:
        """Return the rounds in which the unit was present."""
        return tuple(
            number
            for number, seating in enumerate(self.played)
            if unit in seating.resting or any(unit in table.units for table in seating.tables)
        )

    def everybody(self) -> list[int]:
        return sorted({unit for seating in self.played for unit in people(seating)})


def people(seating: RoundSeating) -> list[int]:
    return [*seating.resting, *(unit for table in seating.tables for unit in table.units)]


def at_odd_tables(seating: RoundSeating) -> set[int]:
    return {unit for table in seating.tables if table.shape != PAIRS for unit in table.units}


def spread_by(groups: Callable[[int], object], counts: Counter[int], units: Sequence[int]) -> int:
    """Return by how much counts differ at most within a group."""
    by_group: dict[object, set[int]] = {}
    for unit in units:
        by_group.setdefault(groups(unit), set()).add(counts[unit])
    return max((max(each) - min(each) for each in by_group.values()), default=0)
