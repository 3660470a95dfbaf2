"""What people and teams are called on a page: as short as tells two of that page apart."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from tracker.common.names import short_names

_BETWEEN = " & "  # the names of a team that has no other name than its people's


class PageNames(NamedTuple):
    """The short names of a page: by player, and by whole name for those who make a team's."""

    of_player: Mapping[int, str]
    of_name: Mapping[str, str]

    def player(self, key: int | None, name: str) -> str:
        return self.of_player.get(key, name) if key is not None else name

    def team(self, name: str) -> str:
        """Return a team's name, which is made shorter only where it is made of its people's.

        >>> names = page_names([(1, "Asha Mrisho"), (2, "Juma Kapera Hassan")])
        >>> names.team("Asha Mrisho & Juma Kapera Hassan"), names.team("Red Lions & Co")
        ('Asha & Juma', 'Red Lions & Co')
        """
        people = name.split(_BETWEEN)
        if not all(person in self.of_name for person in people):
            return name
        return _BETWEEN.join(self.of_name[person] for person in people)


def page_names(people: Sequence[tuple[int, str]]) -> PageNames:
    """Return what these people are called where all of them are on one page."""
    whole = dict(people)
    short = short_names(whole)
    return PageNames(short, {name: short[key] for key, name in whole.items()})
