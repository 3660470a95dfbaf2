"""Types shared by all movements: the question a movement gets, and the seating plan it returns.

A movement seats *units*: players, or teams if partners are fixed. A unit is a whole number; names,
games and the database are unknown here.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class TableShape:
    """The places of each side of a table, numbered in the direction of play.

    ``code`` is the code of the game's mode. Four in two pairs are ``((0, 2), (1, 3))`` for players,
    and ``((0,), (1,))`` for teams, each of which takes a whole side.
    """

    code: str
    sides: tuple[tuple[int, ...], ...]

    @property
    def size(self) -> int:
        """Return how many units make a table."""
        return sum(map(len, self.sides))

    @property
    def individual(self) -> bool:
        return len(self.sides) == self.size


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSeating:
    """The units of one table by place, in a played or planned round.

    ``opener`` is the place that deals first, ``None`` if the table finds out. ``number`` is the
    number of the table in the hall, from 1. ``label`` names a match of a bracket. ``merits``, by
    place, are the results of a played table, comparable only within it. ``decided_by`` tells how a
    level match was decided without another hand.
    """

    shape: TableShape
    units: tuple[int, ...]
    opener: int | None = None
    number: int | None = None
    label: str = ""
    merits: tuple[tuple[Fraction | int, ...], ...] | None = None
    decided_by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundSeating:
    """A played or planned round: its tables, and the units that rest."""

    tables: tuple[TableSeating, ...]
    resting: tuple[int, ...] = ()

    @property
    def table_of(self) -> dict[int, int | None]:
        """Return the number of the table of each unit that sits at one."""
        return {unit: table.number for table in self.tables for unit in table.units}

    @property
    def seated(self) -> set[int]:
        return {unit for table in self.tables for unit in table.units}

    @property
    def units(self) -> set[int]:
        """Return the units of the round, resting or seated."""
        return self.seated | set(self.resting)


@dataclass(frozen=True, slots=True, kw_only=True)
class DealCounts:
    """How often a unit opened a table, and how often it dealt at all.

    ``dealt_before`` tells when it dealt last: ``None`` is never, otherwise the number is below 0,
    and a larger number is later.
    """

    opened: int = 0
    dealt: int = 0
    dealt_before: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Wishes:
    """Wishes that every movement must fulfil.

    ``keeps`` is the number of the table that a unit never leaves. The units of a set in ``apart``
    never meet, those of a set in ``not_partners`` are never partners.
    """

    keeps: Mapping[int, int] = field(default_factory=dict)
    apart: frozenset[frozenset[int]] = frozenset()
    not_partners: frozenset[frozenset[int]] = frozenset()


class OpenedBy(StrEnum):
    """How the first dealer of a table is chosen."""

    TURN = "turn"  # who opened least
    LOT = "lot"
    TABLE = "table"  # by the table itself


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """Everything a movement may know.

    ``present`` are the units of each round to be planned, the coming one first, in the order in
    which they were entered: its length is the number of rounds wanted. ``shape`` is the usual table;
    with ``odd_tables`` left-over units sit at tables of ``other_shapes`` instead of resting.
    ``locked`` are tables of the coming round that stay as they are. ``places`` are the units by
    standing, the best first, level units in one tuple, with the ``points`` of each; ``seeds`` are
    units by strength. With ``tables_only`` a plan may leave out places at the table, dealers and
    account.
    """

    present: tuple[tuple[int, ...], ...]
    shape: TableShape
    other_shapes: tuple[TableShape, ...] = ()
    odd_tables: bool = False
    played: tuple[RoundSeating, ...] = ()
    locked: tuple[TableSeating, ...] = ()
    wishes: Wishes = Wishes()
    places: tuple[tuple[int, ...], ...] = ()
    points: tuple[Fraction, ...] = ()
    seeds: tuple[int, ...] = ()
    dealt: Mapping[int, DealCounts] = field(default_factory=dict)
    opened_by: OpenedBy = OpenedBy.TURN
    third_place: bool = False
    seed: int = 0
    tables_only: bool = False

    @property
    def rounds(self) -> int:
        return len(self.present)

    @property
    def locked_units(self) -> set[int]:
        """Return the units at the locked tables of the coming round."""
        return {unit for table in self.locked for unit in table.units}


class MeetingKind(StrEnum):
    """How two units meet: at one table in any way, on the same side, or on different sides."""

    MEETING = "meeting"
    PARTNERS = "partners"
    OPPONENTS = "opponents"


@dataclass(frozen=True, slots=True, kw_only=True)
class Repeat:
    """Two units who meet in a planned round although they met in the same way before.

    ``before`` are the numbers of those rounds, from 1, played or planned.
    """

    kind: MeetingKind
    units: tuple[int, int]
    round: int
    before: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanNote:
    """A sentence about a plan: why units rest, sit at the odd table, or meet again.

    ``template`` has placeholders for ``params`` and, as ``%(who)s``, for the names of ``units``.
    """

    code: str
    template: str
    units: tuple[int, ...] = ()
    round: int | None = None
    params: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanAccount:
    """The repeats of a plan, the fewest repeats possible, and notes that explain the plan.

    ``bounds`` are lower bounds, by counting, of the repeats of each kind in any plan of these rounds.
    """

    repeats: tuple[Repeat, ...] = ()
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
    """No seating fulfils the question; ``template`` says why, with ``%(who)s`` for ``units``."""

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
    """The table shapes and seated units of a round, before it is arranged who sits where.

    ``odd`` are the units that sit at tables of another shape than the question's. ``pinned`` is the
    index in ``shapes`` of the table that a unit keeps. Every table should have at least one unit of
    ``due``, so that openings stay even; it is empty if that does not matter.
    """

    shapes: tuple[TableShape, ...]
    units: tuple[int, ...]
    odd: frozenset[int] = frozenset()
    pinned: Mapping[int, int] = field(default_factory=dict)
    due: frozenset[int] = frozenset()
