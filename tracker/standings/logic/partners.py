"""Choosing partners: whose turn it is, the best choosing first."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Choosing(Generic[T]):
    """The teams so far, and who chooses next from whom; ``chooser`` is ``None`` at the end."""

    teams: tuple[tuple[T, ...], ...]  # the last may still be short
    chooser: T | None
    free: tuple[T, ...]

    @property
    def row(self) -> tuple[T, ...]:
        """Return the members of all teams, partners after one another."""
        return tuple(item for team in self.teams for item in team)


def choosing(everybody: Sequence[T], chosen: Sequence[T], size: int) -> Choosing[T]:
    """Return the state of the choice of partners; *everybody* is listed best first.

    *chosen* are those whom the best without a team chose, one after another, for teams of
    this *size*. Those left make the last team. A name that is not free is passed over.

    >>> choosing(["Asha", "Juma", "Neema", "Omari"], ["Neema"], 2).teams
    (('Asha', 'Neema'), ('Juma', 'Omari'))
    """
    free, teams = list(everybody), []
    coming = [item for item in dict.fromkeys(chosen) if item in free]
    team: list[T] = []
    while len(free) > size or team:
        if not team:
            team = [free.pop(0)]
            teams.append(team)
        coming = [item for item in coming if item in free]
        if len(team) < size and coming:
            free.remove(coming[0])
            team.append(coming.pop(0))
        if len(team) == size:
            team = []
        elif not coming:
            break
    if not team and free:
        teams.append(free)
        free = []
    return Choosing(
        teams=tuple(map(tuple, teams)), chooser=team[0] if team else None, free=tuple(free)
    )
