"""Changes to a seating by hand: a swap of two units, and the wishes it breaks."""

from dataclasses import replace

from games.errors import gettext_noop
from tracker.seating.logic.movements.seam import (
    Dealt,
    OpenedBy,
    Question,
    RoundSeating,
    TableSeating,
    UnseatableError,
    Wishes,
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
        dealt = question.dealt.get(table.units[place], Dealt())
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
