"""Tables whose phones report hand after hand, and what must be there of them afterwards."""

import http.client
import os
import re
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from uuid import UUID, uuid4

from tests.drills import hall
from tests.drills.phones import Answered, Phone, eaten
from tests.serving import PATIENCE, Site, wait_until

WITHIN = 10.0  # seconds, in which the site is open again
_MOST = 900  # hands a table: more a round does not take
_NO_ANSWER = (http.client.HTTPException, OSError)


@dataclass(slots=True)
class TableNow:
    """A phone that reports hand after hand, and what it was told."""

    phone: Phone
    sent: dict[int, UUID] = field(default_factory=dict)  # the entry of each hand by its number
    acknowledged: int = 0  # the hands that it was told are kept
    waits: list[tuple[float, float]] = field(default_factory=list)  # when, and how many seconds
    answers: Counter[str] = field(default_factory=Counter)  # by status, or what came instead
    odd: list[str] = field(default_factory=list)  # what else it was shown

    def report_until(
        self, stop: threading.Event, pause: float, again: Sequence[float] = ()
    ) -> None:
        """Report hand after hand, each until the phone is told that it is kept.

        What has no answer, or a 503, is sent once more after the pauses *again*, of which the last
        comes again and again; where there are none, every hand has to be taken at once.
        """
        tries = 0
        while self.acknowledged < _MOST and not stop.wait(
            again[min(tries, len(again)) - 1] if tries else pause
        ):
            number, begun = self.acknowledged + 1, time.time()
            entry = self.sent.setdefault(number, uuid4())
            tries += 1
            try:
                answer = self.phone.report(number, eaten(number), entry)
            except _NO_ANSWER as error:
                if not again:
                    raise
                self.answers[type(error).__name__] += 1
                continue
            self.answers[str(answer.status)] += 1
            if (answer.status, answer.number, answer.verdict) == (303, number, "accepted"):
                self.waits.append((begun, time.time() - begun))
                self.acknowledged, tries = number, 0
            elif answer.status != 503 or not again:
                page = answer.page.partition("<main")[2] or answer.page
                words = " ".join(re.sub(r"<[^>]*>", " ", page).split())
                self.odd.append(f"hand {number}, try {tries}, {answer.status}: {words}")
                if not again:
                    return
            elif str(entry) not in answer.page:
                self.answers["503 without what was typed"] += 1

    def goes_on(self, port: int, last: int) -> None:
        """Send the last hand again, which is the same one, and then the next."""
        phone = Phone(port, self.phone.token).open_page()
        for number in filter(None, (last, last + 1)):
            answer = phone.report(number, eaten(number), self.sent.setdefault(number, uuid4()))
            assert answer == Answered(303, number, "accepted"), answer


@contextmanager
def reporting(
    site: Site, tables: int, *, pause: float = 0, again: Sequence[float] = ()
) -> Iterator[list[TableNow]]:
    """Let phones report, by default as fast as they are answered; none may be shown anything odd."""
    playing = [TableNow(Phone(site.port, token)) for token in hall.seat(site.data, tables)]
    with all_reporting(playing, pause=pause, again=again):
        yield playing
    assert [odd for table in playing for odd in table.odd] == []


@contextmanager
def all_reporting(
    playing: Sequence[TableNow], *, pause: float, again: Sequence[float] = ()
) -> Iterator[None]:
    """Let all of these tables report as long as this lasts."""
    for table in playing:
        table.phone.open_page()
    stop, failed = threading.Event(), []

    def report(table: TableNow) -> None:
        try:
            table.report_until(stop, pause, again)
        except BaseException as error:  # noqa: BLE001 - raised below, in the drill's own thread
            failed.append(error)

    threads = [threading.Thread(target=report, args=[table]) for table in playing]
    for thread in threads:
        thread.start()
    try:
        yield
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
