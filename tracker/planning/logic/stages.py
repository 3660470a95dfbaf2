"""A proposal and its stages: who plays how many rounds of what, at which tables, how long."""

from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from tracker.seating.logic.movements.seam import Question, Shape, UnseatableError
from tracker.seating.logic.movements.sizes import table_shapes

CHANGE_OF_SEATS = 4  # minutes from the last hand of a round to the first of the next

# The movements by their names in the catalogue, and those of them that go by results: they
# cannot be planned before the evening.
FEWEST_REPEATS = "fewest_repeats"
ROUND_ROBIN = "round_robin"
SWISS = "swiss"
EQUALS = "equals"
KNOCKOUT = "knockout"
BY_RESULTS = frozenset({SWISS, EQUALS, KNOCKOUT})

_BRACKET_BEST = 4  # who play the semi-finals


class Kind(StrEnum):
    """What a proposal is called by."""

    PARTNERS = "partners"  # they change from round to round
    EVERY_PARTNER = "every_partner"  # everybody partners everybody once
    LONG_ROUNDS = "long_rounds"  # partners change, less often
    ALONE = "alone"
    ONE_TABLE = "one_table"  # each alone
    LARGE_TABLES = "large_tables"  # each alone
    EQUALS = "equals"  # each alone, those about as good at one table
    ROUND_ROBIN = "round_robin"
    SWISS = "swiss"
    FINAL = "final"  # of the best, after rounds for all
    KNOCKOUT = "knockout"


@dataclass(frozen=True, kw_only=True)
class Stage:
    """Rounds of one movement for so many units: players, or where partners are fixed, pairs.

    ``length`` is in hands, or in games where the game counts those, of ``minutes_each``.
    """

    movement: str
    shape: Shape
    units: int
    rounds: int
    length: int
    minutes_each: int
    other_shapes: tuple[Shape, ...] = ()
    odd_tables: bool = False

    @property
    def minutes_a_round(self) -> int:
        return self.length * self.minutes_each

    @cached_property
    def tables(self) -> tuple[tuple[Shape, ...], ...]:
        """Return the tables of every round.

        :raises UnseatableError: if so many units cannot sit down so.
        """
        if self.movement != KNOCKOUT:
            return (table_shapes(self.units, self.question(seed=0)),) * self.rounds
        # Byes fill the first round up to a power of two; third place is played beside the final.
        matches = [self.units - 2 ** (self.rounds - 1)]
        matches += [2 ** (self.rounds - number) for number in range(2, self.rounds + 1)]
        if self.units >= _BRACKET_BEST:
            matches[-1] += 1
        return tuple((self.shape,) * many for many in matches)

    @property
    def resting(self) -> int:
        """Return how many units a full round has no place for."""
        return self.units - sum(shape.size for shape in self.tables[0])

    def question(self, *, seed: int) -> Question:
        """Return what a movement is asked that plans the whole stage, with units from 0."""
        return Question(
            present=(tuple(range(self.units)),) * self.rounds,
            shape=self.shape,
            other_shapes=self.other_shapes,
            odd_tables=self.odd_tables,
            third_place=self.movement == KNOCKOUT and self.units >= _BRACKET_BEST,
            seed=seed,
        )


@dataclass(frozen=True, kw_only=True)
class Proposal:
    """A way to spend the evening: a stage, or one after the other with the best of the last.

    ``people`` is how many players make a unit.
    """

    kind: Kind
    people: int
    stages: tuple[Stage, ...]

    @property
    def key(self) -> str:
        """Return what tells it from the other proposals of an evening."""
        first = self.stages[0]
        odd = "-odd" if first.odd_tables else ""
        return f"{self.kind}-{first.shape.code}-{first.rounds}-{first.length}{odd}"

    @property
    def units(self) -> int:
        return self.stages[0].units

    @property
    def rounds(self) -> int:
        return sum(stage.rounds for stage in self.stages)

    @property
    def minutes(self) -> int:
        """Return how long it lasts, from the first hand to the last."""
        played = sum(stage.rounds * stage.minutes_a_round for stage in self.stages)
        return played + (self.rounds - 1) * CHANGE_OF_SEATS

    @property
    def waiting(self) -> float:
        """Return the share of rounds that units spend looking on, from 0 to 1."""
        seats = sum(
            shape.size for stage in self.stages for round_ in stage.tables for shape in round_
        )
        return 1 - seats / (self.units * self.rounds)

    @property
    def without_partner(self) -> bool:
        """Say whether some sit alone at an odd table while the others have partners."""
        first = self.stages[0]
        partners = len(first.shape.sides[0])
        return any(len(shape.sides[0]) != partners for shape in first.tables[0])

    @property
    def seatable(self) -> bool:
        """Say whether the game has the tables for it."""
        try:
            return all(stage.tables for stage in self.stages)
        except UnseatableError:
            return False
