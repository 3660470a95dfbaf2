"""Reports a second, form and token, against the least any post that writes could cost.

Eight connections through the real server, in blocks that take turns (A B A B ...), as the
machine's other work would otherwise be measured too. The yardstick is a post to the same
thread of the same server that resolves the same token, checks CSRF and inserts one row through
the ORM.
"""

import argparse
from itertools import islice
from math import ceil

from tests.benchmarks import load
from tests.benchmarks.load import CONNECTIONS, Measured
from tests.benchmarks.site import House, house, running, served

_MOST_HANDS = 999  # the most a table takes in
_SECONDS_A_TABLE = 2.5  # to be sure of not reaching them
_AIMS = {"sqlite": 0.7, "postgresql": 0.55}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("databases", nargs="*", default=["sqlite", "postgresql"])
    parser.add_argument("--blocks", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=3.0, help="for each block")
    parser.add_argument("--workers", type=int, default=2)
    given = parser.parse_args()
    for database in given.databases:
        tables = CONNECTIONS * (1 + (given.blocks + 1) * tables_a_block(given.seconds)) + 1
        with (
            house(database, tables) as at,
            running(at, served(given.workers)) as port,
        ):
            statements = at.run("tests.benchmarks.statements", at.tokens[-1]).split()
            measured = compare(at, port, given.blocks, given.seconds)
            drawn, kept = at.run("tests.benchmarks.statements", "--page", at.tokens[-1]).split()
        show(database, measured, statements)
        print(f"a table's page with 14 hands: {drawn} ms drawn (aim 10), {kept} ms kept (aim 2)")


def compare(at: House, port: int, blocks: int, seconds: float) -> tuple[Measured, Measured]:
    """Measure reports and the yardstick by turns."""
    tokens = iter(at.tokens)
    stand = list(islice(tokens, CONNECTIONS))
    reports, yardstick = Measured(), Measured()
    for block in range(-1, blocks):
        some = tables_a_block(seconds)
        phones = [reporting(list(islice(tokens, some))) for _ in range(CONNECTIONS)]
        here = load.measure(port, phones, seconds if block >= 0 else 0.5, b"303")
        there = load.measure(
            port, [load.inserts(token) for token in stand], seconds if block >= 0 else 0.5, b"302"
        )
        if block >= 0:  # the first is to warm up
            reports.add(here)
            yardstick.add(there)
    return reports, yardstick


def tables_a_block(seconds: float) -> int:
    """Return how many tables a phone needs that reports from one after the other."""
    return ceil(seconds / _SECONDS_A_TABLE)


def reporting(tokens: list[str]) -> load.Requests:
    """Report as many hands as a table may have, then go on at the next table."""
    for token in tokens:
        yield from islice(load.hands(token), _MOST_HANDS)


def show(database: str, measured: tuple[Measured, Measured], statements: list[str]) -> None:
    print(
        f"\n{database}   {'per second':>12} {'p50 ms':>8} {'p95 ms':>8} {'p95/p50':>8} {'SQL':>5}"
    )
    for name, result, count in zip(("report", "one insert"), measured, statements, strict=True):
        print(
            f"{name:<12} {result.rate:>10.0f} {result.p50:>8.2f} {result.p95:>8.2f}"
            f" {result.p95 / result.p50:>8.2f} {count:>5}"
        )
    ratio = measured[0].rate / measured[1].rate
    print(f"ratio {ratio:.2f} (aim {_AIMS[database]})", flush=True)


if __name__ == "__main__":
    main()
