"""Reports a second behind several production servers, all on one machine and one database.

The servers run side by side and are asked by turns. The others than the site's own come with
``pip install -r tests/benchmarks/requirements.txt``.
"""

import argparse
import sys
from contextlib import ExitStack
from itertools import islice

from tests.benchmarks import load
from tests.benchmarks.load import CONNECTIONS, Measured
from tests.benchmarks.reports import reporting, tables_a_block
from tests.benchmarks.site import Command, house, running, served

_APPLICATION = "tracker.config.wsgi:application"


def gunicorn(*arguments: str) -> Command:
    return lambda port: [
        *(sys.executable, "-m", "gunicorn", "--bind", f"127.0.0.1:{port}"),
        *("--log-level", "error", "--keep-alive", "75", *arguments, _APPLICATION),
    ]


def waitress(threads: int) -> Command:
    # Not by its own command, which writes a line for every request that has to wait.
    code = (
        "import logging; logging.disable();"
        "import waitress; from tracker.config.wsgi import application;"
        "waitress.serve(application, host='127.0.0.1', port={}, threads={})"
    )
    return lambda port: [sys.executable, "-c", code.format(port, threads)]


SERVERS: dict[str, Command] = {
    "granian, 1": served(1),
    "granian, 2": served(2),
    "granian, 4": served(4),
    "gunicorn sync, 2": gunicorn("--workers", "2"),
    "gunicorn threads, 2 x 4": gunicorn("--workers", "2", "--threads", "4"),
    "waitress, 1 x 4": waitress(4),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("databases", nargs="*", default=["sqlite", "postgresql"])
    parser.add_argument("--blocks", type=int, default=6)
    parser.add_argument("--seconds", type=float, default=2.0, help="for each block")
    given = parser.parse_args()
    for database in given.databases:
        show(database, by_turns(database, given.blocks, given.seconds))


def by_turns(database: str, blocks: int, seconds: float) -> dict[str, Measured]:
    measured = {name: Measured() for name in SERVERS}
    some = tables_a_block(seconds)
    tables = CONNECTIONS * (blocks + 1) * some * len(SERVERS)
    with house(database, tables) as at, ExitStack() as stack:
        tokens = iter(at.tokens)
        ports = {
            name: stack.enter_context(running(at, command)) for name, command in SERVERS.items()
        }
        for block in range(-1, blocks):
            for name, port in ports.items():
                phones = [reporting(list(islice(tokens, some))) for _ in range(CONNECTIONS)]
                sample = load.measure(port, phones, seconds, b"303")
                if block >= 0:  # the first is to warm up
                    measured[name].add(sample)
    return measured


def show(database: str, measured: dict[str, Measured]) -> None:
    print(f"\n{database:<24} {'per second':>12} {'p50 ms':>8} {'p95 ms':>8} {'p95/p50':>8}")
    for name, result in measured.items():
        ratio = result.p95 / result.p50
        print(
            f"{name:<24} {result.rate:>12.0f} {result.p50:>8.2f} {result.p95:>8.2f} {ratio:>8.2f}"
        )
    sys.stdout.flush()


if __name__ == "__main__":
    main()
