"""Monte Carlo: a move chosen by trying each of them in many worlds that could be the true one.

A *world* is a whole position, its hidden cards dealt out as one of the ways they may
lie. All moves are tried in the same worlds, so that luck touches them alike; those
that fall clearly behind are tried no further (a race).
"""

from collections.abc import Callable, Sequence
from math import sqrt, tanh
from random import Random
from time import perf_counter
from typing import TypeVar

from games.play.playing import Budget, Prospect

WorldT = TypeVar("WorldT")
MoveT = TypeVar("MoveT")

_HEAT = 16  # worlds between two looks at who has fallen behind
_BEHIND = 2.6  # standard errors behind the leader that end a move's race
_AHEAD_OF_ONE = 15  # points: scale of a lead over one of several opponents
_CLEAR = 30  # points: so far ahead, a few more hardly issue


def best_move(
    moves: Sequence[MoveT],
    *,
    world: Callable[[Random], WorldT],
    worth: Callable[[WorldT, MoveT], float],
    rng: Random,
    budget: Budget,
    usual: int,
) -> MoveT:
    """Return the move worth most on average over the worlds there was time for.

    ``world(rng)`` deals out what is hidden; ``worth(world, move)`` says what the move
    leads to there for whoever is to move, and leaves the world as it was. Without a
    budget *usual* worlds are looked at. The same dice and number of worlds give the
    same move; a budget of seconds depends on the machine.
    """
    if len(moves) == 1:
        return moves[0]
    until = None if budget.seconds is None else perf_counter() + budget.seconds
    most = budget.iterations or (usual if until is None else None)
    race = _Race(len(moves))
    worlds = 0
    while len(race.running) > 1 and (most is None or worlds < most):
        here = world(rng)
        race.note({place: worth(here, moves[place]) for place in race.running})
        worlds += 1
        if worlds % _HEAT == 0:
            race.leave_behind(worlds)
        if until is not None and perf_counter() >= until:
            break
    return moves[race.leader()]


def weigh(
    moves: Sequence[MoveT],
    *,
    world: Callable[[Random], WorldT],
    prospect: Callable[[WorldT, MoveT], Prospect],
    rng: Random,
    worlds: int,
) -> list[Prospect]:
    """Return what every move leads to on average, all of them in the same worlds."""
    merits, amounts = [0.0] * len(moves), [0.0] * len(moves)
    for _ in range(worlds):
        here = world(rng)
        for place, move in enumerate(moves):
            seen = prospect(here, move)
            merits[place] += seen.merit
            amounts[place] += seen.amount
    return [
        Prospect(merit / worlds, amount / worlds)
        for merit, amount in zip(merits, amounts, strict=True)
    ]


class _Race:
    """Sums of what each move was worth, and of how far two of them differed."""

    def __init__(self, moves: int) -> None:
        self.running = list(range(moves))
        self._sums = [0.0] * moves
        # Squares of the differences, by pair: luck common to both drops out.
        self._apart = [[0.0] * moves for _ in range(moves)]

    def note(self, worths: dict[int, float]) -> None:
        for place, worth in worths.items():
            self._sums[place] += worth
            row = self._apart[place]
            for other, others_worth in worths.items():
                row[other] += (worth - others_worth) ** 2

    def leader(self) -> int:
        return max(self.running, key=self._sums.__getitem__)

    def leave_behind(self, worlds: int) -> None:
        """Drop the moves that trail the leader by more than chance explains."""
        first = self.leader()

        def in_reach(place: int) -> bool:
            lead = (self._sums[first] - self._sums[place]) / worlds
            spread = self._apart[first][place] / worlds - lead * lead
            return lead <= _BEHIND * sqrt(max(spread, 0.0) / worlds)

        # An equal never goes: with no lead there is nothing to exceed.
        self.running = [place for place in self.running if place == first or in_reach(place)]


def equity(points: Sequence[float], side: int) -> float:
    """Return what these totals are good for: from -1 to 1, steepest where the win is decided.

    Among more than two sides half of it is how many of the others are left behind: the win is
    seldom in reach, and card points decide between those who have won as often.
    """
    leads = [points[side] - total for place, total in enumerate(points) if place != side]
    win = tanh(min(leads) / _CLEAR)
    if len(leads) == 1:
        return win
    return (win + sum([tanh(lead / _AHEAD_OF_ONE) for lead in leads]) / len(leads)) / 2
