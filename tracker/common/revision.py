"""A revision: what was read of everything that a page shows, short enough to be asked for often."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Revision:
    """It differs from an earlier one whenever anything moved in between that the page shows."""

    state: str
    playing: bool  # cards are on a table just now
