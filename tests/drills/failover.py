"""Phones that report while the database changes its place, and what became of their hands.

``python -m tests.drills.failover kill kill hang switchover schema`` does each of these in turn under
load: the leading machine is killed, hangs until it is reset, or hands over; the schema changes. It
prints how long tables waited, and whether a hand was lost or doubled. ``behind`` kills it while no
other has what it wrote: with ``--asynchronous`` that loses hands, which shows that the drill sees it.
"""

import argparse
import os
import signal
import statistics
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path
from unittest.mock import patch

from tests.drills import hall, schema_change
from tests.drills.cluster import Cluster, cluster
from tests.drills.cluster.machines import Machine
from tests.drills.phones import Phone
from tests.drills.playing import TableNow, all_reporting
from tests.serving import serving, wait_until

PHONES = 6
_ACTS = ("kill", "hang", "behind", "switchover", "schema")
_BETWEEN_HANDS = 0.3  # seconds: a light load
_BACKOFF = (0.5, 1, 2, 2)  # a phone's pauses before it sends the same once more
_A_PHONE_WAITS = 15
_GIVEN_UP_AFTER = 300  # seconds
_BEHIND = 3  # seconds; some fifty hands


@dataclass(slots=True)
class Table(TableNow):
    """A table whose phone comes to the database by one of two ways."""

    way: str = ""

    @property
    def answered(self) -> list[tuple[float, float]]:
        """Return of each hand when it was sent and when the phone was told that it is kept."""
        return [(begun, begun + wait) for begun, wait in self.waits[:]]

    def silence(self, since: float) -> float:
        """Return the longest time without a hand kept, from *since* on."""
        moments = [at for _, at in self.answered]
        return max(
            (after - before for before, after in pairwise(moments) if after > since),
            default=time.time() - since,
        )

    def has_reported_since(self, moment: float) -> bool:
        return any(began > moment for began, _ in self.answered[-50:])


@dataclass(slots=True)
class Evening:
    """Tables at two sites over one cluster, one led by several hosts and one by HAProxy."""

    cluster: Cluster
    tables: list[Table]
    data: Path

    def silences(
        self, change: Callable[[], object], back: Callable[[], object]
    ) -> dict[str, float]:
        """Make a *change*, wait until every table reports again, bring *back* what it took.

        :returns: by way, the longest that a table waited between two hands kept.
        """
        self.cluster.wait_until_whole()
        self._wait_for_reports()
        began = time.time()
        change()
        self._wait_for_reports()
        back()
        self.cluster.wait_until_whole()
        longest: dict[str, float] = {}
        for table in self.tables:
            longest[table.way] = max(longest.get(table.way, 0), table.silence(began))
        return longest

    def _wait_for_reports(self) -> None:
        """Wait until every table has been told of a hand that it sent after now."""
        now = time.time()
        wait_until(
            lambda: all(table.has_reported_since(now) for table in self.tables),
            f"reports from every table; answers until then {self.answers()}",
            _GIVEN_UP_AFTER,
        )

    def disturb(self, how: str) -> dict[str, float]:
        """Lose the leading machine by any of the acts, or change the ``schema``."""
        if how == "schema":
            return self.silences(lambda: schema_change.change(self.cluster.url), lambda: None)
        self.cluster.wait_until_whole()
        leader = self.cluster.with_role("leader")
        if how == "switchover":
            return self.silences(self.cluster.switch_over, lambda: None)
        if how == "behind":
            return self.silences(partial(self._kill_while_all_are_behind, leader), leader.start)
        if how == "hang":
            return self.silences(leader.hang, leader.reset)
        return self.silences(leader.kill, leader.start)

    def _kill_while_all_are_behind(self, leader: Machine) -> None:
        """Kill the leader while no other PostgreSQL takes in what it writes."""
        others = [here for here in self.cluster.machines if here is not leader]
        for other in others:
            other.fall_behind()
        threading.Event().wait(_BEHIND)
        leader.kill()
        for other in others:
            other.wake()

    def answers(self) -> Counter[str]:
        return sum((table.answers for table in self.tables), Counter())


@dataclass(frozen=True, slots=True)
class Kept:
    """What became of the hands of an evening."""

    acknowledged: int
    lost: int
    doubled: int
    out_of_order: int
    recount: str


@contextmanager
def evening(running: Cluster, folder: Path) -> Iterator[Evening]:
    """Let phones report at two sites of four processes each, until the block ends."""
    shared = {"KULA_SECRET": "the two sites' own, which both must know"}
    proxied = {**shared, "DATABASE_URL": running.proxied_url}
    with (
        patch.dict(os.environ, DATABASE_URL=running.url),
        serving(folder, "--workers", "4", environment=shared) as first,
        serving(folder / "two", "--workers", "4", environment=proxied) as second,
    ):
        tables = [
            Table(
                Phone([first, second][nth % 2].port, token, patience=_A_PHONE_WAITS),
                way=["hosts", "haproxy"][nth % 2],
            )
            for nth, token in enumerate(hall.seat(folder, PHONES))
        ]
        with all_reporting(tables, pause=_BETWEEN_HANDS, again=_BACKOFF):
            yield Evening(running, tables, folder)


def look(of: Evening) -> Kept:
    """Compare what phones were told with what the database holds, once they are silent."""
    with patch.dict(os.environ, DATABASE_URL=of.cluster.url):
        seen = hall.read(of.data, [table.phone.token for table in of.tables])
        recount = hall.recount(of.data).strip()
    acknowledged = lost = doubled = out_of_order = 0
    for table, held in zip(of.tables, seen, strict=True):
        standing = dict(zip(held.hands, held.standing, strict=True))
        acknowledged += table.acknowledged
        lost += sum(
            standing.get(number) != str(table.sent[number])
            for number in range(1, table.acknowledged + 1)
        )
        doubled += len(held.verdicts) - len(held.hands)
        out_of_order += held.hands != list(range(1, held.last_number + 1))
    return Kept(acknowledged, lost, doubled, out_of_order, recount)


def main() -> None:
    """Do to the cluster what is asked, one after the other, and print what it came to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("acts", nargs="+", choices=_ACTS)
    parser.add_argument("--asynchronous", action="store_true", help="to see that it loses hands")
    given = parser.parse_args()
    # Whoever ends it by force is left no processes either.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended"))
    waits: dict[tuple[str, str], list[float]] = {}
    with (
        tempfile.TemporaryDirectory() as folder,
        cluster(synchronous=not given.asynchronous) as running,
    ):
        with evening(running, Path(folder)) as at:
            for act in given.acts:
                try:
                    longest = at.disturb(act)
                except TimeoutError as error:  # what became of the hands is to be seen all the same
                    print(error)
                    break
                for way, seconds in longest.items():
                    waits.setdefault((act, way), []).append(seconds)
                silences = "   ".join(f"{way} {seconds:5.1f} s" for way, seconds in longest.items())
                print(f"{act:<10}   longest silence: {silences}", flush=True)
        outcome = look(at)
    for (act, way), every in waits.items():
        middle = statistics.median(every)
        print(
            f"{act:<10} {way:<8} {len(every)} times: "
            f"min {min(every):.1f}  median {middle:.1f}  max {max(every):.1f} s"
        )
    print(*(page for table in at.tables for page in table.odd[:1]), sep="\n")
    print(f"answers {dict(at.answers())}; load of the machine {os.getloadavg()[0]:.1f}\n{outcome}")


if __name__ == "__main__":
    main()
