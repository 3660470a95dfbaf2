"""A drawn round: the seat and the company of one entrant in it, and changes to it by hand."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace

from games.errors import gettext_noop
from tracker.movements.types import (
    DealCounts,
    OpenedBy,
    Question,
    RoundSeating,
    TableSeating,
    UnseatableError,
    Wishes,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnSeat:
    """The seat of one entrant in a round; without a table they rest, or are not in it."""

    table: int | None
    partners: tuple[int, ...] = ()
    opponents: tuple[int, ...] = ()
    opens: bool = False
    resting: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Company:
    """The people that one entrant met up to a round.

    ``again`` are those met in it who were met before, with the numbers of all rounds they met
    in, this one too; ``partners`` those who were partners then as now, in the same way. ``met``
    counts meetings in the ``rounds`` they sat in, of which ``repeats`` were not the first.
    ``others`` are all who sat in these rounds; ``new`` those in this one they never met.
    """

    again: Mapping[int, tuple[int, ...]]
    partners: Mapping[int, tuple[int, ...]]
    rounds: int
    met: int
    repeats: int
    others: int
    new: int

    @property
    def least(self) -> int:
        """Return how many meetings cannot have been the first, by counting."""
        return max(0, self.met - self.others)


def own_seat(seating: RoundSeating, unit: int) -> OwnSeat:
    """Return where a unit sits.

    >>> from tracker.movements.types import TableShape, TableSeating
    >>> four = TableShape("4t2", ((0, 2), (1, 3)))
    >>> table = TableSeating(shape=four, units=(5, 6, 7, 8), opener=1, number=3)
    >>> seat = own_seat(RoundSeating(tables=(table,)), 6)
    >>> seat.table, seat.partners, seat.opponents, seat.opens
    (3, (8,), (5, 7), True)
    """
    table = next((table for table in seating.tables if unit in table.units), None)
    if table is None:
        return OwnSeat(table=None, resting=unit in seating.resting)
    place = table.units.index(unit)
    side = next(side for side in table.shape.sides if place in side)
    return OwnSeat(
        table=table.number,
        partners=tuple(table.units[each] for each in side if each != place),
        opponents=tuple(other for each, other in enumerate(table.units) if each not in side),
        opens=place == table.opener,
    )


def company_of(unit: int, rounds: Mapping[int, RoundSeating], number: int) -> Company:
    """Return the people a unit met up to round *number*, which is one of these rounds."""
    met: dict[int, list[int]] = defaultdict(list)
    partnered: dict[int, list[int]] = defaultdict(list)
    there: set[int] = set()
    sat = 0
    for each in sorted(at for at in rounds if at <= number):
        there |= rounds[each].seated
        seat = own_seat(rounds[each], unit)
        sat += seat.table is not None
        for other in (*seat.partners, *seat.opponents):
            met[other].append(each)
        for other in seat.partners:
            partnered[other].append(each)
    seat = own_seat(rounds[number], unit)
    here = [*seat.partners, *seat.opponents]
    return Company(
        again={other: tuple(met[other]) for other in here if len(met[other]) > 1},
        partners={
            other: tuple(partnered[other]) for other in seat.partners if len(partnered[other]) > 1
        },
        rounds=sat,
        met=sum(map(len, met.values())),
        repeats=sum(len(times) - 1 for times in met.values()),
        others=len(there - {unit}),
        new=len(rounds[number].seated - set(met) - {unit}),
    )


def swap_units(seating: RoundSeating, units: tuple[int, int]) -> RoundSeating:
    """Return the round with two of its units in each other's places; one of them may rest."""
    first, second = units
    exchanged = {first: second, second: first}
    return replace(
        seating,
        tables=tuple(
            replace(table, units=tuple(exchanged.get(unit, unit) for unit in table.units))
            for table in seating.tables
        ),
        resting=tuple(exchanged.get(unit, unit) for unit in seating.resting),
    )


def with_opener(table: TableSeating, question: Question) -> TableSeating:
    """Return a table changed by hand, opened by the unit there that has opened least."""
    if question.opened_by is not OpenedBy.TURN or table.opener is None:
        return table

    def turns(place: int) -> tuple[int, int, tuple[bool, int], int]:
        dealt = question.dealt.get(table.units[place], DealCounts())
        last = dealt.dealt_before
        return dealt.opened, dealt.dealt, (last is not None, last or 0), place

    return replace(table, opener=min(range(len(table.units)), key=turns))


def wish_broken(seating: RoundSeating, wishes: Wishes) -> UnseatableError | None:
    """Return why a round cannot be so: two are together who must not be."""
    for table in seating.tables:
        for pair in wishes.apart:
            if pair <= set(table.units):
                return UnseatableError(
                    "swap-wish",
                    gettext_noop("%(who)s are not to meet at one table."),
                    units=tuple(sorted(pair)),
                )
        for side in table.shape.sides:
            for pair in wishes.not_partners:
                if pair <= {table.units[place] for place in side}:
                    return UnseatableError(
                        "swap-wish",
                        gettext_noop("%(who)s are not to be partners."),
                        units=tuple(sorted(pair)),
                    )
    return None
