"""A disk that is full, or takes nothing in: said to tables, organiser and whoever starts; read all the same."""

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, build_opener, urlopen
from uuid import UUID, uuid4

import pytest

from tests.drills import hall
from tests.drills.disks import Disk, again, disk, holder, mounted, run
from tests.drills.phones import Answered, Phone
from tests.drills.processes import cut_the_power
from tests.serving import PATIENCE, Site, serving, start

TWO = ("--workers", "2")
FULL_DISK = "The disk of this site is full: tell the organiser."
READ_ONLY_DISK = "The disk of this site takes nothing in: tell the organiser."


pytestmark = pytest.mark.usefixtures("on_sqlite")


@dataclass(frozen=True, slots=True)
class Played:
    """A disk on which a site was opened, and a table reported one hand."""

    image: Path
    token: str
    entry: UUID


@pytest.fixture(scope="module")
def place() -> Iterator[Path]:
    with holder() as place:
        yield place


@pytest.fixture(scope="module")
def played(place: Path, on_sqlite: None) -> Iterator[Played]:
    entry = uuid4()
    with disk(place, 48) as first:
        with serving(first.path, *TWO, anew=True) as site:
            [token] = hall.seat(first.path, 1)
            assert Phone(site.port, token).open_page().report(1, (70, 50), entry).status == 303
            cut_the_power(site)
        yield Played(first.freeze_whole(), token, entry)


@pytest.fixture
def small(played: Played) -> Iterator[Disk]:
    """Return a disk with little room, as a cut left it."""
    copy = played.image.with_name(f"{uuid4().hex}.img")
    run("cp", "--reflink=always", str(played.image), str(copy))
    with again(copy) as small:
        assert (small.path / "kula.sqlite3-wal").stat().st_size > 0
        yield small
    copy.unlink()


@pytest.fixture(params=["closed", "cut"])
def left(small: Disk, request: pytest.FixtureRequest) -> Disk:
    """Return a disk as it is left by a cut, or by whoever closes the database last."""
    if request.param == "closed":
        with closing(sqlite3.connect(small.path / "kula.sqlite3")) as database:
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        assert not (small.path / "kula.sqlite3-wal").exists()
    return small


def pages_are_read(site: Site, played: Played, last: int) -> None:
    """See that the table has its last hand, and the front page is there, with their styles."""
    with urlopen(f"{site.url}/t/{played.token}/?saved={last}&as=accepted") as page:
        text = page.read().decode()
    assert " saved: " in text
    styles = re.findall(r'rel="stylesheet" href="([^"]+)"', text)
    assert styles
    for path in (*styles, "/", "/sign-in/"):
        with urlopen(site.url + path) as page:
            assert page.status == 200


def reads_and_refuses(
    site: Site, played: Played, answer: Answered, why: str, last: int = 1
) -> None:
    """See that a table was told why, has what it typed on the page, and everybody can go on reading."""
    assert answer.status == 507
    assert why in answer.page
    assert 'name="eaten_0" value="70"' in answer.page
    pages_are_read(site, played, last)
    assert sign_in(site) == 507
    assert "Traceback" not in "".join(site.said)


def test_a_disk_fills_up_while_tables_report_and_has_room_again(
    small: Disk, played: Played
) -> None:
    with serving(small.path, *TWO) as site:
        phone, entry = Phone(site.port, played.token).open_page(), uuid4()
        send = partial(phone.report, 2, (70, 50), entry)
        small.fill()

        for _ in range(2):
            reads_and_refuses(site, played, send(), FULL_DISK)
        small.free()

        assert [send(), send()] == [Answered(303, 2, "accepted")] * 2
        [seen] = hall.read(small.path, [played.token])
        assert seen.standing == [str(played.entry), str(entry)]
        assert "Traceback" not in "".join(site.said)


def test_a_disk_becomes_read_only_while_tables_report(small: Disk, played: Played) -> None:
    with serving(small.path, *TWO) as site:
        phone, second, third = Phone(site.port, played.token).open_page(), uuid4(), uuid4()
        assert phone.report(2, (70, 50), second).status == 303
        small.break_off()

        answer = phone.report(3, (70, 50), third)
        reads_and_refuses(site, played, answer, READ_ONLY_DISK, last=2)
        cut_the_power(site)

    with again(small.freeze()) as put_right, serving(put_right.path, *TWO) as site:
        phone.port = site.port
        assert phone.report(2, (70, 50), second) == Answered(303, 2, "accepted")
        assert phone.report(3, (70, 50), third) == Answered(303, 3, "accepted")


def test_a_site_on_a_full_disk_opens_for_reading(left: Disk, played: Played) -> None:
    left.fill()

    with serving(left.path, *TWO) as site:
        site.wait_until_said("cannot be written (No space left on device)")
        pages_are_read(site, played, last=1)
        left.fill()  # what a cut left in the -wal is put away at a start, and that makes room
        phone = Phone(site.port, played.token).open_page()
        reads_and_refuses(site, played, phone.report(2, (70, 50)), FULL_DISK)
        left.free()

        assert phone.report(2, (70, 50)) == Answered(303, 2, "accepted")
        assert "Traceback" not in "".join(site.said)


def test_a_site_on_a_read_only_disk_opens_for_reading(left: Disk, played: Played) -> None:
    image = left.freeze_whole()
    with again(image):
        pass  # its journal is played back

    with mounted(image, left.path.with_name("locked"), "ro") as data, serving(data, *TWO) as site:
        site.wait_until_said("cannot be written (Read-only file system)")
        phone = Phone(site.port, played.token).open_page()
        reads_and_refuses(site, played, phone.report(2, (70, 50)), READ_ONLY_DISK)


def test_the_first_start_on_a_full_disk_ends_with_a_sentence_and_the_next_one_opens(
    place: Path,
) -> None:
    with disk(place, 48) as empty:
        empty.fill()
        site = start(empty.path, anew=True)
        assert site.process.wait(PATIENCE) == 1
        site.close()
        assert "cannot be written (No space left on device)" in "".join(site.said)
        assert "Traceback" not in "".join(site.said)
        empty.free()

        with serving(empty.path, *TWO, anew=True):
            pass


def sign_in(site: Site) -> int:
    """Try to sign in with a wrong password, and return the status."""
    browser = build_opener(HTTPCookieProcessor())
    with browser.open(f"{site.url}/sign-in/") as page:
        token = re.search(r'csrfmiddlewaretoken" value="(\w+)"', page.read().decode())
    assert token
    fields = {"csrfmiddlewaretoken": token[1], "username": "nobody", "password": "wrong"}
    try:
        with browser.open(f"{site.url}/sign-in/", urlencode(fields).encode()) as page:
            return int(page.status)
    except HTTPError as refusal:
        return refusal.code
