"""The line is cut at any byte of the exchange, and the phone sends once more: one hand, and it says so."""

import http.client
import os
from collections.abc import Iterator
from uuid import UUID, uuid4

import pytest

from tests.drilled import FULL
from tests.drills import hall
from tests.drills.lines import End, Line
from tests.drills.phones import Answered, Phone, eaten
from tests.serving import PATIENCE, Site, serving

# Every byte in full; not on PostgreSQL, where the same server reads the same lines.
EVERY = 1 if FULL and not os.environ.get("DATABASE_URL") else 40
HANDS = 50  # at a table: with hundreds, the page with all of them is what takes the time
BOTH = [pytest.param(end, id=end.value) for end in End]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with serving(tmp_path_factory.mktemp("lines"), "--workers", "4") as site:
        yield site


@pytest.fixture(scope="module")
def lines(site: Site) -> Iterator[Line]:
    """Return the lines of phones, each at a table of its own; so many as are asked for."""
    tokens = hall.seat(site.data, 100)
    return (Line(Phone(site.port, token).open_page()) for token in tokens)


def shared_out(length: int) -> list[range]:
    """Return for each table after how many bytes its hands are cut off."""
    cuts = range(0, length + 1, EVERY)
    return [cuts[first : first + HANDS] for first in range(0, len(cuts), HANDS)]


def sent_again(line: Line, number: int, entry: UUID) -> None:
    """Send the same once more, as a person does who saw no answer, and look at the page that comes."""
    answer = line.phone.report(number, eaten(number), entry)

    assert answer == Answered(303, number, "accepted")
    link = http.client.HTTPConnection("127.0.0.1", line.phone.port, timeout=PATIENCE)
    link.request("GET", f"/t/{line.phone.token}/?saved={number}&as=accepted")
    page = link.getresponse()
    text = page.read().decode()
    link.close()
    assert page.status == 200
    assert ' receipt"' in text
    assert " saved: " in text


def one_hand_each(site: Site, tables: list[tuple[Line, list[UUID]]]) -> None:
    """Each table has what its phone sent, once."""
    seen = hall.read(site.data, [line.phone.token for line, _ in tables])
    for table, (_, entries) in zip(seen, tables, strict=True):
        assert table.hands == list(range(1, len(entries) + 1))
        assert table.standing == [str(entry) for entry in entries]
        assert table.verdicts == {str(entry): "accepted" for entry in entries}
    assert "0 differences" in hall.recount(site.data)


@pytest.mark.parametrize("end", BOTH)
def test_a_request_is_cut_after_any_byte(site: Site, lines: Iterator[Line], end: End) -> None:
    tables = []
    for cuts in shared_out(len(next(lines).request(1, uuid4()))):
        line, entries = next(lines), [uuid4() for _ in cuts]
        for number, (cut, entry) in enumerate(zip(cuts, entries, strict=True), start=1):
            line.send(line.request(number, entry)[:cut], end)

            sent_again(line, number, entry)
        tables.append((line, entries))

    one_hand_each(site, tables)


@pytest.mark.parametrize("end", BOTH)
def test_an_answer_is_cut_after_any_byte(site: Site, lines: Iterator[Line], end: End) -> None:
    tables, first = [], next(lines)
    length = len(first.answer(first.request(1, uuid4())))
    for cuts in shared_out(length):
        line, entries = next(lines), [uuid4() for _ in cuts]
        for number, (cut, entry) in enumerate(zip(cuts, entries, strict=True), start=1):
            # Answers are a few bytes longer or shorter, by the numbers in them.
            assert line.read(line.request(number, entry), cut, end) >= min(cut, length - 40)

            sent_again(line, number, entry)
        tables.append((line, entries))

    one_hand_each(site, tables)
