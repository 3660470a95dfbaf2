"""Webhooks of a served site, whose receivers answer late, wrongly, or not at all.

Every message arrives, in the order of its tournament, and once for a receiver that remembers ids;
tables do not notice; and a site that is killed tells afterwards what it has not told before.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from statistics import median

import pytest

from tests.drilled import FULL
from tests.drills import told
from tests.drills.phones import Answered, Phone
from tests.drills.playing import patience, reporting, wait_for
from tests.drills.processes import children, cut_the_power, descendants, is_alive, kill
from tests.receiver import Receiver, at_first, drip, hang, receiving, say
from tests.serving import PATIENCE, ROOT, Site, beside, serving, wait_until

EVENTS = ["round.opened", "results.in", "round.closed", "standing.official"]
FAILURES = 2 if FULL else 1  # of each message; the second attempt is 5 s later, the third 30 s
HANDS = 400 if FULL else 80  # in each half of what is measured
SLOWER, NOISE = 2.0, 0.02  # how much slower a report may be, and the seconds of no account


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as receiver:
        yield receiver


@contextmanager
def telling(data: Path, receiver: Receiver) -> Iterator[Site]:
    """Serve a site that may tell this receiver, though it is on this machine."""
    allowed = {"KULA_WEBHOOK_LOOPBACK": receiver.address}
    with serving(data, "--workers", "2", environment=allowed) as site:
        yield site


def addresses(receiver: Receiver, *paths: str) -> list[str]:
    return [f"http://{receiver.address}{path}" for path in paths]


def report(site: Site, token: str) -> None:
    """Report the only hand of a table, as its phone does."""
    answer = Phone(site.port, token).open_page().report(1, (70, 50))
    assert answer == Answered(303, 1, "accepted")


def sender(site: Site) -> int:
    """Return the process that sends: unlike the server process it starts no others."""

    def found() -> list[int]:
        started = [pid for pid in children(site.process.pid) if not children(pid)]
        # Python's own, which comes with the first process that is spawned, is none of the site.
        return [pid for pid in started if b"resource_tracker" not in commands(pid)]

    wait_until(lambda: len(found()) == 1, "for the sender")
    return found()[0]


def test_every_receiver_hears_everything_in_order_however_it_answers(
    tmp_path: Path, receiver: Receiver
) -> None:
    with receiving() as elsewhere, telling(tmp_path, receiver) as site:
        redirect = say(302, Location=f"http://{elsewhere.address}/")
        receiver.answers = {
            "/late": at_first(hang(receiver), times=1),
            "/errors": at_first(say(500), times=FAILURES),
            "/redirects": at_first(redirect, times=FAILURES),
            "/drips": at_first(drip(receiver), times=1),
        }
        paths = ["/well", *receiver.answers]
        tournaments = told.lay(tmp_path, 2, *addresses(receiver, *paths))
        for tournament in tournaments:
            report(site, told.open_round(tmp_path, tournament))
            told.close(tmp_path, tournament)

        def sent() -> list[tuple[str, bool, int]]:
            return [each for key in tournaments for each in told.deliveries(tmp_path, key)]

        wait_until(lambda: all(each[1] for each in sent()), "for all to arrive", 2 * PATIENCE)
        assert len(receiver.heard) <= sum(attempts for _event, _delivered, attempts in sent())

    expected = dict.fromkeys(tournaments, EVENTS)
    assert {path: receiver.told(path) for path in paths} == dict.fromkeys(paths, expected)
    for path in paths:
        for tournament in tournaments:
            # Nothing overtakes what is tried again.
            tried = [
                each.uid
                for each in receiver.at(path)
                if each.message["data"]["tournament"]["id"] == tournament
            ]
            assert tried == sorted(tried, key=tried.index)
    # More, where a busy machine reads an answer too late and sends the message once more.
    assert len(receiver.at("/errors")) >= (1 + FAILURES) * len(tournaments) * len(EVENTS)
    assert elsewhere.heard == []


def test_tables_are_not_slowed_by_receivers_that_hang(tmp_path: Path, receiver: Receiver) -> None:
    paths = [f"/{nth}" for nth in range(5)]
    receiver.answers = {path: hang(receiver) for path in paths}
    with telling(tmp_path, receiver) as site:
        tournaments = told.lay(tmp_path, 8, *addresses(receiver, *paths))
        quiet = reported_in(site, HANDS)
        for tournament in tournaments:
            told.open_round(tmp_path, tournament)
        wait_until(lambda: len(receiver.heard) >= 8, "for all threads of the sender to wait")
        hanging = reported_in(site, HANDS)
        receiver.stop.set()

    assert hanging < SLOWER * quiet + patience(NOISE), (quiet, hanging)


def reported_in(site: Site, hands: int) -> float:
    """Return the median seconds of a report, of the best of four times so many hands.

    The best: a machine that something else keeps busy for a while is no finding.
    """
    medians = []
    with reporting(site, 6, pause=0.02) as playing:
        for _ in range(4):
            begun = time.time()
            wait_for(playing, hands)
            waits = [took for table in playing for when, took in table.waits if when >= begun]
            medians.append(median(waits))
    return min(medians)


def test_a_site_that_is_killed_before_it_sends_tells_it_afterwards(
    tmp_path: Path, receiver: Receiver
) -> None:
    with telling(tmp_path, receiver) as site:
        [tournament] = told.lay(tmp_path, 1, *addresses(receiver, "/"))
        token = told.open_round(tmp_path, tournament)
        sent = [("round.opened", True, 1)]  # the sender has read the answer, too
        wait_until(lambda: told.deliveries(tmp_path, tournament) == sent, "for the first")
        os.kill(sender(site), signal.SIGSTOP)
        report(site, token)
        told.close(tmp_path, tournament)
        cut_the_power(site)
        assert receiver.told("/") == {tournament: EVENTS[:1]}

    with telling(tmp_path, receiver):
        receiver.wait_for(4, "/")

    assert receiver.told("/") == {tournament: EVENTS}
    assert [each.nth for each in receiver.heard] == [1] * 4


def test_a_sender_that_is_killed_is_started_again_and_loses_nothing(
    tmp_path: Path, receiver: Receiver
) -> None:
    receiver.answers["/"] = at_first(hang(receiver))
    with telling(tmp_path, receiver) as site:
        first, other = told.lay(tmp_path, 2, *addresses(receiver, "/"))
        told.open_round(tmp_path, first)
        receiver.wait_for(1, "/")
        killed = sender(site)
        kill(killed)
        site.wait_until_said("The sender of webhooks stopped by itself")
        receiver.answers["/"] = say(200)
        told.open_round(tmp_path, other)
        receiver.wait_for(2, "/")
        if FULL:  # after the minute for which the killed one had claimed it
            again = [("round.opened", True, 2)]
            wait_until(lambda: told.deliveries(tmp_path, first) == again, "for what was under way")

        # It ends with the supervisor, and leaves the server process to serve on.
        last, others = sender(site), descendants(site.process.pid)
        kill(site.process.pid)
        wait_until(lambda: not is_alive(last), "for the sender's end")
        serves_on = [pid for pid in others if is_alive(pid)]
        kill(*serves_on)
    assert serves_on
    assert receiver.told("/") == {first: EVENTS[:1], other: EVENTS[:1]}


def commands(pid: int) -> bytes:
    with suppress(FileNotFoundError):  # it has ended
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    return b""


@pytest.mark.usefixtures("on_sqlite")
def test_the_command_waits_for_its_database_and_ends_when_asked_to(
    tmp_path: Path, receiver: Receiver
) -> None:
    environment = beside(tmp_path, KULA_WEBHOOK_LOOPBACK=receiver.address)
    with subprocess.Popen(
        [sys.executable, "-u", "manage.py", "send_webhooks"],
        cwd=ROOT,
        env=environment,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stderr is not None
        assert "Webhooks wait: OperationalError" in process.stderr.readline()  # no table yet
        subprocess.run(
            [sys.executable, "manage.py", "migrate", "--verbosity=0"],
            cwd=ROOT,
            env=environment,
            check=True,
        )
        [tournament] = told.lay(tmp_path, 1, *addresses(receiver, "/"))
        told.open_round(tmp_path, tournament)
        receiver.wait_for(1, "/")
        process.send_signal(signal.SIGTERM)

        assert process.wait(PATIENCE) == 0
