"""Seatings of a round: the seat of one entrant, whom they met before, and swaps made by hand."""

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
class EntrantSeat:
    """The seat of one entrant in a round; without a table they sit out, or are not in the round."""

    table: int | None
    partners: tuple[int, ...] = ()
    opponents: tuple[int, ...] = ()
    opens: bool = False
    resting: bool = False

    @property
    def others(self) -> tuple[int, ...]:
        return (*self.partners, *self.opponents)


@dataclass(frozen=True, slots=True, kw_only=True)
class MeetingHistory:
    """Whom one entrant met from the first round up to a given one.

    ``again`` maps those met in the given round who were met before to the numbers of all rounds
    in which they met, the given one included; ``partners`` is the same of partners who were
    partners before. ``met`` counts all meetings in the ``rounds`` that the entrant sat in, and
    ``repeats`` those that were not the first of a pair. ``others`` counts all who sat in these
    rounds, and ``new`` those seated in the given round whom the entrant has never met.
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
        """Return the lower bound of ``repeats``: meetings beyond the number of other people."""
        return max(0, self.met - self.others)


def seat_of(seating: RoundSeating, unit: int) -> EntrantSeat:
    """Return where a unit sits in a round.

    >>> from tracker.movements.types import TableShape, TableSeating
    >>> four = TableShape("4t2", ((0, 2), (1, 3)))
    >>> table = TableSeating(shape=four, units=(5, 6, 7, 8), opener=1, number=3)
    >>> seat = seat_of(RoundSeating(tables=(table,)), 6)
    >>> seat.table, seat.partners, seat.opponents, seat.opens
    (3, (8,), (5, 7), True)
    """
    table = next((table for table in seating.tables if unit in table.units), None)
    if table is None:
        return EntrantSeat(table=None, resting=unit in seating.resting)
    place = table.units.index(unit)
    side = next(side for side in table.shape.sides if place in side)
    return EntrantSeat(
        table=table.number,
        partners=tuple(table.units[each] for each in side if each != place),
        opponents=tuple(other for each, other in enumerate(table.units) if each not in side),
        opens=place == table.opener,
    )


def meeting_history(unit: int, rounds: Mapping[int, RoundSeating], number: int) -> MeetingHistory:
    """Return whom a unit met up to round *number*, which must be a key of *rounds*."""
    met: dict[int, list[int]] = defaultdict(list)
    partnered: dict[int, list[int]] = defaultdict(list)
    seats = {at: seat_of(rounds[at], unit) for at in sorted(rounds) if at <= number}
    for at, seat in seats.items():
        for other in seat.others:
            met[other].append(at)
        for other in seat.partners:
            partnered[other].append(at)
    seat, seated = seats[number], set[int]().union(*(rounds[at].seated for at in seats))
    return MeetingHistory(
        again={other: tuple(met[other]) for other in seat.others if len(met[other]) > 1},
        partners={
            other: tuple(partnered[other]) for other in seat.partners if len(partnered[other]) > 1
        },
        rounds=sum(each.table is not None for each in seats.values()),
        met=sum(map(len, met.values())),
        repeats=sum(len(times) - 1 for times in met.values()),
        others=len(seated - {unit}),
        new=len(rounds[number].seated - set(met) - {unit}),
    )


def swap_units(seating: RoundSeating, units: tuple[int, int]) -> RoundSeating:
    """Return the round with two units in each other's places; one of them may sit out."""
    first, second = units
    swapped = {first: second, second: first}
    return replace(
        seating,
        tables=tuple(
            replace(table, units=tuple(swapped.get(unit, unit) for unit in table.units))
            for table in seating.tables
        ),
        resting=tuple(swapped.get(unit, unit) for unit in seating.resting),
    )


def with_opener(table: TableSeating, question: Question) -> TableSeating:
    """Return a table with the first deal given to the unit there that has opened least so far.

    It stays as it is where the first dealer is found by lot or by the table itself.
    """
    if question.opened_by is not OpenedBy.TURN or table.opener is None:
        return table

    def turns(place: int) -> tuple[int, int, tuple[bool, int], int]:
        dealt = question.dealt.get(table.units[place], DealCounts())
        last = dealt.dealt_before
        return dealt.opened, dealt.dealt, (last is not None, last or 0), place

    return replace(table, opener=min(range(len(table.units)), key=turns))


def broken_wish(seating: RoundSeating, wishes: Wishes) -> UnseatableError | None:
    """Return the error for the first two who sit together against a wish, if there are any."""
    apart = gettext_noop("%(who)s are not to meet at one table.")
    not_partners = gettext_noop("%(who)s are not to be partners.")
    for table in seating.tables:
        sides = [{table.units[place] for place in side} for side in table.shape.sides]
        asked = [(set(table.units), wishes.apart, apart)]
        asked += [(side, wishes.not_partners, not_partners) for side in sides]
        for together, pairs, template in asked:
            for pair in pairs:
                if pair <= together:
                    return UnseatableError("swap-wish", template, units=tuple(sorted(pair)))
    return None
