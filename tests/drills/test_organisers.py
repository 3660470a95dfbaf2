"""Five people put one tournament right at once while its tables report: nobody gets in a circle.

By hand, for so many seconds: ``python -m tests.drills.test_organisers 60``.
"""

import http.client
import os
import re
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from html import unescape
from pathlib import Path
from random import Random
from time import monotonic
from urllib.parse import urlencode

import psycopg

from tests.drilled import FULL
from tests.drills import hall
from tests.drills.organised import HANDS, Organised, organise
from tests.drills.phones import Phone, at_once, eaten
from tests.serving import PATIENCE, Site, serving

SECONDS = 60 if FULL else 4
TABLES = 4
ACTS = ("undo", "swap", "correct", "substitute", "accepted")
_SECRET = "a" * 32  # any will do: the cookie and the field must be the same


@dataclass(slots=True)
class Evening:
    """What everybody did, and what they were answered."""

    ends: float
    done: Counter[str] = field(default_factory=Counter)  # acts that were taken
    answers: Counter[int] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)

    def act(self, what: str, answer: tuple[int, str]) -> None:
        status, _ = answer
        self.answers[status] += 1
        self.done[what] += status in {302, 303}
        if status >= 500:
            self.faults.append(f"{what}: {status}")

    @property
    def is_over(self) -> bool:
        """Say whether the time is up; on a busy machine everything has to come about first."""
        now = monotonic()
        return now > self.ends and (now > self.ends + PATIENCE or all(map(self.done.get, ACTS)))

    def keep_on(self, act: Callable[[], None]) -> None:
        while not self.is_over:
            act()


@dataclass(slots=True)
class Organiser:
    """Somebody signed in, who puts things right over the wire."""

    port: int
    session: str
    club: Organised
    evening: Evening
    dice: Random

    def undo(self) -> None:
        """Take the round back and bring it back, and let the others do something in between."""
        self._post("undo", f"/rounds/{self.club.round_id}/undo/")
        pause, acts = threading.Event(), self.evening.done.total()
        while self.evening.done.total() < acts + 3 and not self.evening.is_over:
            pause.wait(0.01)

    def swap(self) -> None:
        seats = self._offered(r'name="seats" value="(\d+)"')
        if len(seats) < 2:
            return
        chosen: dict[str, str | list[str]] = {
            "do": "exchange",
            "seats": self.dice.sample(seats, 2),
        }
        self._look_and_keep("swap", self._seats, **chosen)

    def substitute(self) -> None:
        seat_select, player_select = (
            self._offered(rf'<select name="{name}".*?</select>') for name in ("seat", "player")
        )
        if not (seat_select and player_select):
            return
        seats, players = (
            re.findall(r'<option value="(\d+)"', each[0]) for each in (seat_select, player_select)
        )
        self._post(
            "substitute",
            self._seats,
            do="substitute",
            seat=self.dice.choice(seats),
            player=self.dice.choice(players),
        )

    def correct(self) -> None:
        """Strike a hand of either round, or bring it back."""
        number = self.dice.randint(1, HANDS)
        change = self.dice.choice(["strike", "restore"])
        sitting = self.dice.choice(self.club.sittings)
        self._look_and_keep("correct", f"/sittings/{sitting}/hands/{number}/", change=change)

    @property
    def _seats(self) -> str:
        return f"/rounds/{self.club.round_id}/seats/"

    def _offered(self, what: str) -> list[str]:
        """Return what the page about seats has of it; of a round taken back it has nothing."""
        _, page = self._ask("GET", self._seats)
        return re.findall(what, page, re.DOTALL)

    def _look_and_keep(self, what: str, path: str, **chosen: str | list[str]) -> None:
        """Look at what a change moves and keep it; who came in between makes it shown again."""
        looked = self._ask("POST", path, _body(**chosen))
        self.evening.act("look", looked)
        if seen := re.search(r'name="seen" value="([^"]*)"', looked[1]):
            keep = {"step": "keep", "seen": unescape(seen[1]), "reason": "They told me"}
            self._post(what, path, **chosen, **keep)

    def _post(self, what: str, path: str, **fields: str | list[str]) -> None:
        self.evening.act(what, self._ask("POST", path, _body(**fields)))

    def _ask(self, method: str, path: str, body: str | None = None) -> tuple[int, str]:
        link = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        headers = {
            "Content-Type": "application/x-www-form-urlencoded",
            "Cookie": f"sessionid={self.session}; csrftoken={_SECRET}",
        }
        link.request(method, path, body, headers)
        answer = link.getresponse()
        page = answer.read().decode()
        link.close()
        return answer.status, page


def _body(**fields: str | list[str]) -> str:
    return urlencode({"csrfmiddlewaretoken": _SECRET, **fields}, doseq=True)


@dataclass(slots=True)
class Table:
    """A phone that reports hand after hand; while the round is taken back they come too late."""

    phone: Phone
    evening: Evening
    number: int = 1

    def report(self) -> None:
        answer = self.phone.report(self.number, eaten(self.number))
        self.evening.act(answer.verdict or "asked", (answer.status, answer.page))
        self.number += answer.verdict in {"accepted", "agrees"}


def put_right(port: int, club: Organised, seconds: float) -> Evening:
    """Let five people and all tables of the round do what they do, so many seconds long."""
    phones = [Phone(port, token).open_page() for token in club.tokens]
    evening = Evening(monotonic() + seconds)
    tables = [Table(phone, evening) for phone in phones]
    people = [
        Organiser(port, session, club, evening, Random(nth))
        for nth, session in enumerate(club.sessions)
    ]
    first, second, third, fourth, fifth = people
    acts: list[Callable[[], None]] = [
        first.undo,
        second.swap,
        third.correct,
        fourth.substitute,
        fifth.swap,
    ]
    acts += [table.report for table in tables]
    at_once([partial(evening.keep_on, act) for act in acts])
    return evening


def deadlocks() -> int:
    """Return how many deadlocks the server has had to end; SQLite has none to end."""
    if not os.environ.get("DATABASE_URL"):
        return 0
    with psycopg.connect(os.environ["DATABASE_URL"]) as link:
        asked = "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()"
        row = link.execute(asked).fetchone()
    assert row is not None
    return int(row[0])


def who_waited_in_a_circle() -> str:
    """Return what the server wrote down of its deadlocks: the statements that met."""
    with psycopg.connect(os.environ["DATABASE_URL"]) as link:
        [folder] = link.execute("SHOW data_directory").fetchone() or [""]
    lines = (Path(folder).parent / "log").read_text(errors="replace").splitlines()
    starts = [nth for nth, line in enumerate(lines) if "deadlock detected" in line]
    return "\n".join("\n".join(lines[nth : nth + 12]) for nth in starts)


@contextmanager
def organised(data: Path) -> Iterator[tuple[Site, Organised]]:
    with serving(data, "--workers", "4") as site:
        yield site, organise(data, TABLES)


def test_five_people_put_a_tournament_right_while_its_tables_report(tmp_path: Path) -> None:
    before = deadlocks()
    with organised(tmp_path) as (site, club):
        evening = put_right(site.port, club, SECONDS)

    assert evening.faults == [], "".join(site.said)[-8000:]
    # A server counts its deadlocks for certain when the connections are closed.
    assert deadlocks() == before, who_waited_in_a_circle()
    assert all(map(evening.done.get, ACTS)), evening.done
    assert "0 differences" in hall.recount(tmp_path)


def main(seconds: float) -> None:
    """Do the same so long, and say what came of it."""
    before = deadlocks()
    with tempfile.TemporaryDirectory() as data:
        with organised(Path(data)) as (site, club):
            evening = put_right(site.port, club, seconds)
        print(
            f"{seconds:.0f} s: {dict(sorted(evening.done.items()))} taken,"
            f" answers {dict(sorted(evening.answers.items()))},"
            f" {deadlocks() - before} deadlocks; {hall.recount(Path(data)).strip()}"
        )
        for fault in evening.faults[:3]:
            print(fault)
        if evening.faults:
            print("".join(site.said)[-8000:])


if __name__ == "__main__":
    main(float(sys.argv[1]))
