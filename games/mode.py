"""Modes: how people sit in the direction of play, and the sides they make."""

from collections.abc import Iterable
from dataclasses import dataclass

from games.errors import gettext_noop


@dataclass(frozen=True, slots=True)
class Mode:
    """A number of seats and the sides that score together.

    Seats count from 0 in the direction of play. ``code`` is the players and how
    they side: ``4t2`` is four in teams of two, ``5i`` five individuals.

    >>> Mode("4t2", 4, ((0, 2), (1, 3)), "four in two pairs").side_of(3)
    1
    """

    code: str
    seats: int
    sides: tuple[tuple[int, ...], ...]
    name: str

    def side_of(self, seat: int) -> int:
        """Return the side this seat scores with."""
        return next(side for side, seats in enumerate(self.sides) if seat in seats)

    def after(self, seat: int, steps: int = 1) -> int:
        """Return the seat that many steps on in the direction of play."""
        return (seat + steps) % self.seats

    @property
    def individual(self) -> bool:
        """Say whether everybody plays alone."""
        return len(self.sides) == self.seats

    @property
    def letters(self) -> tuple[str, ...]:
        """Return what sides are called on paper: A, B, C; nothing where everybody plays alone."""
        return tuple(
            "" if self.individual else side_letter(side) for side in range(len(self.sides))
        )


def side_letter(side: int) -> str:
    """Return what a side is called in writing, whatever the mode: A, B, C."""
    return chr(ord("A") + side)


_ALONE = (
    gettext_noop("two, each alone"),
    gettext_noop("three, each alone"),
    gettext_noop("four, each alone"),
    gettext_noop("five, each alone"),
    gettext_noop("six, each alone"),
    gettext_noop("seven, each alone"),
    gettext_noop("eight, each alone"),
    gettext_noop("nine, each alone"),
    gettext_noop("ten, each alone"),
    gettext_noop("eleven, each alone"),
    gettext_noop("twelve, each alone"),
    gettext_noop("thirteen, each alone"),
    gettext_noop("fourteen, each alone"),
    gettext_noop("fifteen, each alone"),
    gettext_noop("sixteen, each alone"),
    gettext_noop("seventeen, each alone"),
    gettext_noop("eighteen, each alone"),
    gettext_noop("nineteen, each alone"),
    gettext_noop("twenty, each alone"),
)


def individuals(seats: int, name: str | None = None) -> Mode:
    """Return the mode in which this many players, two to twenty, each play alone.

    >>> individuals(3).name, individuals(3).sides
    ('three, each alone', ((0,), (1,), (2,)))
    """
    name = _ALONE[seats - 2] if name is None else name
    return Mode(f"{seats}i", seats, tuple((seat,) for seat in range(seats)), name)


def teams(seats: int, of: int, name: str) -> Mode:
    """Return the mode in which teams of this size sit evenly round the table.

    >>> teams(6, 2, "six in three pairs").sides
    ((0, 3), (1, 4), (2, 5))
    """
    number = seats // of
    sides = tuple(tuple(range(side, seats, number)) for side in range(number))
    return Mode(f"{seats}t{of}", seats, sides, name)


def listed_modes(modes: Iterable[Mode]) -> str:
    """List modes by their codes, with what each is.

    >>> listed_modes([individuals(2, "two, each alone"), individuals(3, "three, each alone")])
    '2i (two, each alone), 3i (three, each alone)'
    """
    return ", ".join(f"{mode.code} ({mode.name})" for mode in modes)
