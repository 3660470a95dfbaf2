"""Which mode suits so many people, and how many tables they make."""

from collections.abc import Sequence

from games.errors import gettext_noop
from games.mode import Mode
from tracker.common.errors import Refused


def at_a_table(mode: Mode, fixed: bool) -> int:
    """Return how many units make a table: one a seat, or one a side where teams are fixed.

    >>> from games.mode import teams
    >>> at_a_table(teams(4, 2, ""), fixed=False), at_a_table(teams(4, 2, ""), fixed=True)
    (4, 2)
    """
    return len(mode.sides) if fixed else mode.seats


def fit(units: int, mode: Mode, fixed: bool) -> tuple[int, int]:
    """Return how many full tables there are, and how many units must rest.

    >>> from games.mode import teams
    >>> fit(13, teams(4, 2, ""), fixed=False)
    (3, 1)
    """
    return divmod(units, at_a_table(mode, fixed))


def check_enough(units: int, mode: Mode, *, fixed: bool) -> None:
    """Make sure that they fill a table.

    :raises Refused: ``too-few``, saying how many it takes.
    """
    if units >= at_a_table(mode, fixed):
        return
    raise Refused(
        "too-few",
        gettext_noop("A table takes %(needed)d teams here, and only %(here)d are chosen.")
        if fixed
        else gettext_noop("A table takes %(needed)d people here, and only %(here)d are chosen."),
        question="people",
        needed=at_a_table(mode, fixed),
        here=units,
    )


def best_mode(players: int, modes: Sequence[Mode]) -> Mode | None:
    """Return the mode that suits so many people, or ``None`` if they are too few for any.

    One table that takes everybody is best. Otherwise few should rest; to play each
    alone weighs as much as one more who rests, and tables of two only seat two. Where
    that leaves a choice, everybody alone sits at few tables, partners as is usual.

    >>> from games.mode import individuals, teams
    >>> modes = (individuals(2, ""), teams(4, 2, ""), individuals(5, ""), teams(6, 2, ""))
    >>> [best_mode(players, modes).code for players in (4, 5, 6, 10, 13, 14)]
    ['4t2', '5i', '6t2', '5i', '4t2', '4t2']
    """

    def order(numbered: tuple[int, Mode]) -> tuple[bool, int, bool, int, int]:
        position, mode = numbered
        tables, resting = fit(players, mode, fixed=False)
        return (
            mode.seats != players,
            resting + mode.individual,
            mode.individual,
            tables if mode.individual else 0,
            position,
        )

    possible = [
        (position, mode)
        for position, mode in enumerate(modes)
        if mode.seats <= players and (mode.seats > 2 or players == 2)
    ]
    return min(possible, key=order)[1] if possible else None
