"""Seatings of a round: where a *unit* (key of an entrant) sits, its earlier meetings, and swaps."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace

from games.errors import gettext_noop
from tracker.movements.types import RoundSeating, UnseatableError, Wishes


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

    ``again`` has each unit that the entrant meets in the given round and has met before, with the
    numbers of all rounds in which they met, the given round included. ``partners`` does the same
    for units that are partners in the given round and were partners before. The rest are counts:
    ``rounds`` in which the entrant had a table, ``meetings`` there, and ``repeats``, the meetings
    with a unit met before; ``others``, the other units that had a table in any of all these rounds;
    ``never_met``, those with a table in the given round whom the entrant has not met, even there.
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
        """Return how many repeats there must be: each of ``others`` is met first only once."""
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
    table = next((each for each in seating.tables if unit in each.units), None)
    if table is None:
        return EntrantSeat(table=None, resting=unit in seating.resting)
    place = table.units.index(unit)
    side = next(places for places in table.shape.sides if place in places)  # places, own included
    return EntrantSeat(
        table=table.number,
        partners=tuple(table.units[partner] for partner in side if partner != place),
        opponents=tuple(other for index, other in enumerate(table.units) if index not in side),
        opens=place == table.opener,
    )


def meeting_history(unit: int, rounds: Mapping[int, RoundSeating], number: int) -> MeetingHistory:
    """Return the meetings of a unit up to round *number*, which must be a key of *rounds*."""
    # Keyed by other unit: the numbers of the rounds in which they met, and met as partners.
    met_in: dict[int, list[int]] = defaultdict(list)
    partners_in: dict[int, list[int]] = defaultdict(list)
    numbers = [each for each in sorted(rounds) if each <= number]
    seats = {each: seat_of(rounds[each], unit) for each in numbers}
    for each, seat in seats.items():
        for other in seat.others:
            met_in[other].append(each)
        for other in seat.partners:
            partners_in[other].append(each)
    seated = {other for each in numbers for other in rounds[each].seated}
    met_now = {other: tuple(met_in[other]) for other in seats[number].others}
    partners_now = {other: tuple(partners_in[other]) for other in seats[number].partners}
    return MeetingHistory(
        again={other: met for other, met in met_now.items() if len(met) > 1},
        partners={other: met for other, met in partners_now.items() if len(met) > 1},
        rounds=sum(seat.table is not None for seat in seats.values()),
        meetings=sum(map(len, met_in.values())),
        repeats=sum(len(met) - 1 for met in met_in.values()),  # all but the first meeting
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


def broken_wish(seating: RoundSeating, wishes: Wishes) -> UnseatableError | None:
    """Return the error for the first pair that sits together against a wish, if there is one."""
    apart = gettext_noop("%(who)s are not to meet at one table.")
    not_partners = gettext_noop("%(who)s are not to be partners.")
    for table in seating.tables:
        sides = [{table.units[place] for place in side} for side in table.shape.sides]
        # Units that sit together, the pairs that may not, and the error's template.
        checks = [(set(table.units), wishes.apart, apart)]
        checks += [(side, wishes.not_partners, not_partners) for side in sides]
        for together, pairs, template in checks:
            for pair in pairs:
                if pair <= together:
                    return UnseatableError("swap-wish", template, units=tuple(sorted(pair)))
    return None
