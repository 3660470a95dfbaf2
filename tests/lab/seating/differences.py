"""Find columns of differences: for tables of a size, rounds in which nobody meets twice.

    python -m tests.lab.seating.differences > tracker/movements/columns.json

A column says for every player of a table how far their group has moved on in that round. If,
modulo the number of tables, any two groups are never twice as far apart, then two players
meet once at most. Only numbers of tables of which algebra alone knows fewer rounds are tried.
"""

import json
from collections.abc import Sequence
from random import Random

from tracker.movements.stored_plans import LETTERS, social_golfer

_PLAYERS, _ROUNDS, _SIZES = 101, 15, range(3, 9)
_TRIES, _LOOKS = 200, 3_000
Columns = list[tuple[int, ...]]


def main() -> None:
    designs = {}
    for size in _SIZES:
        for tables in range(size + 1, _PLAYERS // size + 1):
            known = len(social_golfer(tables, size, stored=False))
            if known < min(tables - 1, _ROUNDS):
                columns = search(tables, size)
                if len(columns) > known:
                    designs[f"{tables}x{size}"] = " ".join(
                        "".join(LETTERS[moved] for moved in column) for column in columns
                    )
    print(json.dumps(designs, indent=0))


def search(tables: int, size: int) -> Columns:
    """Return the most columns that some tries find, one try after the other."""
    best: Columns = []
    wanted = min(tables, _ROUNDS)
    for seed in range(_TRIES):
        columns = _Search(tables, size, wanted, Random(seed)).run()
        best = max(best, columns, key=len)
        if len(best) == wanted:
            break
    return best


class _Search:
    """One try: columns in the order of what comes first, and back where it goes no further."""

    def __init__(self, tables: int, size: int, wanted: int, rng: Random) -> None:
        self.tables, self.size, self.wanted, self.rng = tables, size, wanted, rng
        self.columns: Columns = []
        self.best: Columns = []
        self.looks = 0

    def run(self) -> Columns:
        self._next(0, [0] * (self.size * (self.size - 1) // 2))
        return self.best

    def _next(self, first: int, used: Sequence[int]) -> bool:
        """Go on with columns whose second group has moved by *first* or more."""
        if len(self.columns) > len(self.best):
            self.best = list(self.columns)
        if len(self.columns) == self.wanted:
            return True
        if len(self.columns) + self.tables - first <= len(self.best):
            return False  # there are no more to come than would be level
        begun = [used[0] | 1 << first, *used[1:]]
        if self._complete([0, first], begun):
            return True
        return self.looks <= _LOOKS and self._next(first + 1, used)

    def _complete(self, column: list[int], used: Sequence[int]) -> bool:
        """Go on with this column, of whose differences those in *used* are taken."""
        self.looks += 1
        if self.looks > _LOOKS:
            return False
        if len(column) == self.size:
            self.columns.append(tuple(column))
            if self._next(column[1] + 1, used):
                return True
            self.columns.pop()
            return False
        group = len(column)
        for moved in self.rng.sample(range(self.tables), self.tables):
            after = list(used)
            for other, before in enumerate(column):
                bit = 1 << (moved - before) % self.tables
                pair = group * (group - 1) // 2 + other
                if after[pair] & bit:
                    break
                after[pair] |= bit
            else:
                if self._complete([*column, moved], after):
                    return True
        return False


if __name__ == "__main__":
    main()
