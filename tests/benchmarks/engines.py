"""Random hands a second: the readable rules, the kernels, OpenSpiel's C++, Numba and C, by turns.

OpenSpiel, and Numba for a kernel that nothing else asks for, are installed into a virtual
environment of their own, ``.venv-engines``, which takes a minute the first time. Every
engine of ours is held to the readable rules first, and figures are refused if they disagree.
"""

import argparse
import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from statistics import median
from typing import IO, NamedTuple

from tests.benchmarks import plain_c
from tests.benchmarks.apart import ROOT, python_with
from tests.benchmarks.random_hands import Engine, Timed, by_random_playout, by_rules, second_hand

TABLES = {
    "albastini": ("2i", "4t2"),
    "briscola": ("2i", "4t2"),
    "dalmuti": ("4i", "8i"),
    "mambassa": ("4i",),
}


class Row(NamedTuple):
    """One engine: who made it, what it plays, how to time it."""

    maker: str
    game: str
    run: Engine


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--blocks", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=0.3, help="for each block")
    given = parser.parse_args()
    with engines() as rows:
        times: list[list[Timed]] = [[] for _ in rows]
        for block in range(-1, given.blocks):
            for row, timed in zip(rows, times, strict=True):
                sample = row.run(given.seconds)
                if block >= 0:  # the first is to warm up
                    timed.append(sample)
    show(rows, times)


@contextmanager
def engines() -> Iterator[list[Row]]:
    """Yield all engines that can be had here."""
    rows = []
    for slug, codes in TABLES.items():
        for code in codes:
            fold = second_hand(slug, code)
            rows += [
                Row("readable rules", f"{slug} {code}", by_rules(fold)),
                Row("kernel", f"{slug} {code}", by_random_playout(fold)),
            ]
    if run := plain_c.briscola(second_hand("briscola", "2i")):
        rows.append(Row("C", "briscola 2i", run))
    if (python := python_with("engines", called="OpenSpiel and Numba")) is None:
        yield rows
        return
    command = [python, "-m", "tests.benchmarks.engines_apart"]
    with subprocess.Popen(
        command, cwd=ROOT, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin
        assert process.stdout
        names = json.loads(process.stdout.readline() or "null")
        if names is None:
            raise SystemExit(
                "The engines apart did not start, or disagree with the rules: no figures."
            )
        rows += [
            Row(maker, game, _asked(process.stdin, process.stdout, place))
            for place, (maker, game) in enumerate(names)
        ]
        yield rows
        process.stdin.close()


def _asked(ask: IO[str], answer: IO[str], place: int) -> Engine:
    """Return the engine in this place of the other process's list."""

    def run(seconds: float) -> Timed:
        ask.write(json.dumps([place, seconds]) + "\n")
        ask.flush()
        return Timed(*json.loads(answer.readline()))

    return run


def show(rows: list[Row], times: list[list[Timed]]) -> None:
    """Print what a second of processor time gives, the middle one of all blocks."""
    rates = [median(sample.decisions / sample.seconds for sample in timed) for timed in times]
    theirs = [rate for row, rate in zip(rows, rates, strict=True) if row.maker == "OpenSpiel C++"]
    beside = "of OpenSpiel's mean" if theirs else ""
    print(f"{'':<16} {'':<16} {'hands/s':>12} {'decisions/s':>14} {beside:>20}")
    for row, timed, rate in zip(rows, times, rates, strict=True):
        hands = median(sample.hands / sample.seconds for sample in timed)
        share = f"{rate * len(theirs) / sum(theirs):.2f}" if theirs else ""
        print(f"{row.maker:<16} {row.game:<16} {hands:>12,.0f} {rate:>14,.0f} {share:>20}")


if __name__ == "__main__":
    main()
