"""The standings page of 40 players after 1,000, 10,000 and 50,000 hands.

Three tournaments in one database are asked for by turns through the real server, one request
at a time, each page drawn for it. What is aimed at: 50,000 hands over 1,000 under 1.15.
"""

import argparse
import json
from dataclasses import replace

from tests.benchmarks import load
from tests.benchmarks.load import Measured
from tests.benchmarks.site import House, house, running

HANDS = (1_000, 10_000, 50_000)
_AIM = 1.15


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("databases", nargs="*", default=["sqlite", "postgresql"])
    parser.add_argument("--blocks", type=int, default=30)
    parser.add_argument("--seconds", type=float, default=0.5, help="for each block")
    given = parser.parse_args()
    for database in given.databases:
        with house(database, 0) as at:
            paths = json.loads(at.run("tests.benchmarks.seasons", *HANDS))
            drawing = replace(at, environment={**at.environment, "SHARED_PAGES": "0"})
            with running(drawing) as port:
                measured = by_turns(port, paths, given.blocks, given.seconds)
            show(database, measured, counted(at, paths))


def by_turns(port: int, paths: list[str], blocks: int, seconds: float) -> list[Measured]:
    measured = [Measured() for _ in paths]
    for block in range(-1, blocks):
        for path, so_far in zip(paths, measured, strict=True):
            some = load.measure(port, [load.pages(path)], seconds, b"200")
            if block >= 0:  # the first is to warm up
                so_far.add(some)
    return measured


def counted(at: House, paths: list[str]) -> list[str]:
    return at.run("tests.benchmarks.statements", *paths).split()


def show(database: str, measured: list[Measured], statements: list[str]) -> None:
    print(f"\n{database:<10} {'p50 ms':>10} {'p95 ms':>8} {'SQL':>5}")
    for hands, result, count in zip(HANDS, measured, statements, strict=True):
        print(f"{hands:>10,} {result.p50:>10.2f} {result.p95:>8.2f} {count:>5}")
    ratio = measured[-1].over(measured[0])
    print(f"50,000 over 1,000: {ratio:.3f} (aim {_AIM})", flush=True)


if __name__ == "__main__":
    main()
