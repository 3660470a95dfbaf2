"""Progress of a table in its round, and whether a match is level."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


class RoundLength(Protocol):
    """An object with the length of a round in hands or in games; both are None without one."""

    @property
    def hands(self) -> int | None: ...
    @property
    def games(self) -> int | None: ...


def is_level(side_points: Sequence[int] | None, decided_side: int | None) -> bool:
    """Return whether the sides of an undecided match have equal points."""
    return side_points is not None and decided_side is None and len(set(side_points)) == 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How many results a table has and should have: of hands, or of games if it counts games.

    A *struck* hand, one that was undone or taken out, does not count.
    """

    done: int  # results of hands or games that were played to their end
    not_played: int  # results that were entered without playing
    of: int | None  # how many results there should be in all; ``None`` without a set length
    # Whether it is a knock-out match with equal points and no decision on who won.
    level: bool = False
    # Whether all results came, but the match is level, so that another result is expected.
    one_more: bool = False

    @classmethod
    def of_counts(
        cls,
        length: RoundLength,
        *,
        hands_standing: int,
        games_over: int,
        not_played: int,
        level: bool = False,
    ) -> "Progress":
        """Return the progress from a table's counts; *hands_standing* include those not played."""
        in_games = length.games is not None
        of = length.games if in_games else length.hands
        done = games_over if in_games else hands_standing - not_played
        one_more = level and of is not None and done + not_played >= of
        # A table may have more results than the length says. As a number, ``one_more`` is 0 or 1.
        if of is not None:
            of = max(of, done + not_played + one_more)
        return cls(done=done, not_played=not_played, of=of, level=level, one_more=one_more)

    @property
    def done_or_not(self) -> int:
        """Return the number of results, including those not played."""
        return self.done + self.not_played

    @property
    def whole(self) -> bool:
        """Return whether no more results are expected."""
        return self.of is not None and not self.owed

    @property
    def owed(self) -> int:
        """Return the number of results still to come."""
        return 0 if self.of is None else max(0, self.of - self.done_or_not)
