"""How far a table is in its round."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


class RoundLength(Protocol):
    """Anything that has the length of a round: in hands, in games, or neither."""

    @property
    def hands(self) -> int | None: ...
    @property
    def games(self) -> int | None: ...


def is_level(side_points: Sequence[int] | None, decided_side: int | None) -> bool:
    """Say whether all sides of a match have equal points and it is not decided."""
    return side_points is not None and decided_side is None and len(set(side_points)) == 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How many results of its round a table has, and of how many: hands, or whole games.

    Struck hands count for nothing. ``not_played`` are results that were written down
    without a card being dealt; ``of`` is ``None`` where a round has no set length.
    ``level`` says that the table is a match of a bracket whose sides have equal points and which
    is not decided. If it has played the round's length, ``one_more`` result is expected.
    """

    done: int
    not_played: int
    of: int | None
    level: bool = False
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
        """Return a table's progress from its counts: hands, games that ended, results not played."""
        in_games = length.games is not None
        of = length.games if in_games else length.hands
        done = games_over if in_games else hands_standing - not_played
        one_more = level and of is not None and done + not_played >= of
        if of is not None:
            of = max(of, done + not_played + one_more)
        return cls(done=done, not_played=not_played, of=of, level=level, one_more=one_more)

    @property
    def done_or_not(self) -> int:
        """Return how many results are written down, those not played included."""
        return self.done + self.not_played

    @property
    def whole(self) -> bool:
        """Say whether nothing more is expected."""
        return self.of is not None and not self.owed

    @property
    def owed(self) -> int:
        """Return how many results are still to come."""
        return 0 if self.of is None else max(0, self.of - self.done_or_not)
