"""Who is who at a table in the terminal, and what is said of them."""

import re
from dataclasses import dataclass
from typing import Any

from games.mode import Mode
from games.wording import AtSeat, OnSide, Text

_BEGINNING = re.compile(r"(?<=[.!?] )s(?=eats? \d)")  # of a second sentence


@dataclass(frozen=True, slots=True)
class Names:
    """What the seats and the sides of a table are called."""

    seats: tuple[str, ...]
    sides: tuple[str, ...]

    def tell(self, text: Text | str) -> str:
        """Return the sentence with everybody's name in it."""
        told = _BEGINNING.sub(lambda found: found[0].upper(), str(self._filled(text)))
        return told[:1].upper() + told[1:]

    def _filled(self, value: Any) -> Any:
        match value:
            case AtSeat(seat):
                return self.seats[seat]
            case OnSide(side):
                return self.sides[side]
            case Text(template, params):
                return template % {key: self._filled(param) for key, param in params.items()}
            case _:
                return value


def names(mode: Mode, sitting: tuple[str, ...]) -> Names:
    """Name the seats after who sits there, and a side of several after its seats.

    >>> from games.mode import teams
    >>> names(teams(4, 2, ""), ("you", "steady", "strong", "steady")).sides
    ('seats 0 and 2 (you and strong)', 'seats 1 and 3 (steady and steady)')
    """
    seats = tuple(f"seat {seat} ({who})" for seat, who in enumerate(sitting))
    if mode.individual:
        return Names(seats, tuple(seats[side[0]] for side in mode.sides))
    return Names(
        seats,
        tuple(
            f"seats {_together(map(str, side))} ({_together(sitting[seat] for seat in side)})"
            for side in mode.sides
        ),
    )


def _together(words: Any) -> str:
    *others, last = words
    return f"{', '.join(others)} and {last}"
