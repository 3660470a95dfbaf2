"""Types shared by all movements: the question a movement gets, and the seating plan it returns.

A movement seats *units*: players, or teams if partners are fixed. A unit is a whole number; names
and the database are unknown here.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from fractions import Fraction
from typing import TypeAlias

from games.game import FirstDealer


@dataclass(frozen=True, slots=True)
class TableShape:
    """The sides of a table, each with its *places*: the seats, numbered in the direction of play.

    Four in two pairs are ``((0, 2), (1, 3))``. Two fixed teams, each a unit, are ``((0,), (1,))``.
    """

    # The code of the game's mode, such as ``4t2`` for four in two teams.
    code: str
    sides: tuple[tuple[int, ...], ...]

    @property
    def size(self) -> int:
        """Return how many units make a table."""
        return sum(map(len, self.sides))

    @property
    def individual(self) -> bool:
        """Return whether each unit is a side of its own."""
        return len(self.sides) == self.size


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSeating:
    """One table of a played or planned round."""

    shape: TableShape
    # The unit at each place.
    units: tuple[int, ...]
    # The place that deals first; ``None`` if the table itself draws for that.
    opener: int | None = None
    # The number of the table in the hall, from 1; ``None`` until it is given one.
    number: int | None = None
    # The name of a match of a bracket, or of a rung of the ladder.
    label: str = ""
    # The result at each place: a tuple, the larger the better, compared only with those of the other
    # places. ``None`` until the results are known; empty if nobody has one, so that all are level.
    merits: tuple[tuple[Fraction | int, ...], ...] | None = None
    # Who chose the winner of a match with equal points: a ``tracker.models.DecidedBy``, or empty.
    decided_by: str = ""

    @property
    def opening_unit(self) -> int | None:
        return None if self.opener is None else self.units[self.opener]


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundSeating:
    """A played or planned round: its tables, and the units that rest."""

    tables: tuple[TableSeating, ...]
    resting: tuple[int, ...] = ()

    @property
    def table_of(self) -> dict[int, int | None]:
        """Return the number of the table of each seated unit, keyed by the unit."""
        return {unit: table.number for table in self.tables for unit in table.units}

    @property
    def seated(self) -> set[int]:
        return {unit for table in self.tables for unit in table.units}

    @property
    def units(self) -> set[int]:
        return self.seated | set(self.resting)


TableKey: TypeAlias = tuple[int, int]  # the index of a planned round, and of a table in it


def tables_by_key(rounds: Sequence[RoundSeating]) -> dict[TableKey, TableSeating]:
    return {
        (index, number): table
        for index, seating in enumerate(rounds)
        for number, table in enumerate(seating.tables)
    }


def with_tables(
    rounds: Sequence[RoundSeating], tables: Mapping[TableKey, TableSeating]
) -> tuple[RoundSeating, ...]:
    """Return the rounds with these tables instead of theirs."""
    return tuple(
        replace(seating, tables=tuple(tables[index, n] for n in range(len(seating.tables))))
        for index, seating in enumerate(rounds)
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class DealCounts:
    """How often a unit *opened* a table, dealing first there, and how often it dealt at all."""

    opened: int = 0
    dealt: int = 0
    # The rank of its last deal among the last deals of all units, from the end: -1 is the latest,
    # -2 the next earlier one. ``None`` if it never dealt.
    last_dealt: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Wishes:
    """Wishes that the organiser granted: every plan fulfils them."""

    # The number of the table that a unit never leaves, keyed by the unit.
    keeps: Mapping[int, int] = field(default_factory=dict)
    # Sets of units, as a rule pairs, that never sit at one table, or are never partners.
    apart: frozenset[frozenset[int]] = frozenset()
    not_partners: frozenset[frozenset[int]] = frozenset()


class OpenedBy(StrEnum):
    """How the first dealer of a table is chosen."""

    TURN = "turn"  # it is the unit that dealt first the fewest times
    LOT = "lot"
    TABLE = "table"  # the people at the table choose

    @classmethod
    def of(cls, rule: FirstDealer) -> "OpenedBy":
        """Return how first dealers are chosen by a game's rule."""
        return {FirstDealer.LOT: cls.LOT, FirstDealer.DRAWN: cls.TABLE}.get(rule, cls.TURN)


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """Everything a movement may know."""

    # The units of each round to be planned, in the order of entry; the coming round is the first.
    present: tuple[tuple[int, ...], ...]
    # The usual table. Left-over units rest, or, only with ``odd_tables``, sit at ``other_shapes``.
    shape: TableShape
    other_shapes: tuple[TableShape, ...] = ()
    odd_tables: bool = False
    # The rounds before, from the first.
    played: tuple[RoundSeating, ...] = ()
    # Tables of the coming round that stay as they are.
    locked: tuple[TableSeating, ...] = ()
    wishes: Wishes = Wishes()
    # The standing: tuples of level units, the best first; and the points of each tuple, if known.
    standing: tuple[tuple[int, ...], ...] = ()
    points: tuple[Fraction, ...] = ()
    # The seeded units, if any, the strongest first.
    seeds: tuple[int, ...] = ()
    deal_counts: Mapping[int, DealCounts] = field(default_factory=dict)  # keyed by the unit
    opened_by: OpenedBy = OpenedBy.TURN
    # Whether a knock-out has a match for third place.
    third_place: bool = False
    # The seed of the random generators: the same question always has the same plan.
    seed: int = 0
    # Only who sits together is asked: the plan may leave out the order of ``units`` at a table,
    # its ``opener`` and the account.
    tables_only: bool = False

    @property
    def rounds(self) -> int:  # to be planned
        return len(self.present)

    @property
    def locked_units(self) -> set[int]:
        return {unit for table in self.locked for unit in table.units}


class MeetingKind(StrEnum):
    """How two units meet: at one table in any way, on the same side, or on different sides."""

    MEETING = "meeting"
    PARTNERS = "partners"
    OPPONENTS = "opponents"


@dataclass(frozen=True, slots=True, kw_only=True)
class Repeat:
    """Two units who meet in a planned round although they met in the same way before.

    ``round`` is the number of that round in the tournament, from 1. ``before`` are the numbers of
    the earlier rounds, played or planned, in which they met.
    """

    kind: MeetingKind
    units: tuple[int, int]
    round: int
    before: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanNote:
    """A sentence about a plan: why units rest, sit at the odd table, or meet again.

    ``code`` says what kind of note it is, such as ``rest``. ``template`` has placeholders for
    ``params`` and, as ``%(who)s``, for the names of ``units``. ``round`` is the number of a round
    in the tournament, ``None`` if the note is about the whole plan.
    """

    code: str
    template: str
    units: tuple[int, ...] = ()
    round: int | None = None
    params: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanAccount:
    """The repeats of a plan, lower bounds of their numbers, and notes that explain the plan."""

    repeats: tuple[Repeat, ...] = ()
    # By kind, a number of repeats that no plan of these rounds can do without. It is found by
    # counting; perhaps every plan has more.
    bounds: Mapping[MeetingKind, int] = field(default_factory=dict)
    notes: tuple[PlanNote, ...] = ()

    def count(self, kind: MeetingKind) -> int:
        """Return how many meetings of this kind are repeats."""
        return sum(repeat.kind is kind for repeat in self.repeats)


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatingPlan:
    """The planned rounds, the coming one first, and the account of them."""

    rounds: tuple[RoundSeating, ...]
    account: PlanAccount = PlanAccount()


class UnseatableError(ValueError):
    """No seating fulfils the question; ``template`` says why, with the fields of a ``PlanNote``."""

    def __init__(
        self, code: str, template: str, *, units: tuple[int, ...] = (), **params: int
    ) -> None:
        super().__init__(code)
        self.code = code
        self.template = template
        self.units = units
        self.params = params


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundFrame:
    """The tables of a round and the units that will sit at them, before seats are found."""

    shapes: tuple[TableShape, ...]
    units: tuple[int, ...]
    # The units that sit at *odd* tables: those of another shape than the question's.
    odd: frozenset[int] = frozenset()
    # The index in ``shapes`` of the table that a unit keeps, keyed by the unit.
    pinned: Mapping[int, int] = field(default_factory=dict)
    # Units whose turn it is to deal first: if there are any, each table should have one of them.
    due: frozenset[int] = frozenset()
