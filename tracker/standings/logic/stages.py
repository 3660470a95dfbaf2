"""Stages: who goes on to one, in which groups, with which partners, and what they bring along."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, TypeVar

T = TypeVar("T")
H = TypeVar("H", bound=Hashable)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut(Generic[T]):
    """Who is in, the best first; ``level`` are all who tie for the last places, if some do."""

    inside: tuple[T, ...]
    level: tuple[T, ...]


def cut(placed: Sequence[tuple[int, T]], best: int) -> Cut[T]:
    """Return the *best* so many of those *placed*, who come with their places, the best first.

    Where equals would be parted by it, the first of them are in, and all of them ``level``.

    >>> cut([(1, "Asha"), (2, "Juma"), (2, "Neema"), (4, "Omari")], 2)
    Cut(inside=('Asha', 'Juma'), level=('Juma', 'Neema'))
    """
    inside = tuple(item for _, item in placed[:best])
    level: tuple[T, ...] = ()
    if 0 < best < len(placed) and placed[best - 1][0] == placed[best][0]:
        level = tuple(item for place, item in placed if place == placed[best][0])
    return Cut(inside=inside, level=level)


def snake(items: Sequence[T], groups: int) -> list[list[T]]:
    """Deal the items, the strongest first, into so many groups, forth and back.

    >>> snake([1, 2, 3, 4, 5, 6, 7], 3)
    [[1, 6, 7], [2, 5], [3, 4]]
    """
    dealt: list[list[T]] = [[] for _ in range(groups)]
    for position, item in enumerate(items):
        turn, at = divmod(position, groups)
        dealt[groups - 1 - at if turn % 2 else at].append(item)
    return dealt


def in_turn(lists: Sequence[Sequence[T]]) -> list[T]:
    """Return the first of each list, then the second of each, and so on.

    >>> in_turn(["ace", "b", "dog"])
    ['a', 'b', 'd', 'c', 'o', 'e', 'g']
    """
    longest = max(map(len, lists), default=0)
    return [each[position] for position in range(longest) for each in lists if position < len(each)]


def brought(people: Iterable[H], before: Sequence[Mapping[H, Fraction]]) -> Fraction:
    """Return what *people* who play together bring along: the average of those who bring anything.

    Everybody brings what they had in the first of the stages *before* in which they played.

    >>> qualifying = {"Asha": Fraction(7), "Juma": Fraction(4)}
    >>> brought(["Asha", "Juma"], [qualifying]), brought(["Asha", "Omari"], [qualifying])
    (Fraction(11, 2), Fraction(7, 1))
    """
    amounts = [
        next(stage[person] for stage in before if person in stage)
        for person in people
        if any(person in stage for stage in before)
    ]
    return sum(amounts, Fraction(0)) / max(1, len(amounts))


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
