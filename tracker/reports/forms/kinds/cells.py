"""A cell of a spreadsheet: what people write there, and the heading above it."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from tracker.models import name_key


class Unreadable(ValueError):
    """A cell that says nothing this question knows, with a sentence that says so."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a file: its heading, and whose answer it holds."""

    heading: str
    place: int | None


def seat_called(cell: str, *people: Sequence[str]) -> int:
    """Return the seat of the one whom a cell names; *people* are lists of names by seat.

    :raises Unreadable: if nobody at the table is called so, or several are.
    """
    wanted = name_key(cell)
    for names in people:
        seats = [seat for seat, name in enumerate(names) if name_key(name) == wanted]
        if len(seats) == 1:
            return seats[0]
    raise Unreadable(_("Nobody at this table is called “%(name)s”.") % {"name": cell.strip()})
