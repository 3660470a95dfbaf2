"""Processes of the site are killed while tables report: it is open again, and no hand is lost."""

import http.client
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from urllib.request import urlopen
from uuid import UUID, uuid4

import pytest

from tests.drilled import FULL
from tests.drills import hall
from tests.drills.phones import Phone, eaten
from tests.drills.playing import patience
from tests.drills.processes import cut_the_power, descendants, is_alive, kill, workers
from tests.serving import PATIENCE, Site, serving, start

TABLES = 6
ROUNDS = 3 if FULL else 1
WORKERS = 4
_PAUSE = 0.2  # seconds between the hands of a table: more would only make the machine busy
_NO_ANSWER = (http.client.HTTPException, ConnectionError, TimeoutError, OSError)


@dataclass(slots=True)
class Stubborn:
    """A phone that sends each hand until it is told that it is kept."""

    phone: Phone
    sent: dict[int, UUID] = field(default_factory=dict)
    acknowledged: int = 0
    odd: list[object] = field(default_factory=list)  # answers that no table should see

    def report_on(self, done: threading.Event) -> None:
        while not done.is_set():
            number = self.acknowledged + 1
            entry = self.sent.setdefault(number, uuid4())
            try:
                answer = self.phone.report(number, eaten(number), entry)
            except _NO_ANSWER:
                done.wait(0.05)
                continue
            if (answer.status, answer.number, answer.verdict) == (303, number, "accepted"):
                self.acknowledged = number
                done.wait(_PAUSE)
            elif answer.status != 503:  # on its way up, it may ask for a little patience
                self.odd.append(answer)
                return


@contextmanager
def evening(site: Site) -> Iterator[list[Stubborn]]:
    """Report from some tables all the while, and hold the database to what they were told."""
    tokens = hall.seat(site.data, TABLES)
    phones = [Stubborn(Phone(site.port, token).open_page()) for token in tokens]
    done = threading.Event()
    threads = [threading.Thread(target=phone.report_on, args=[done]) for phone in phones]
    for thread in threads:
        thread.start()
    try:
        yield phones
    finally:
        done.set()
        for thread in threads:
            thread.join(PATIENCE)
    assert [phone.odd for phone in phones] == [[]] * TABLES
    for phone, seen in zip(phones, hall.read(site.data, tokens), strict=True):
        # Whatever was on its way at the end may have come in, and was not told.
        assert seen.last_number in {phone.acknowledged, phone.acknowledged + 1}
        assert seen.hands == list(range(1, seen.last_number + 1))
        assert seen.verdicts == {str(phone.sent[n]): "accepted" for n in seen.hands}
    assert "0 differences" in hall.recount(site.data)


def each_goes_on(phones: list[Stubborn], within: float) -> None:
    """Wait until every table has been told of two more hands: also the one that was under way."""
    before = [phone.acknowledged for phone in phones]
    wait_until(
        lambda: all(
            phone.acknowledged >= earlier + 2 for phone, earlier in zip(phones, before, strict=True)
        ),
        within,
    )


def successor(site: Site, first: list[int]) -> int:
    """Wait for a worker that was not among the *first*."""
    wait_until(lambda: bool(set(workers(site)) - set(first)), patience())
    return (set(workers(site)) - set(first)).pop()


def wait_until(true: Callable[[], bool], within: float) -> float:
    """Wait for it and return how many seconds it took."""
    began = time.monotonic()
    while not true():
        seconds = time.monotonic() - began
        assert seconds < within, f"not within {within:.0f} s"
        threading.Event().wait(0.02)
    return time.monotonic() - began


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
            wait_until(lambda: len(workers(site)) == WORKERS, patience())
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

    wait_until(lambda: not is_alive(worker), patience())


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
            wait_until(lambda: bool(between(site)), patience())
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

        wait_until(lambda: not any(map(is_alive, orphans)), patience())
        each_goes_on(phones, patience())
        assert second.close() == 0


def test_everything_is_killed_and_started_again(site: Site) -> None:
    with evening(site) as phones:
        each_goes_on(phones, PATIENCE)
        cut_the_power(site)

        second = start(site.data, "--workers", str(WORKERS), port=site.port)
        each_goes_on(phones, patience())

        assert second.close() == 0
