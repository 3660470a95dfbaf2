"""The line is cut at any byte of the exchange, and the phone sends once more: one hand, and it says so."""

import http.client
import os
from collections.abc import Iterator
from uuid import UUID, uuid4

import pytest

from tests.drilled import FULL
from tests.drills import hall
from tests.drills.lines import End, Line
from tests.drills.phones import Answered, Phone
from tests.drills.power_cuts import eaten
from tests.serving import PATIENCE, Site, serving

# Every byte in full; not on PostgreSQL, where the same server reads the same lines.
EVERY = 1 if FULL and not os.environ.get("DATABASE_URL") else 40
BOTH = [pytest.param(end, id=end.value) for end in End]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with serving(tmp_path_factory.mktemp("lines"), "--workers", "4") as site:
        yield site


@pytest.fixture
def line(site: Site) -> Line:
    [token] = hall.seat(site.data, 1)
    return Line(Phone(site.port, token).open_page())


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
    assert 'class="saved"' in text
    assert "At the club" in text


def one_hand_each(site: Site, line: Line, entries: list[UUID]) -> None:
    [seen] = hall.read(site.data, [line.phone.token])
    assert seen.hands == list(range(1, len(entries) + 1))
    assert seen.standing == [str(entry) for entry in entries]
    assert seen.verdicts == {str(entry): "accepted" for entry in entries}
    assert "0 differences" in hall.recount(site.data)


@pytest.mark.parametrize("end", BOTH)
def test_a_request_is_cut_after_any_byte(site: Site, line: Line, end: End) -> None:
    entries: list[UUID] = []
    length = len(line.request(1, uuid4()))
    for cut in range(0, length + 1, EVERY):
        number, entry = len(entries) + 1, uuid4()
        line.send(line.request(number, entry)[:cut], end)

        sent_again(line, number, entry)
        entries.append(entry)

    assert len(entries) >= length // EVERY
    one_hand_each(site, line, entries)


@pytest.mark.parametrize("end", BOTH)
def test_an_answer_is_cut_after_any_byte(site: Site, line: Line, end: End) -> None:
    first = uuid4()
    length = len(line.answer(line.request(1, first)))
    entries = [first]
    for cut in range(0, length + 1, EVERY):
        number, entry = len(entries) + 1, uuid4()
        # Answers are a few bytes longer or shorter, by the numbers in them.
        assert line.read(line.request(number, entry), cut, end) >= min(cut, length - 40)

        sent_again(line, number, entry)
        entries.append(entry)

    one_hand_each(site, line, entries)
