"""Starters and patterns as puzzles: who may swap, and what must come out how often.

A puzzle has *kinds* of couples that must be partners and opponents so many times: of a starter,
couples with the same difference; of a pattern, the same copies, or where it turns, such as are
turned into each other.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

FULL, OWN, BOTH = "full", "own", "both"

# Which of the places at a table are partners, and which opponents: all four of a full table; of
# two copies who are each their own partners; of two who are partners and their own opponents.
PARTNERS = {FULL: ((0, 1), (2, 3)), OWN: ((0, 0), (1, 1)), BOTH: ((0, 1),)}
OPPONENTS = {
    FULL: ((0, 2), (0, 3), (1, 2), (1, 3)),
    OWN: ((0, 1), (0, 1)),
    BOTH: ((0, 1), (0, 0), (1, 1)),
}
SEATS = {FULL: 4, OWN: 2, BOTH: 2}


@dataclass(frozen=True, slots=True, kw_only=True)
class Puzzle:
    """Rounds of tables to fill, and how often each kind of couple must be partners.

    Each is to be opponents twice as often. A round in ``turned`` is only the third part that
    makes a whole one when it is turned, by ``step`` players at a time.
    """

    players: tuple[int, ...]
    rounds: tuple[tuple[str, ...], ...]
    kinds: tuple[tuple[int, ...], ...]
    partners: tuple[int, ...]
    turned: frozenset[int] = frozenset()
    step: int = 0

    def first(self, number: int, rng: Random) -> list[int]:
        """Return those to be seated in a round, by lot."""
        players = list(self.players[: self.step] if number in self.turned else self.players)
        rng.shuffle(players)
        return players


def _kinds(size: int, name: Callable[[int, int], object]) -> tuple[tuple[int, ...], ...]:
    numbers: dict[object, int] = {}
    return tuple(
        tuple(numbers.setdefault(name(player, other), len(numbers)) for other in range(size))
        for player in range(size)
    )


def starter(size: int) -> Puzzle:
    """Return the puzzle of a first round of so many players."""
    still = size - 1 if size % 4 == 0 else None
    turns = size if still is None else size - 1

    def difference(player: int, other: int) -> int | None:
        if still in (player, other):
            return None if player != other else 0
        return min((player - other) % turns, (other - player) % turns)

    kinds = _kinds(size, difference)
    players = tuple(range(still is None, size))
    return Puzzle(
        players=players,
        rounds=((FULL,) * (size // 4),),
        kinds=kinds,
        partners=(0, *(1,) * max(map(max, kinds))),
    )


def pattern(copies: int) -> Puzzle:
    """Return the puzzle of a pattern of so many copies: of 12, one that turns by four copies."""
    rounds: dict[int, Sequence[tuple[str, ...]]] = {
        4: [(FULL,), (OWN, OWN), (BOTH, BOTH), (BOTH, BOTH)],
        8: [(FULL, FULL)] * 2 + [(FULL, BOTH, BOTH)] * 4 + [(FULL, OWN, OWN)] * 2,
        12: [(FULL,)] * 3 + [(FULL, FULL, BOTH, BOTH)] + [(FULL, FULL, OWN, BOTH)] * 2,
    }
    step = 4 if copies == 12 else copies

    def turned(copy: int, other: int) -> tuple[int, ...]:
        return min(
            tuple(sorted(((copy + turn) % copies, (other + turn) % copies)))
            for turn in range(0, copies, step)
        )

    kinds = _kinds(copies, turned)
    return Puzzle(
        players=tuple(range(copies)),
        rounds=tuple(rounds[copies]),
        kinds=kinds,
        partners=(1,) * (1 + max(map(max, kinds))),
        turned=frozenset(range(3)) if copies == 12 else frozenset(),
        step=step,
    )
