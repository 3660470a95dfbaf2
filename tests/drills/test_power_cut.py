"""The laptop dies in the middle of an evening: what was answered is there, and nothing is twice."""

import http.client
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from uuid import UUID, uuid4

import pytest

from tests.drilled import FULL
from tests.drills import hall
from tests.drills.phones import Answered, Phone, at_once
from tests.drills.processes import cut_the_power
from tests.drills.test_reports import eaten
from tests.serving import PATIENCE, serving

TABLES = 8
BEFORE_THE_CUT = 400 if FULL else 80
MOST = 200  # hands a table; the cut comes long before
_NO_ANSWER = (http.client.HTTPException, ConnectionError, TimeoutError)


@dataclass(slots=True)
class Evening:
    """What the tables sent, and what they were answered."""

    enough: threading.Event = field(default_factory=threading.Event)
    lock: threading.Lock = field(default_factory=threading.Lock)
    answered: int = 0

    def note(self) -> None:
        with self.lock:
            self.answered += 1
            if self.answered >= BEFORE_THE_CUT:
                self.enough.set()


@dataclass(slots=True)
class TableNow:
    """A phone that reports until nobody answers; ``sent`` holds each entry by its number."""

    phone: Phone
    sent: dict[int, UUID] = field(default_factory=dict)
    answered: int = 0

    def report_on(self, evening: Evening) -> None:
        for number in range(1, MOST + 1):
            self.sent[number] = uuid4()
            try:
                answer = self.phone.report(number, eaten(number), self.sent[number])
            except _NO_ANSWER:
                return
            assert (answer.status, answer.number) == (303, number), answer
            self.answered = number
            evening.note()


@pytest.fixture
def tables(tmp_path: Path) -> list[TableNow]:
    """Report from eight tables until the power is cut."""
    with serving(tmp_path, "--workers", "4") as site:
        tables = [
            TableNow(Phone(site.port, token).open_page()) for token in hall.seat(tmp_path, TABLES)
        ]
        evening = Evening()
        threads = [threading.Thread(target=table.report_on, args=[evening]) for table in tables]
        for thread in threads:
            thread.start()

        assert evening.enough.wait(PATIENCE)
        cut_the_power(site)

        for thread in threads:
            thread.join()
    return tables


def test_what_was_answered_before_a_power_cut_is_there(
    tmp_path: Path, tables: list[TableNow]
) -> None:
    with serving(tmp_path, "--workers", "4") as site:
        seen = hall.read(tmp_path, [table.phone.token for table in tables])
        for table, kept in zip(tables, seen, strict=True):
            assert kept.last_number in {table.answered, table.answered + 1}
            assert kept.hands == list(range(1, kept.last_number + 1))
            assert kept.verdicts == {str(table.sent[number]): "accepted" for number in kept.hands}
        assert "0 differences" in hall.recount(tmp_path)

        for table in tables:
            table.phone.port = site.port
        answers = at_once([_send_last_again(table) for table in tables])

        assert {(answer.status, answer.verdict) for answer in answers} == {(303, "accepted")}
        for table, kept in zip(
            tables, hall.read(tmp_path, [table.phone.token for table in tables]), strict=True
        ):
            assert kept.hands == list(range(1, len(table.sent) + 1))
        assert "0 differences" in hall.recount(tmp_path)


def _send_last_again(table: TableNow) -> Callable[[], Answered]:
    """Return the sending of what nobody answered, as the phone would do it."""
    number = max(table.sent)
    return partial(table.phone.report, number, eaten(number), table.sent[number])
