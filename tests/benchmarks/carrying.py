"""What a hand costs one PostgreSQL: bytes it keeps, log it writes, processor it takes.

Reports through the real server, as in ``reports``; seconds of processor say more than seconds on
a wall when a machine has other work. What a season or a federation comes to is multiplied from it.
"""

import argparse
import os
from dataclasses import dataclass
from itertools import islice
from math import ceil
from pathlib import Path

import psycopg

from tests.benchmarks import load
from tests.benchmarks.load import CONNECTIONS
from tests.benchmarks.reports import reporting
from tests.benchmarks.site import house, running, served

_A_TABLE = 600  # hands; one takes in 999, and no phone is as quick as another
_A_BLOCK = 5  # seconds
_LARGEST = """
    SELECT relname, pg_total_relation_size(oid), pg_indexes_size(oid)
    FROM pg_class WHERE relkind = 'r' AND relname LIKE 'tracker%' ORDER BY 2 DESC LIMIT 6
"""


@dataclass(frozen=True, slots=True)
class Count:
    """What had been used at a moment."""

    hands: int
    bytes: int
    log: int
    commits: int
    processor: float

    @classmethod
    def taken(cls, at: psycopg.Connection) -> "Count":
        """Count now; the processor of all processes of the server together."""
        [row] = at.execute(
            """
            SELECT (SELECT count(*) FROM tracker_hand), pg_database_size(current_database()),
                   pg_current_wal_lsn() - '0/0', sum(xact_commit), pg_backend_pid()
            FROM pg_stat_database WHERE datname = current_database()
            """
        ).fetchall()
        hands, size, log, commits, backend = (int(value) for value in row)
        return cls(hands, size, log, commits, _processor_of_all(_stat(backend)[1]))


def _stat(pid: int) -> tuple[float, int]:
    """Return a process's seconds of processor, its children's that ended among them, and its parent."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK"), int(fields[1])


def _processor_of_all(parent: int) -> float:
    total = 0.0
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            seconds, above = _stat(int(folder.name))
        except OSError:
            continue
        if parent in (above, int(folder.name)):
            total += seconds
    return total


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=10_000)
    parser.add_argument("--seconds", type=float, default=120, help="at most")
    given = parser.parse_args()
    tables = CONNECTIONS * ceil(given.hands / CONNECTIONS / _A_TABLE)
    with house("postgresql", tables + 1) as at, running(at, served(2)) as port:
        statements = at.run("tests.benchmarks.statements", at.tokens[-1]).split()[0]
        tokens = iter(at.tokens)
        phones = [
            reporting(list(islice(tokens, tables // CONNECTIONS))) for _ in range(CONNECTIONS)
        ]
        with psycopg.connect(at.environment["DATABASE_URL"], autocommit=True) as link:
            before = Count.taken(link)
            measured = load.Measured()
            while len(measured.waits) < given.hands and measured.seconds < given.seconds:
                measured.add(load.measure(port, phones, _A_BLOCK, b"303"))
            link.execute("VACUUM ANALYZE")
            after = Count.taken(link)
            largest = link.execute(_LARGEST).fetchall()
    show(before, after, statements, measured.rate)
    for name, size, indexes in largest:
        print(f"  {name:<24} {size / after.hands:7.0f} bytes a hand, {indexes / size:.0%} indexes")


def show(before: Count, after: Count, statements: str, rate: float) -> None:
    hands = after.hands - before.hands
    print(
        f"{hands} hands at {rate:.0f} a second (load {os.getloadavg()[0]:.1f}); a hand takes\n"
        f"  {(after.bytes - before.bytes) / hands:.0f} bytes on the disk\n"
        f"  {(after.log - before.log) / hands:.0f} bytes of log, which every copy is sent\n"
        f"  {(after.processor - before.processor) / hands * 1000:.2f} ms of PostgreSQL's processor\n"
        f"  {statements} statements, {(after.commits - before.commits) / hands:.1f} commits"
    )


if __name__ == "__main__":
    main()
