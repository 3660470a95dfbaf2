"""Swap two units at a time, ever more choosy, until nothing repeats or the moves are spent."""

from collections.abc import Callable
from dataclasses import dataclass
from math import exp
from random import Random

from tracker.seating.logic.movements.board import Board


@dataclass(frozen=True, slots=True, kw_only=True)
class Effort:
    """How many swaps are looked at, and from which temperature to which; it falls evenly."""

    moves: int
    warm: float
    cold: float
    steps: int = 40


def anneal(board: Board, effort: Effort, rng: Random, *, good: int = 0) -> int:
    """Leave the board at the best that was seen, and return what that costs.

    Stops early where nothing costs more than *good*.
    """
    places = [place for free in board.free for place in free]
    rounds = [free for free in board.free for _ in free]
    if not places:
        return board.cost()
    cost = best = board.cost()
    best_at = list(board.at)
    change, swap, random = board.changes(), board.swap, rng.random
    side, at = board.side, board.at
    forbids = _forbids(board)
    number = len(places)
    for step in range(effort.steps):
        if best <= good:
            break
        heat = effort.warm * (effort.cold / effort.warm) ** (step / max(effort.steps - 1, 1))
        chances = [exp(-rise / heat) for rise in range(int(heat * 12) + 2)]
        most = len(chances)
        for _ in range(effort.moves // effort.steps):
            index = int(random() * number)
            here, others = places[index], rounds[index]
            there = others[int(random() * len(others))]
            if there in side[here]:
                continue
            rise = change(here, there)
            if rise > 0 and (rise >= most or random() >= chances[rise]):
                continue
            if forbids and forbids(here, there):
                continue
            swap(here, there)
            cost += rise
            if cost < best:
                best = cost
                best_at = list(at)
                if best <= good:
                    break
    board.seat(best_at)
    return best


def _forbids(board: Board) -> Callable[[int, int], bool] | None:
    """Return a check for swaps that put a unit where it is barred, ``None`` if none is barred."""
    if not any(table.barred for table in board.tables):
        return None
    at = board.at
    barred = [board.tables[table].barred for table in board.table]

    def forbids(here: int, there: int) -> bool:
        return at[here] in barred[there] or at[there] in barred[here]

    return forbids
