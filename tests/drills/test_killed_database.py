"""PostgreSQL is killed in the middle of an evening, again and again; the site stays and goes on.

A kill alone loses nothing even with ``fsync=off``, as the machine still holds what was
written: that the drill sees losses is shown with ``synchronous_commit=off``.

By hand, with a hundred kills: ``python -m tests.drills.test_killed_database 100``.
"""

import os
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import monotonic

import pytest

from tests import postgresql
from tests.drilled import FULL
from tests.drills import playing
from tests.drills.phones import at_once
from tests.drills.playing import TableNow
from tests.serving import Site, serving, wait_until

# It has a server of its own, and one is enough.
pytestmark = pytest.mark.skipif(not os.environ.get("DATABASE_URL"), reason="not of SQLite")

KILLS = 10 if FULL else 2
TABLES = 6
WORKERS = 4
BETWEEN_KILLS = 30  # hands
# Of each worker: a thread for tables, two for pages, a process for what is heavy.
CONNECTIONS = 4 * WORKERS


Club = tuple[postgresql.Cluster, Site]


@contextmanager
def reporting(site: Site) -> Iterator[list[TableNow]]:
    """Let tables report; each is answered 303 or 503, and then has what it typed, to be sent again."""
    with playing.reporting(site, TABLES, again=(0.1,)) as tables:
        yield tables
    assert set(answers(tables)) <= {"303", "503"}


def answers(tables: Sequence[TableNow]) -> Counter[str]:
    return sum((table.answers for table in tables), Counter())


def kill_once(server: postgresql.Cluster, tables: Sequence[TableNow]) -> float:
    """Kill the database while tables report; return how long after its start they went on."""
    playing.wait_for(tables, BETWEEN_KILLS)
    server.kill()
    before = answers(tables)["503"]
    wait_until(lambda: answers(tables)["503"] > before, "for somebody to be turned away")
    server.start()
    started = monotonic()
    playing.wait_for(tables, 1)
    return monotonic() - started


def lost(site: Site, tables: Sequence[TableNow]) -> int:
    """Return how many hands somebody was told are kept and are not."""
    return playing.count_kept(site.data, tables, playing.told(tables))[1]


@contextmanager
def opened(data: Path) -> Iterator[Club]:
    """Open a site on a server of its own."""
    settings = (*postgresql.SAFE, "log_connections=on")
    with postgresql.server(*settings) as server, pytest.MonkeyPatch.context() as patch:
        patch.setenv("DATABASE_URL", server.url)
        with serving(data, "--workers", str(WORKERS)) as site:
            yield server, site


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Club]:
    with opened(tmp_path_factory.mktemp("killed")) as club:
        yield club


def test_a_hundred_reports_open_no_hundred_connections(club: Club) -> None:
    server, site = club
    with reporting(site) as tables:
        before = connections(server)

        playing.wait_for(tables, 100)

        assert connections(server) - before <= CONNECTIONS


def test_whoever_asks_first_after_a_restart_is_answered(club: Club) -> None:
    server, site = club
    with reporting(site) as tables:
        playing.wait_for(tables, 10 * WORKERS)  # every worker has its connections

    server.kill()
    server.start()

    # Each is answered with the table's page, as ``open_page`` asserts.
    at_once([table.phone.open_page for table in tables] * WORKERS)


def test_what_was_said_to_be_kept_is_kept_and_the_site_goes_on(club: Club) -> None:
    server, site = club
    with reporting(site) as tables:
        back_within = [kill_once(server, tables) for _ in range(KILLS)]

    assert lost(site, tables) == 0
    assert max(back_within) < playing.patience()


def test_the_drill_sees_what_is_lost(club: Club) -> None:
    server, site = club
    with reporting(site) as tables:
        server.kill()
        server.start("synchronous_commit=off", "wal_writer_delay=10s")
        playing.wait_for(tables, BETWEEN_KILLS)
    server.kill()
    server.start()

    assert lost(site, tables) > 0


def connections(server: postgresql.Cluster) -> int:
    """Return how many connections the server has taken since it was made."""
    return (server.folder / "log").read_text().count("connection authorized")


def main(kills: int) -> None:
    """Kill the database so many times, and say what came of it."""
    with tempfile.TemporaryDirectory() as data, opened(Path(data)) as (server, site):
        with reporting(site) as tables:
            back = sorted(kill_once(server, tables) for _ in range(kills))
        print(
            f"{kills} kills, {sum(playing.told(tables).values())} hands said to be kept,"
            f" {lost(site, tables)} lost, {answers(tables)['503']} answers of 503; on again within"
            f" {back[len(back) // 2]:.1f} s of the start (median), {back[-1]:.1f} s at most"
        )


if __name__ == "__main__":
    main(int(sys.argv[1]))
