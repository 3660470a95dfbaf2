"""Choosing who goes on to a stage of a tournament: the best, in groups, with partners."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")


def cut(placed: Sequence[tuple[int, T]], best: int) -> tuple[tuple[T, ...], tuple[T, ...]]:
    """Return the first *best* items (a number) of *placed*: pairs of place and item, best first.

    If that parts a tie, only some of its items are among the first; then all of them follow.

    >>> cut([(1, "Asha"), (2, "Juma"), (2, "Neema"), (4, "Omari")], 2)
    (('Asha', 'Juma'), ('Juma', 'Neema'))
    """
    tied: tuple[T, ...] = ()
    if 0 < best < len(placed) and placed[best - 1][0] == placed[best][0]:
        tied = tuple(item for place, item in placed if place == placed[best][0])
    return tuple(item for _, item in placed[:best]), tied


def snake_groups(items: Sequence[T], groups: int) -> list[list[T]]:
    """Return the items, the strongest first, dealt into this number of *groups*, forth and back.

    >>> snake_groups([1, 2, 3, 4, 5, 6, 7], 3)
    [[1, 6, 7], [2, 5], [3, 4]]
    """
    dealt: list[list[T]] = [[] for _ in range(groups)]
    for position, item in enumerate(items):
        turn, group = divmod(position, groups)
        dealt[groups - 1 - group if turn % 2 else group].append(item)
    return dealt


def interleave(lists: Sequence[Sequence[T]]) -> list[T]:
    """Return the first of each list, then the second of each, and so on.

    >>> interleave(["ace", "b", "dog"])
    ['a', 'b', 'd', 'c', 'o', 'e', 'g']
    """
    longest = max(map(len, lists), default=0)
    return [each[index] for index in range(longest) for each in lists if index < len(each)]


@dataclass(frozen=True, slots=True, kw_only=True)
class PartnerChoice(Generic[T]):
    """The teams so far (the last may be incomplete), and who chooses from the ``free``.

    The ``chooser`` is the first of the incomplete team, or ``None`` when all are complete.
    """

    teams: tuple[tuple[T, ...], ...]
    chooser: T | None
    free: tuple[T, ...]

    @property
    def row(self) -> tuple[T, ...]:
        """Return the members of all teams in one row, partners side by side."""
        return tuple(item for team in self.teams for item in team)


def partner_choice(everybody: Sequence[T], chosen: Sequence[T], size: int) -> PartnerChoice[T]:
    """Return how far the choice of partners has come; *everybody* is listed best first.

    The best item without a team chooses partners for a team of this *size*, then the next best
    without one, and so on; *chosen* are the partners in the order in which they were chosen. A
    chosen item that is not free is passed over. The last *size* items or fewer make the last team.

    >>> partner_choice(["Asha", "Juma", "Neema", "Omari"], ["Neema"], 2).teams
    (('Asha', 'Neema'), ('Juma', 'Omari'))
    """
    free, teams = list(everybody), []
    partners = list(dict.fromkeys(chosen))
    team: list[T] = []  # the incomplete one, the last of ``teams``; empty if all are complete
    while len(free) > size or team:
        if not team:
            team = [free.pop(0)]
            teams.append(team)
        partners = [item for item in partners if item in free]
        if len(team) < size and partners:
            free.remove(partners[0])
            team.append(partners.pop(0))
        if len(team) == size:
            team = []
        elif not partners:
            break  # the first of this team has to choose now
    if not team and free:
        teams.append(free)
        free = []
    return PartnerChoice(
        teams=tuple(map(tuple, teams)), chooser=team[0] if team else None, free=tuple(free)
    )
