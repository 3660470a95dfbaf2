"""Tables that report while strangers press the site.

``python -m tests.drills.pressed`` prints how long reports take without them and with each crowd.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic

from tests.drills import hall
from tests.drills.phones import Phone, at_once, eaten
from tests.drills.strangers import CROWDS
from tests.serving import ROOT, Site, serving

TABLES = 20


@dataclass(slots=True)
class Answered:
    """What a crowd of strangers was answered, and how long the longest wait for a page was."""

    statuses: list[int] = field(default_factory=list)
    longest: float = 0.0  # seconds


@contextmanager
def pressing(site: Site, tournament: int, crowd: str) -> Iterator[Answered]:
    """Let strangers press the site; what they were answered is known in the end."""
    answered = Answered()
    command = [sys.executable, "-m", "tests.drills.strangers", site.port, tournament, crowd]
    process = subprocess.Popen(
        [*map(str, command)], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        yield answered
    finally:
        said, _ = process.communicate()
    assert process.returncode == 0
    values = json.loads(said)
    answered.statuses, answered.longest = values["statuses"], values["longest"]


@dataclass(slots=True)
class Tables:
    """Tables that report a hand each second or so, as in a quick hall."""

    phones: list[Phone]
    reported: int = 0

    @classmethod
    def seated(cls, site: Site, tables: int) -> "Tables":
        tokens = hall.seat(site.data, tables)
        return cls([Phone(site.port, token).open_page() for token in tokens])

    def report(self, hands: int, every: float) -> list[float]:
        """Let every table report so many hands and return how long each took, in seconds."""
        first = self.reported + 1
        pause = threading.Event()

        def one(nth: int) -> list[float]:
            waits = []
            pause.wait(every * nth / len(self.phones))
            for number in range(first, first + hands):
                began = monotonic()
                answer = self.phones[nth].report(number, eaten(number))
                waits.append(monotonic() - began)
                assert (answer.status, answer.number) == (303, number), answer
                pause.wait(max(0.0, every - waits[-1]))
            return waits

        waits = at_once([lambda nth=nth: one(nth) for nth in range(len(self.phones))])  # type: ignore[misc]
        self.reported += hands
        return [wait for of_table in waits for wait in of_table]


def p95(waits: Sequence[float]) -> float:
    """Return the time in milliseconds within which 95 of 100 were answered."""
    return sorted(waits)[int(len(waits) * 0.95)] * 1000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("crowds", nargs="*", default=list(CROWDS), metavar="crowd")
    parser.add_argument("--hands", type=int, default=60, help="that each table reports a time")
    parser.add_argument("--before", type=int, default=60, help="hands that each table has before")
    parser.add_argument("--every", type=float, default=1.0, help="seconds between a table's hands")
    parser.add_argument("--workers", default="4")
    given = parser.parse_args()
    with (
        tempfile.TemporaryDirectory(prefix="kula-drill-") as data,
        serving(Path(data), "--workers", given.workers) as site,
    ):
        tables = Tables.seated(site, TABLES)
        tables.report(given.before, 0.0)
        tournament = hall.tournament_of(site.data, tables.phones[0].token)
        for name in given.crowds:
            alone = tables.report(given.hands, given.every)
            with pressing(site, tournament, name) as crowd:
                pressed = tables.report(given.hands, given.every)
            print(
                f"{name:<28} p95 of {len(alone)} reports {p95(alone):6.1f} ms, with them"
                f" {p95(pressed):6.1f} ms (longest {max(pressed) * 1000:.0f} ms); they asked"
                f" {len(crowd.statuses)} times, longest {crowd.longest:.1f} s",
                flush=True,
            )


if __name__ == "__main__":
    main()
