"""How Swiss rounds are paired: ours beside py4swiss, for 20, 50 and 100 entrants.

Both pair the same evenings: whoever is stronger wins more often, a win is one point. In the
columns are meetings repeated, byes of one entrant at most, the difference of points between
those who meet (mean, and the largest), the difference of openings (or White) between any two
who played as often, and the processor time of a round in ms (median and longest).
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from random import Random
from statistics import mean, median
from tempfile import TemporaryDirectory
from time import process_time
from typing import TypeAlias

from tracker.movements.swiss import plan
from tracker.movements.types import OpenedBy, Question, RoundSeating, TableSeating, TableShape

PAIRS = TableShape("4t2", ((0,), (1,)))
EVENINGS = ((20, 7), (20, 8), (21, 7), (50, 8), (50, 9), (51, 9), (100, 10), (100, 11), (101, 11))
SEEDS = 3

Scores: TypeAlias = dict[int, float]
Pairing: TypeAlias = Callable[[list[RoundSeating], Scores, int], RoundSeating]


def ours(
    played: list[RoundSeating],
    scores: Scores,
    rounds: int,
    opened_by: OpenedBy = OpenedBy.TURN,
) -> RoundSeating:
    """Pair a round by the site's own movement, which keeps openings even whatever it costs."""
    levels = sorted(set(scores.values()), reverse=True)
    question = Question(
        present=(tuple(scores),),
        shape=PAIRS,
        played=tuple(played),
        standing=tuple(tuple(unit for unit in scores if scores[unit] == level) for level in levels),
        seeds=tuple(scores),
        opened_by=opened_by,
    )
    coming = plan(question).rounds[0]
    return replace(coming, tables=tuple(replace(table, opener=0) for table in coming.tables))


def by_standing(played: list[RoundSeating], scores: Scores, rounds: int) -> RoundSeating:
    """Pair a round by the site's own movement, where it does not matter who opens."""
    return ours(played, scores, rounds, OpenedBy.TABLE)


def theirs(played: list[RoundSeating], scores: Scores, rounds: int) -> RoundSeating:
    """Pair a round by py4swiss, the FIDE Dutch system, through the file it reads."""
    from py4swiss.engines import DutchEngine
    from py4swiss.trf import TrfParser

    with TemporaryDirectory() as folder:
        file = Path(folder) / "evening.trf"
        file.write_text(_report(played, scores, rounds))
        pairings = DutchEngine.generate_pairings(TrfParser.parse(file))
    return RoundSeating(
        tables=tuple(
            TableSeating(shape=PAIRS, units=(each.white, each.black), opener=0)
            for each in pairings
            if each.white and each.black
        ),
        resting=tuple(each.white or each.black for each in pairings if not each.white * each.black),
    )


def _report(played: list[RoundSeating], scores: Scores, rounds: int) -> str:
    """Return the tournament so far as a FIDE report file (TRF16)."""
    ranks = {unit: rank for rank, unit in enumerate(sorted(scores, key=lambda u: -scores[u]), 1)}
    lines = []
    for unit, points in scores.items():
        line = f"001 {unit:>4} m    {f'Entrant {unit}':<33} {2500 - unit:>4}"
        line = f"{line:<80}{points:>4.1f} {ranks[unit]:>4}"
        for each in played:
            table = next((table for table in each.tables if unit in table.units), None)
            if table is None:
                line += "  0000 - U"
                continue
            place = table.units.index(unit)
            won = (table.merits or ())[place] == (1,)
            line += f"  {table.units[1 - place]:>4} {'wb'[place]} {'1' if won else '0'}"
        lines.append(line)
    return "\n".join(["012 An evening", *lines, f"XXR {rounds}", ""])


def evening(units: int, rounds: int, seed: int, pairing: Pairing) -> dict[str, float]:
    """Play an evening and return what there is to compare."""
    dice = Random(seed)
    strength = {unit: dice.gauss(-unit / units, 0.5) for unit in range(1, units + 1)}
    scores: Scores = dict.fromkeys(strength, 0.0)
    played: list[RoundSeating] = []
    apart, seconds = [], []
    for number in range(rounds):
        began = process_time()
        coming = pairing(played, scores, rounds)
        seconds.append(process_time() - began)
        luck = Random(f"{seed}:{number}")
        shown = {unit: strength[unit] + luck.gauss(0, 0.5) for unit in strength}
        apart += [abs(scores[unit] - scores[opponent]) for unit, opponent in _met(coming)]
        tables = []
        for table in coming.tables:
            winner = max(table.units, key=shown.__getitem__)
            scores[winner] += 1
            merits = tuple((int(unit == winner),) for unit in table.units)
            tables.append(replace(table, merits=merits))
        for unit in coming.resting:
            scores[unit] += 1
        played.append(replace(coming, tables=tuple(tables)))
    meetings = Counter(tuple(sorted(two)) for each in played for two in _met(each))
    opened = Counter(table.units[0] for each in played for table in each.tables)
    rested = Counter(unit for each in played for unit in each.resting)
    return {
        "repeats": sum(times - 1 for times in meetings.values()),
        "byes": max(rested.values(), default=0),
        "apart": mean(apart),
        "far": max(apart),
        "openings": max(
            abs(opened[unit] - opened[other])
            for unit, other in combinations(scores, 2)
            if rested[unit] == rested[other]
        ),
        "median": median(seconds) * 1000,
        "longest": max(seconds) * 1000,
    }


def _met(played: RoundSeating) -> list[tuple[int, int]]:
    return [(table.units[0], table.units[1]) for table in played.tables]


def main() -> None:
    ways: dict[str, Pairing] = {"ours": ours, "by standing": by_standing}
    try:
        import py4swiss  # noqa: F401 - to see whether it is there
    except ImportError:
        print("py4swiss is not installed: pip install -r tests/benchmarks/requirements.txt")
    else:
        ways["py4swiss"] = theirs
    plan(Question(present=((1, 2),), shape=PAIRS))  # the import of networkx is not a round's
    print(
        f"{'entrants':>8} {'rounds':>6} {'':<12}{'repeats':>8}{'byes':>6}{'points apart':>14}"
        f"{'most':>6}{'openings':>10}{'ms':>8}{'longest':>9}"
    )
    for units, rounds in EVENINGS:
        for name, pairing in ways.items():
            runs = [evening(units, rounds, seed, pairing) for seed in range(SEEDS)]
            most = {key: max(run[key] for run in runs) for key in runs[0]}
            print(
                f"{units:>8} {rounds:>6} {name:<12}{most['repeats']:>8.0f}{most['byes']:>6.0f}"
                f"{mean(run['apart'] for run in runs):>14.3f}{most['far']:>6.1f}"
                f"{most['openings']:>10.0f}{median(run['median'] for run in runs):>8.0f}"
                f"{most['longest']:>9.0f}"
            )


if __name__ == "__main__":
    main()
