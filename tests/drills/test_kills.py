"""Processes of the site are killed while tables report: it is open again, and no hand is lost."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from urllib.request import urlopen

import pytest

from tests.drilled import FULL
from tests.drills.playing import TableNow, count_kept, patience, reporting, told
from tests.drills.processes import cut_the_power, descendants, is_alive, kill, workers
from tests.serving import PATIENCE, Site, serving, start, wait_until

TABLES = 6
ROUNDS = 3 if FULL else 1
WORKERS = 4
_PAUSE = 0.2  # seconds between the hands of a table: more would only make the machine busy


@contextmanager
def evening(site: Site) -> Iterator[list[TableNow]]:
    """Report from some tables all the while, and hold the database to what they were told."""
    with reporting(site, TABLES, pause=_PAUSE, again=(0.05,)) as playing:
        yield playing
    heard = told(playing)
    kept, lost = count_kept(site.data, playing, heard)
    assert lost == 0
    # Whatever was on its way at the end may have come in, and was not told.
    assert all(last - heard[token] in {0, 1} for token, last in kept.items())


def each_goes_on(playing: list[TableNow], within: float) -> None:
    """Wait until every table has been told of two more hands: also the one that was under way."""
    before = told(playing)
    wait_until(
        lambda: all(now >= before[token] + 2 for token, now in told(playing).items()),
        "for every table to go on",
        within,
    )


def successor(site: Site, first: list[int]) -> int:
    """Wait for a worker that was not among the *first*."""
    wait_until(lambda: set(workers(site)) - set(first), "for a successor", patience())
    return (set(workers(site)) - set(first)).pop()


def between(site: Site) -> set[int]:
    """Return the server's own process, which stands between the site's and its workers."""
    return set(descendants(site.process.pid)) - set(workers(site))


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    with serving(tmp_path, "--workers", str(WORKERS)) as site:
        site.wait_until_said("Ctrl-C closes it.")
        yield site


def test_a_worker_is_killed_and_its_successor_too(site: Site) -> None:
    rng = Random(10)
    with evening(site) as phones:
        each_goes_on(phones, PATIENCE)
        for _ in range(ROUNDS):
            wait_until(lambda: len(workers(site)) == WORKERS, "for all workers", patience())
            first = workers(site)
            kill(rng.choice(first))
            kill(successor(site, first))

            each_goes_on(phones, patience())

        assert site.process.poll() is None


def test_a_worker_ends_when_it_is_asked_to(site: Site) -> None:
    """Nobody kills it: where it waits for its lanes and they for it, this never ends."""
    worker = workers(site)[0]
    urlopen(f"{site.url}/health/").close()
    os.kill(worker, signal.SIGTERM)

    wait_until(lambda: not is_alive(worker), "for its end", patience())


def test_all_workers_are_killed_at_once_and_again(site: Site) -> None:
    with evening(site) as phones:
        each_goes_on(phones, PATIENCE)
        for _ in range(2 * ROUNDS):
            kill(*workers(site))

            each_goes_on(phones, patience())

        assert site.process.poll() is None


def test_the_process_between_is_killed(site: Site) -> None:
    """Kill the server's own process, which started the workers: the supervisor starts another."""
    with evening(site) as phones:
        for _ in range(ROUNDS):
            # Workers that were left answer for a while, so that the tables may be ahead of it.
            wait_until(lambda: between(site), "for the process between", patience())
            kill(*between(site))

            each_goes_on(phones, patience())

        assert site.process.poll() is None


def test_the_main_process_is_killed_and_a_second_start_takes_over(site: Site) -> None:
    with evening(site) as phones:
        each_goes_on(phones, PATIENCE)
        orphans = descendants(site.process.pid)
        kill(site.process.pid)
        site.process.wait(PATIENCE)
        each_goes_on(phones, patience())  # those who are left go on

        second = start(site.data, "--workers", str(WORKERS), port=site.port)
        second.wait_until_said("Ctrl-C closes it.")

        wait_until(lambda: not any(map(is_alive, orphans)), "for the orphans' end", patience())
        each_goes_on(phones, patience())
        assert second.close() == 0


def test_everything_is_killed_and_started_again(site: Site) -> None:
    with evening(site) as phones:
        each_goes_on(phones, PATIENCE)
        cut_the_power(site)

        second = start(site.data, "--workers", str(WORKERS), port=site.port)
        each_goes_on(phones, patience())

        assert second.close() == 0
