"""Tables whose phones report hand after hand, and what must be there of them afterwards."""

import os
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from uuid import UUID, uuid4

from tests.drills import hall
from tests.drills.phones import Answered, Phone, eaten
from tests.serving import PATIENCE, Site

WITHIN = 10.0  # seconds, in which the site is open again
_MOST = 900  # hands a table: more a round does not take


@dataclass(slots=True)
class TableNow:
    """A phone that reports hand after hand, and what it was told."""

    phone: Phone
    sent: dict[int, UUID] = field(default_factory=dict)  # the entry of each hand by its number
    acknowledged: int = 0  # the hands that it was told are kept
    waits: list[tuple[float, float]] = field(default_factory=list)  # when, and how many seconds

    def report_until(self, stop: threading.Event, pause: float) -> None:
        while self.acknowledged < _MOST and not stop.wait(pause):
            number, begun = self.acknowledged + 1, time.time()
            entry = self.sent.setdefault(number, uuid4())
            answer = self.phone.report(number, eaten(number), entry)
            assert (answer.status, answer.number) == (303, number), answer
            self.waits.append((begun, time.time() - begun))
            self.acknowledged = number

    def goes_on(self, port: int, last: int) -> None:
        """Send the last hand again, which is the same one, and then the next."""
        phone = Phone(port, self.phone.token).open_page()
        for number in filter(None, (last, last + 1)):
            answer = phone.report(number, eaten(number), self.sent.setdefault(number, uuid4()))
            assert answer == Answered(303, number, "accepted"), answer


@contextmanager
def reporting(site: Site, tables: int, *, pause: float = 0) -> Iterator[list[TableNow]]:
    """Let phones report, by default as fast as they are answered, as long as this lasts."""
    playing = [
        TableNow(Phone(site.port, token).open_page()) for token in hall.seat(site.data, tables)
    ]
    stop, failed = threading.Event(), []

    def report(table: TableNow) -> None:
        try:
            table.report_until(stop, pause)
        except BaseException as error:  # noqa: BLE001 - raised below, in the drill's own thread
            failed.append(error)

    threads = [threading.Thread(target=report, args=[table]) for table in playing]
    for thread in threads:
        thread.start()
    try:
        yield playing
    finally:
        stop.set()
        for thread in threads:
            thread.join(PATIENCE)
    if failed:
        raise failed[0]


def told(playing: Sequence[TableNow]) -> dict[str, int]:
    """Return how many hands each table was told are kept, by its token."""
    return {table.phone.token: table.acknowledged for table in list(playing)}


def wait_for(playing: Sequence[TableNow], hands: int) -> None:
    """Wait until so many hands more were acknowledged."""
    enough = min(sum(told(playing).values()) + hands, len(playing) * _MOST)
    wait_until(lambda: sum(told(playing).values()) >= enough, "for phones to be answered")


def patience(seconds: float = WITHIN) -> float:
    """Return how long something may take: longer where others keep the machine busy.

    What is busy since a moment is hardly in the average yet, so that it counts twice.
    """
    return seconds * (1 + 2 * os.getloadavg()[0] / (os.cpu_count() or 1))


def wait_until(is_so: Callable[[], bool], what: str) -> None:
    pause = threading.Event()
    for _ in range(int(PATIENCE / 0.01)):
        if is_so():
            return
        pause.wait(0.01)
    raise AssertionError(f"waited in vain {what}")


def count_kept(
    data: Path, playing: Sequence[TableNow], told: Mapping[str, int]
) -> tuple[dict[str, int], int]:
    """See that the hands of these tables are whole; return how many each has, and how many are lost.

    Lost are hands that a table was told are kept, and that are not there.
    """
    assert "0 differences" in hall.recount(data)
    sent = {table.phone.token: table.sent for table in playing}
    kept, lost = {}, 0
    for token, table in zip(told, hall.read(data, [*told]) if told else [], strict=True):
        assert table.hands == list(range(1, table.last_number + 1)), "a gap"
        assert table.verdicts == {str(sent[token][n]): "accepted" for n in table.hands}
        kept[token] = table.last_number
        lost += max(0, told[token] - table.last_number)
    return kept, lost
