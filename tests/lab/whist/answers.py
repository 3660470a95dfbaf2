"""What a search found, as it is written down where schedules are built."""

from collections.abc import Sequence
from itertools import chain

from tests.lab.whist.annealing import solve
from tests.lab.whist.puzzles import FULL, OWN, pattern, starter
from tracker.movements.whist import Row


def found_starter(size: int, seed: int) -> Row:
    """Return a first round."""
    ((*tables,),) = solve(starter(size), seed)
    return tuple(chain(*(_table(form, players) for form, players in tables)))


def found_pattern(copies: int, seed: int) -> tuple[Row, ...]:
    """Return rounds of tables that name copies; those that turn are written out."""
    puzzle = pattern(copies)
    turns = range(0, copies, puzzle.step)
    rounds: list[Row] = []
    for number, tables in enumerate(solve(puzzle, seed)):
        turned = [
            tuple(
                chain(
                    *(
                        _table(form, [(place + turn) % copies for place in players])
                        for form, players in tables
                    )
                )
            )
            for turn in turns
        ]
        rounds += [tuple(chain.from_iterable(turned))] if number in puzzle.turned else turned
    return tuple(rounds)


def _table(form: str, copies: Sequence[int]) -> Row:
    if form == FULL:
        a, b, c, d = copies
        return a, c, b, d
    copy, other = copies
    return (copy, other, copy, other) if form == OWN else (copy, copy, other, other)
