"""How far a table is in its round."""

from dataclasses import dataclass
from typing import Protocol


class Length(Protocol):
    """Whatever says how long a round is: in hands, in games, or neither."""

    @property
    def hands(self) -> int | None: ...
    @property
    def games(self) -> int | None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How many results of its round a table has, and of how many: hands, or whole games.

    Struck hands count for nothing. ``not_played`` are results that were written down
    without a card being dealt; ``of`` is ``None`` where a round has no set length.
    """

    done: int
    not_played: int
    of: int | None

    @classmethod
    def of_counts(
        cls, length: Length, *, hands_standing: int, games_over: int, not_played: int
    ) -> "Progress":
        """Return it from what stands at a table: hands, games that ended, results not played."""
        if length.games is not None:
            return cls(done=games_over, not_played=not_played, of=length.games)
        return cls(done=hands_standing - not_played, not_played=not_played, of=length.hands)

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
