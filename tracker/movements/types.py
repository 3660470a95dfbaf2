"""What every movement is asked and what it answers: who sits where, who deals first, and why so.

A movement seats *units*: players, or where partners are fixed, whole teams. A unit is a whole
number; names, games and the database are unknown here.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class TableShape:
    """How units sit at a table: places in the direction of play, by the side they score with.

    ``code`` is the mode of the game. Four in two pairs are ``((0, 2), (1, 3))`` for players,
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
        """Say whether every unit scores for itself."""
        return len(self.sides) == self.size


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSeating:
    """The units of one table by place, in a round played or to come.

    ``opener`` is the place that deals first, ``None`` where the game has the table find out.
    ``number`` is the table in the hall, counted from 1 in the order of the tables there are.
    ``label`` names a match of a bracket. ``merits``, by place, are what each unit got at a
    table that was played, to be compared with each other and with nothing else. Of a level
    match that was decided without another hand ``decided_by`` says how.
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
    """A round, played or to come: its tables, and the units that rest."""

    tables: tuple[TableSeating, ...]
    resting: tuple[int, ...] = ()

    @property
    def table_of(self) -> dict[int, int | None]:
        """Return the number of the table of each unit that sits at one."""
        return {unit: table.number for table in self.tables for unit in table.units}

    @property
    def seated(self) -> set[int]:
        """Return the units that sit at a table."""
        return {unit for table in self.tables for unit in table.units}

    @property
    def units(self) -> set[int]:
        """Return the units of the round, those that rest too."""
        return self.seated | set(self.resting)


@dataclass(frozen=True, slots=True, kw_only=True)
class DealCounts:
    """How often a unit opened a table and dealt at all, in rounds that count.

    ``dealt_before`` is when it dealt last: ``None`` is never, otherwise the number is below 0,
    and the larger the later.
    """

    opened: int = 0
    dealt: int = 0
    dealt_before: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Wishes:
    """What must hold whatever the movement.

    ``keeps`` is the table that a unit never leaves; of ``apart`` no two meet, of
    ``not_partners`` no two are partners.
    """

    keeps: Mapping[int, int] = field(default_factory=dict)
    apart: frozenset[frozenset[int]] = frozenset()
    not_partners: frozenset[frozenset[int]] = frozenset()


class OpenedBy(StrEnum):
    """How a game finds who deals the first hand of a table."""

    TURN = "turn"  # whoever opened least
    LOT = "lot"
    TABLE = "table"  # the table itself: the plan names nobody


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """All that a movement may know.

    ``present`` are the units of each round to be planned, the coming one first, each in the
    order in which they were entered or numbered: its length is the number of rounds wanted.
    ``shape`` is how tables are played; where ``odd_tables``, those left over sit at tables of
    ``other_shapes`` instead of resting. ``locked`` are tables of the coming round that stay as they are. ``places`` are the
    units by standing, the best first, those who are level in one tuple; ``points`` are those of
    each level, where equals of points are to meet; ``seeds`` by strength. With ``tables_only``
    who sits together is all that is wanted, and chairs, dealers and account may be left out.
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
        """Return how many rounds are to be planned."""
        return len(self.present)

    @property
    def locked_units(self) -> set[int]:
        """Return the units at the locked tables of the coming round."""
        return {unit for table in self.locked for unit in table.units}


class MeetingKind(StrEnum):
    """How two units meet: at one table in any way, on one side, or on two."""

    MEETING = "meeting"
    PARTNERS = "partners"
    OPPONENTS = "opponents"


@dataclass(frozen=True, slots=True, kw_only=True)
class Repeat:
    """Two units who meet in a planned round although they met so before.

    ``before`` are the numbers of the rounds in which they did, from 1, played or planned.
    """

    kind: MeetingKind
    units: tuple[int, int]
    round: int
    before: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanNote:
    """A sentence about a plan: why somebody rests, sits at the odd table, or meets again.

    ``template`` has holes for ``params`` and, as ``%(who)s``, for the names of ``units``.
    """

    code: str
    template: str
    units: tuple[int, ...] = ()
    round: int | None = None
    params: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanAccount:
    """What a plan repeats, how little it could be, and why it is so.

    ``bounds`` are the fewest repeats of each kind that any plan of these rounds can have, as
    far as counting shows; a kind without a bound is not in it.
    """

    repeats: tuple[Repeat, ...] = ()
    bounds: Mapping[MeetingKind, int] = field(default_factory=dict)
    notes: tuple[PlanNote, ...] = ()

    def count(self, kind: MeetingKind) -> int:
        """Return how many meetings of this kind are repeats."""
        return sum(repeat.kind is kind for repeat in self.repeats)


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatingPlan:
    """The rounds asked for, the coming one first, and the account of them."""

    rounds: tuple[RoundSeating, ...]
    account: PlanAccount = PlanAccount()


class UnseatableError(ValueError):
    """There is no seating as wished; ``template`` says why, with ``%(who)s`` for ``units``."""

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
    """The units and table shapes of a round to be arranged, without the seats.

    ``odd`` are those whose turn it is to sit at tables of another shape than the question's.
    ``pinned`` is the index in ``shapes`` of the table a unit keeps. ``due`` are the units of whom
    every table should have at least one, so that openings stay even; none where that is no matter.
    """

    shapes: tuple[TableShape, ...]
    units: tuple[int, ...]
    odd: frozenset[int] = frozenset()
    pinned: Mapping[int, int] = field(default_factory=dict)
    due: frozenset[int] = frozenset()
