"""PostgreSQL is killed in the middle of an evening, again and again; the site stays and goes on.

A kill alone loses nothing even with ``fsync=off``, as the machine still holds what was
written: that the drill sees losses is shown with ``synchronous_commit=off``.

By hand, with a hundred kills: ``python -m tests.drills.test_killed_database 100``.
"""

import os
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from time import monotonic
from uuid import UUID, uuid4

import pytest

from tests import postgresql
from tests.drilled import FULL
from tests.drills import hall
from tests.drills.phones import Phone, at_once, eaten
from tests.drills.playing import patience
from tests.serving import PATIENCE, Site, serving

# It has a server of its own, and one is enough.
pytestmark = pytest.mark.skipif(not os.environ.get("DATABASE_URL"), reason="not of SQLite")

KILLS = 10 if FULL else 2
TABLES = 6
WORKERS = 4
BETWEEN_KILLS = 30  # hands
MOST = 900  # hands a table
# Of each worker: a thread for tables, two for pages, a process for what is heavy.
CONNECTIONS = 4 * WORKERS


@dataclass(slots=True)
class Table:
    """A phone that sends each hand until it is told that it is kept."""

    phone: Phone
    acknowledged: list[UUID] = field(default_factory=list)  # the entries of hands said to be kept
    answers: Counter[int] = field(default_factory=Counter)

    def report(self, *, until: threading.Event) -> None:
        pause = threading.Event()
        while not until.is_set() and len(self.acknowledged) < MOST:
            number, entry = len(self.acknowledged) + 1, uuid4()
            while not self._is_kept(number, entry):
                pause.wait(0.1)
            self.acknowledged.append(entry)

    def _is_kept(self, number: int, entry: UUID) -> bool:
        answer = self.phone.report(number, eaten(number), entry)
        self.answers[answer.status] += 1
        assert answer.status in {303, 503}, (answer.status, answer.page[:2000])
        if answer.status == 303:
            assert (answer.number, answer.verdict) == (number, "accepted")
        else:
            assert str(entry) in answer.page  # what was typed, to be sent again
        return answer.status == 303


@dataclass(slots=True)
class Evening:
    """Tables at a site, and how it went."""

    server: postgresql.Cluster
    site: Site
    tables: Sequence[Table]
    back_within: list[float] = field(default_factory=list)

    @property
    def acknowledged(self) -> int:
        return sum(len(table.acknowledged) for table in self.tables)

    @property
    def turned_away(self) -> int:
        return sum(table.answers[503] for table in self.tables)

    def report(self, hands: int) -> None:
        """Report at all tables until there are so many hands more."""
        over, enough = threading.Event(), self.acknowledged + hands

        def wait() -> None:
            try:
                wait_until(partial(self._more_than, enough))
            finally:
                over.set()

        self._beside(wait, over)

    def kill_again_and_again(self, kills: int) -> None:
        """Kill the database while all tables report, and wait each time until they go on."""
        over = threading.Event()

        def kill() -> None:
            try:
                for _ in range(kills):
                    wait_until(partial(self._more_than, self.acknowledged + BETWEEN_KILLS))
                    self._kill_once()
            finally:
                over.set()

        self._beside(kill, over)

    def _beside(self, act: Callable[[], None], over: threading.Event) -> None:
        acts: list[Callable[[], None]] = [
            partial(table.report, until=over) for table in self.tables
        ]
        at_once([act, *acts])

    def _kill_once(self) -> None:
        self.server.kill()
        before = self.turned_away
        wait_until(lambda: self.turned_away > before)
        self.server.start()
        started, hands = monotonic(), self.acknowledged
        wait_until(partial(self._more_than, hands))
        self.back_within.append(monotonic() - started)

    def _more_than(self, hands: int) -> bool:
        return self.acknowledged > hands

    def lost(self) -> list[UUID]:
        """Return what somebody was told is kept and is not; nothing may be twice."""
        seen = hall.read(self.site.data, [table.phone.token for table in self.tables])
        for table in seen:
            assert table.hands == list(range(1, table.last_number + 1))
            assert len(table.standing) == len(set(table.standing))
            assert sorted(table.verdicts) == sorted(table.standing)
        standing = {entry for table in seen for entry in table.standing}
        return [
            entry
            for table in self.tables
            for entry in table.acknowledged
            if str(entry) not in standing
        ]


def wait_until(condition: Callable[[], bool]) -> None:
    pause, latest = threading.Event(), monotonic() + PATIENCE
    while not condition():
        assert monotonic() < latest
        pause.wait(0.01)


@contextmanager
def opened(data: Path) -> Iterator[tuple[postgresql.Cluster, Site]]:
    """Open a site on a server of its own."""
    settings = (*postgresql.SAFE, "log_connections=on")
    with postgresql.server(*settings) as server, pytest.MonkeyPatch.context() as patch:
        patch.setenv("DATABASE_URL", server.url)
        with serving(data, "--workers", str(WORKERS)) as site:
            yield server, site


def seated(server: postgresql.Cluster, site: Site) -> Evening:
    tokens = hall.seat(site.data, TABLES)
    return Evening(server, site, [Table(Phone(site.port, token).open_page()) for token in tokens])


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[postgresql.Cluster, Site]]:
    with opened(tmp_path_factory.mktemp("killed")) as club:
        yield club


@pytest.fixture
def evening(club: tuple[postgresql.Cluster, Site]) -> Evening:
    return seated(*club)


def test_a_hundred_reports_open_no_hundred_connections(evening: Evening) -> None:
    before = connections(evening.server)

    evening.report(100)

    assert connections(evening.server) - before <= CONNECTIONS


def test_whoever_asks_first_after_a_restart_is_answered(evening: Evening) -> None:
    evening.report(10 * WORKERS)  # every worker has its connections

    evening.server.kill()
    evening.server.start()

    # Each is answered with the table's page, as ``open_page`` asserts.
    at_once([table.phone.open_page for table in evening.tables] * WORKERS)


def test_what_was_said_to_be_kept_is_kept_and_the_site_goes_on(evening: Evening) -> None:
    evening.kill_again_and_again(KILLS)

    assert evening.lost() == []
    assert max(evening.back_within) < patience()
    assert "0 differences" in hall.recount(evening.site.data)


def test_the_drill_sees_what_is_lost(evening: Evening) -> None:
    evening.server.kill()
    evening.server.start("synchronous_commit=off", "wal_writer_delay=10s")

    evening.report(BETWEEN_KILLS)
    evening.server.kill()
    evening.server.start()

    assert evening.lost() != []


def connections(server: postgresql.Cluster) -> int:
    """Return how many connections the server has taken since it was made."""
    return (server.folder / "log").read_text().count("connection authorized")


def main(kills: int) -> None:
    """Kill the database so many times, and say what came of it."""
    with tempfile.TemporaryDirectory() as data, opened(Path(data)) as club:
        evening = seated(*club)
        evening.kill_again_and_again(kills)
        lost, back = len(evening.lost()), sorted(evening.back_within)
        print(
            f"{kills} kills, {evening.acknowledged} hands said to be kept, {lost} lost,"
            f" {evening.turned_away} answers of 503; on again within"
            f" {back[len(back) // 2]:.1f} s of the start (median), {back[-1]:.1f} s at most;"
            f" {hall.recount(Path(data)).strip()}"
        )


if __name__ == "__main__":
    main(int(sys.argv[1]))
