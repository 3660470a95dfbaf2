"""A disk that is full, or takes nothing in: said to tables, organiser and whoever starts; read all the same."""

import re
from collections.abc import Iterator
from functools import partial
from http.client import HTTPConnection
from pathlib import Path
from urllib.request import urlopen
from uuid import uuid4

import pytest

from tests.drills import hall
from tests.drills.disks import Disk, disk, holder, mounted
from tests.drills.phones import Answered, Phone
from tests.drills.processes import cut_the_power
from tests.postgresql import free_port
from tests.serving import PATIENCE, Site, serving, start

ON_SQLITE = {"DATABASE_URL": ""}
TWO = ("--workers", "2")
FULL_DISK = "The disk of the laptop is full: tell the organiser."
READ_ONLY_DISK = "The disk of the laptop takes nothing in: tell the organiser."


@pytest.fixture(autouse=True)
def _on_sqlite(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep to the file in the folder, wherever the other drills have their database."""
    monkeypatch.setenv("DATABASE_URL", "")


@pytest.fixture(scope="module")
def place() -> Iterator[Path]:
    with holder() as place:
        yield place


@pytest.fixture
def small(place: Path) -> Iterator[Disk]:
    with disk(place, 48) as small:
        yield small


def pages_are_read(site: Site, token: str) -> None:
    """See that a table's page and the front page are there, with their styles."""
    with urlopen(f"{site.url}/t/{token}/") as page:
        text = page.read().decode()
    [style] = re.findall(r'rel="stylesheet" href="([^"]+)"', text)
    for path in (style, "/", "/sign-in/"):
        with urlopen(site.url + path) as page:
            assert page.status == 200


def refused(answer: Answered, sentence: str) -> None:
    """See that a table was told why, and has what it typed on the page to send it again."""
    assert answer.status == 507
    assert sentence in answer.page
    assert 'name="eaten_0" value="70"' in answer.page


def test_a_disk_fills_up_while_tables_report_and_has_room_again(small: Disk) -> None:
    with serving(small.path, *TWO, environment=ON_SQLITE) as site:
        [token] = hall.seat(small.path, 1)
        phone, entry = Phone(site.port, token).open_page(), uuid4()
        send = partial(phone.report, 1, (70, 50), entry)
        small.fill()

        answer = send()
        refused(answer, FULL_DISK)
        pages_are_read(site, token)
        refused(send(), FULL_DISK)
        small.free()

        assert send() == Answered(303, 1, "accepted")
        assert send() == Answered(303, 1, "accepted")
        [kept] = hall.read(small.path, [token])
        assert kept.verdicts == {str(entry): "accepted"}
        assert "Traceback" not in "".join(site.said)


def test_a_disk_becomes_read_only_while_tables_report(small: Disk) -> None:
    with serving(small.path, *TWO, environment=ON_SQLITE) as site:
        [token] = hall.seat(small.path, 1)
        phone, first, second = Phone(site.port, token).open_page(), uuid4(), uuid4()
        assert phone.report(1, (70, 50), first).status == 303
        small.break_off()

        refused(phone.report(2, (70, 50), second), READ_ONLY_DISK)
        pages_are_read(site, token)
        assert "Traceback" not in "".join(site.said)
        cut_the_power(site)

    with (
        mounted(small.freeze(), small.path.with_name("put-right")) as data,
        serving(data, *TWO, environment=ON_SQLITE) as site,
    ):
        phone.port = site.port
        assert phone.report(1, (70, 50), first) == Answered(303, 1, "accepted")
        assert phone.report(2, (70, 50), second) == Answered(303, 2, "accepted")


@pytest.mark.parametrize("how", ["closed", "cut"])
def test_a_site_on_a_full_disk_opens_for_reading(small: Disk, how: str) -> None:
    token, entry = played(small, how)
    small.fill()

    with serving(small.path, *TWO, environment=ON_SQLITE) as site:
        site.wait_until_said("Nothing can be saved")
        site.wait_until_said("No space left on device")
        pages_are_read(site, token)
        phone = Phone(site.port, token).open_page()
        refused(phone.report(2, (70, 50)), FULL_DISK)
        assert sign_in(site).startswith("507 ")
        small.free()

        assert phone.report(1, (70, 50), entry) == Answered(303, 1, "accepted")
        assert phone.report(2, (70, 50)) == Answered(303, 2, "accepted")
        assert "Traceback" not in "".join(site.said)


@pytest.mark.parametrize("how", ["closed", "cut"])
def test_a_site_on_a_read_only_disk_opens_for_reading(small: Disk, how: str) -> None:
    token, entry = played(small, how)
    image = small.freeze()

    with (
        mounted(image, small.path.with_name("locked"), "ro") as data,
        serving(data, *TWO, environment=ON_SQLITE) as site,
    ):
        site.wait_until_said("Read-only file system")
        pages_are_read(site, token)
        phone = Phone(site.port, token).open_page()
        refused(phone.report(2, (70, 50)), READ_ONLY_DISK)
        # What it played is not there only because somebody asks: a second report would be refused.
        refused(phone.report(1, (70, 50), entry), READ_ONLY_DISK)
        assert sign_in(site).startswith("507 ")
        assert "Traceback" not in "".join(site.said)


def test_the_first_start_on_a_full_disk_ends_with_a_sentence_and_the_next_one_opens(
    small: Disk,
) -> None:
    small.fill()
    site = start(small.path, environment=ON_SQLITE, port=free_port())

    assert site.process.wait(PATIENCE) == 1
    site.close()
    assert "cannot be written (No space left on device)" in "".join(site.said)
    assert "Traceback" not in "".join(site.said)
    small.free()
    with serving(small.path, *TWO, environment=ON_SQLITE):
        pass


def played(small: Disk, how: str) -> tuple[str, object]:
    """Play a hand and close the site, or cut it off; return the table and the entry."""
    entry = uuid4()
    with serving(small.path, *TWO, environment=ON_SQLITE) as site:
        [token] = hall.seat(small.path, 1)
        phone = Phone(site.port, token).open_page()
        assert phone.report(1, (70, 50), entry).status == 303
        if how == "cut":
            cut_the_power(site)
            assert (small.path / "kula.sqlite3-wal").stat().st_size > 0
    return token, entry


def sign_in(site: Site) -> str:
    """Try to sign in and return the status with what the page says."""
    link = HTTPConnection("127.0.0.1", site.port, timeout=PATIENCE)
    link.request("GET", "/sign-in/")
    answer = link.getresponse()
    token = re.search(r'csrfmiddlewaretoken" value="(\w+)"', answer.read().decode())
    cookie = answer.headers["Set-Cookie"].split(";")[0]
    assert token
    link.request(
        "POST",
        "/sign-in/",
        f"csrfmiddlewaretoken={token[1]}&username=nobody&password=wrong",
        {"Content-Type": "application/x-www-form-urlencoded", "Cookie": cookie},
    )
    answer = link.getresponse()
    return f"{answer.status} {answer.read().decode()}"
