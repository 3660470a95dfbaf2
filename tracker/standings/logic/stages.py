"""Choosing who goes on to a stage of a tournament: the best, in groups, with partners."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut(Generic[T]):
    """Those who are ``inside``, the best first; ``level`` are all who tie for the last places."""

    inside: tuple[T, ...]
    level: tuple[T, ...]


def cut(placed: Sequence[tuple[int, T]], best: int) -> Cut[T]:
    """Return the *best* so many of the items, which come as pairs of place and item, best first.

    If a tie would be parted, the first of the tied items are inside, and all of them ``level``.

    >>> cut([(1, "Asha"), (2, "Juma"), (2, "Neema"), (4, "Omari")], 2)
    Cut(inside=('Asha', 'Juma'), level=('Juma', 'Neema'))
    """
    inside = tuple(item for _, item in placed[:best])
    level: tuple[T, ...] = ()
    if 0 < best < len(placed) and placed[best - 1][0] == placed[best][0]:
        level = tuple(item for place, item in placed if place == placed[best][0])
    return Cut(inside=inside, level=level)


def snake_groups(items: Sequence[T], groups: int) -> list[list[T]]:
    """Return the items, the strongest first, dealt into so many groups, forth and back.

    >>> snake_groups([1, 2, 3, 4, 5, 6, 7], 3)
    [[1, 6, 7], [2, 5], [3, 4]]
    """
    dealt: list[list[T]] = [[] for _ in range(groups)]
    for position, item in enumerate(items):
        turn, at = divmod(position, groups)
        dealt[groups - 1 - at if turn % 2 else at].append(item)
    return dealt


def interleave(lists: Sequence[Sequence[T]]) -> list[T]:
    """Return the first of each list, then the second of each, and so on.

    >>> interleave(["ace", "b", "dog"])
    ['a', 'b', 'd', 'c', 'o', 'e', 'g']
    """
    longest = max(map(len, lists), default=0)
    return [each[position] for position in range(longest) for each in lists if position < len(each)]


@dataclass(frozen=True, slots=True, kw_only=True)
class PartnerChoice(Generic[T]):
    """The teams so far, and who chooses next from the ``free``; ``chooser`` is ``None`` at the end."""

    teams: tuple[tuple[T, ...], ...]  # the last may be incomplete
    chooser: T | None
    free: tuple[T, ...]

    @property
    def row(self) -> tuple[T, ...]:
        """Return the members of all teams in one row, partners side by side."""
        return tuple(item for team in self.teams for item in team)


def partner_choice(everybody: Sequence[T], chosen: Sequence[T], size: int) -> PartnerChoice[T]:
    """Return how far the choice of partners is; *everybody* is listed best first.

    The best one without a team chooses partners for a team of this *size*, then the next;
    *chosen* are these partners one after another. Those left make the last team. Whoever is not
    free is passed over.

    >>> partner_choice(["Asha", "Juma", "Neema", "Omari"], ["Neema"], 2).teams
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
    return PartnerChoice(
        teams=tuple(map(tuple, teams)), chooser=team[0] if team else None, free=tuple(free)
    )
