"""Seatings of a round: where a *unit* (key of an entrant) sits, its earlier meetings, and swaps."""

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
    """The table number and the other units at the table of one entrant in a round.

    Without a table the entrant is ``resting`` (sits out) or is not in the round. ``opens`` is true
    if the entrant deals first.
    """

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
    """The partners and opponents of one entrant, from the first round up to a given round.

    ``again`` maps each unit that the entrant meets in the given round and has met before to the
    numbers of all rounds in which they met, the given round included. ``partners`` does the same
    for units that are partners in the given round and were partners before. ``rounds`` counts the
    rounds in which the entrant had a table, ``meetings`` the meetings in them, and ``repeats`` those
    with a unit met before. ``others`` counts the other units that had a table in any round so far,
    ``never_met`` those with a table in the given round whom the entrant has not met, even there.
    """

    again: Mapping[int, tuple[int, ...]]
    partners: Mapping[int, tuple[int, ...]]
    rounds: int
    meetings: int
    repeats: int
    others: int
    never_met: int

    @property
    def least_repeats(self) -> int:
        """Return how many repeats there must be: each of the others can be met first only once."""
        return max(0, self.meetings - self.others)


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
    side = next(places for places in table.shape.sides if place in places)
    return EntrantSeat(
        table=table.number,
        partners=tuple(table.units[partner] for partner in side if partner != place),
        opponents=tuple(other for index, other in enumerate(table.units) if index not in side),
        opens=place == table.opener,
    )


def meeting_history(unit: int, rounds: Mapping[int, RoundSeating], number: int) -> MeetingHistory:
    """Return whom a unit met up to round *number*, which must be a key of *rounds*."""
    # The numbers of the rounds in which the unit met each other unit, or was its partner.
    met_in: dict[int, list[int]] = defaultdict(list)
    partners_in: dict[int, list[int]] = defaultdict(list)
    round_numbers = [key for key in sorted(rounds) if key <= number]
    seats = {key: seat_of(rounds[key], unit) for key in round_numbers}
    for key, seat in seats.items():
        for other in seat.others:
            met_in[other].append(key)
        for other in seat.partners:
            partners_in[other].append(key)
    last_seat = seats[number]
    seated = {other for key in round_numbers for other in rounds[key].seated}
    again = {other: tuple(met_in[other]) for other in last_seat.others}
    partners = {other: tuple(partners_in[other]) for other in last_seat.partners}
    return MeetingHistory(
        again={other: numbers for other, numbers in again.items() if len(numbers) > 1},
        partners={other: numbers for other, numbers in partners.items() if len(numbers) > 1},
        rounds=sum(seat.table is not None for seat in seats.values()),
        meetings=sum(map(len, met_in.values())),
        repeats=sum(len(numbers) - 1 for numbers in met_in.values()),
        others=len(seated - {unit}),
        never_met=len(rounds[number].seated - set(met_in) - {unit}),
    )


def swap_units(seating: RoundSeating, units: tuple[int, int]) -> RoundSeating:
    """Return the round with two units in each other's places; one of them may sit out."""
    first, second = units
    swap = {first: second, second: first}
    tables = (
        replace(table, units=tuple(swap.get(unit, unit) for unit in table.units))
        for table in seating.tables
    )
    resting = tuple(swap.get(unit, unit) for unit in seating.resting)
    return replace(seating, tables=tuple(tables), resting=resting)


def with_opener(table: TableSeating, question: Question) -> TableSeating:
    """Return a table with the first deal given to the unit at it that has *opened* least so far.

    To open is to deal the first hand of a table. Units that opened equally often are compared by
    all their deals, then by when they dealt last. A table whose first dealer is found by lot or by
    the players themselves stays as it is.
    """
    if question.opened_by is not OpenedBy.TURN or table.opener is None:
        return table

    def deals_of(place: int) -> tuple[int, int, tuple[bool, int], int]:
        deals = question.dealt.get(table.units[place], DealCounts())
        last_deal = deals.dealt_before
        # A unit that never dealt comes before those that did.
        return deals.opened, deals.dealt, (last_deal is not None, last_deal or 0), place

    return replace(table, opener=min(range(len(table.units)), key=deals_of))


def broken_wish(seating: RoundSeating, wishes: Wishes) -> UnseatableError | None:
    """Return the error for the first pair that sits together against a wish, if there is one."""
    apart = gettext_noop("%(who)s are not to meet at one table.")
    not_partners = gettext_noop("%(who)s are not to be partners.")
    for table in seating.tables:
        sides = [{table.units[place] for place in side} for side in table.shape.sides]
        # Units that sit together, pairs of which none may be among them, and the error's template.
        checks = [(set(table.units), wishes.apart, apart)]
        checks += [(side, wishes.not_partners, not_partners) for side in sides]
        for together, pairs, template in checks:
            for pair in pairs:
                if pair <= together:
                    return UnseatableError("swap-wish", template, units=tuple(sorted(pair)))
    return None
