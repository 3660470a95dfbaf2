"""Pages that have not changed are answered without Django, and only they."""

import asyncio
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from pathlib import Path
from uuid import uuid4

import pytest
from django.core.wsgi import get_wsgi_application
from django.db import connection
from pytest_django import Settings

from tests import make, tour
from tests.tracker.test_polling import watched_pages
from tracker.common.web import polling
from tracker.management.server import unchanged as server_unchanged
from tracker.management.server.application import Request, WholeResponse, call
from tracker.management.server.unchanged import UnchangedPages
from tracker.models import Club, Sitting, Tournament
from tracker.people.services.clubs import edit_club
from tracker.results.services.report_hand import Submission, report_hand

pytestmark = pytest.mark.django_db(transaction=True)


@dataclass
class Browser:
    """A phone that asks the gateway for pages, with what it was given so far."""

    pages: UnchangedPages
    site: Callable[..., object] = field(default_factory=get_wsgi_application)
    cookies: dict[str, str] = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)
    tags: dict[str, str] = field(default_factory=dict)

    def ask(self, path: str, method: str = "GET") -> WholeResponse | None:
        """Return what is answered without Django."""
        return asyncio.run(self.pages.answer(self.variables(path, method)))

    def open(self, path: str) -> WholeResponse:
        """Return what Django answers, which the gateway may learn."""
        variables = self.variables(path)
        response = call(self.site, Request(variables, b""))
        self.pages.learn(variables, response)
        for name, value in response.headers:
            if name == "ETag":
                self.tags[path] = value
            elif name == "Set-Cookie":
                self.cookies |= {key: morsel.value for key, morsel in SimpleCookie(value).items()}
        return response

    def known(self, path: str) -> int:
        """Open a page twice, as the first time gives cookies; return how it is answered then."""
        self.open(path)
        self.open(path)
        answer = self.ask(path)
        return answer.status if answer else 0

    def variables(self, path: str, method: str = "GET") -> dict[str, str]:
        path, _, query = path.partition("?")
        variables = {
            "REQUEST_METHOD": method,
            "SCRIPT_NAME": "",
            "PATH_INFO": path,
            "QUERY_STRING": query,
            "SERVER_NAME": "localhost",
            "SERVER_PORT": "80",
            "SERVER_PROTOCOL": "HTTP/1.1",
            "REMOTE_ADDR": "127.0.0.1",
            "HTTP_HOST": "localhost",
            "HTTP_X_LOOK": "1",
            "HTTP_ACCEPT_ENCODING": "gzip",
            "wsgi.url_scheme": "http",
            **self.headers,
        }
        if self.cookies:
            variables["HTTP_COOKIE"] = "; ".join(f"{k}={v}" for k, v in self.cookies.items())
        if path in self.tags:
            variables["HTTP_IF_NONE_MATCH"] = self.tags[path]
        return variables


@pytest.fixture(autouse=True)
def still(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no minute end between two requests."""
    monkeypatch.setattr(polling, "time", lambda: 0.0)
    monkeypatch.setattr(server_unchanged, "time", lambda: 0.0)


@pytest.fixture
def pages(settings: Settings) -> Iterator[UnchangedPages]:
    settings.SHARED_PAGES = 3
    pages = UnchangedPages()
    yield pages
    if pages.database is None:
        pages.thread.submit(lambda: connection.close()).result()  # noqa: PLW0108 - the thread's
    elif pages.database.inode:
        pages.database.connection.close()


def test_every_page_that_polls_is_answered_without_django(pages: UnchangedPages) -> None:
    laid = tour.lay()
    phone, paths = Browser(pages), watched_pages(laid).values()
    for path in paths:
        phone.open(path)  # the phone gets its cookies
    answered = 0

    for path in paths:
        if "ETag" not in dict(phone.open(path).headers):
            assert phone.ask(path) is None  # no bracket, a desk for strangers
            continue
        by_django, answer = phone.open(path), phone.ask(path)
        assert answer
        assert by_django.status == answer.status == 304
        assert set(answer.headers) <= set(by_django.headers)
        assert {"ETag", "Cache-Control", "Vary"} <= dict(answer.headers).keys()
        answered += 1
    assert answered >= 8


def test_a_shared_page_is_given_to_all_who_are_not_signed_in(pages: UnchangedPages) -> None:
    path = make.tournament().get_absolute_url()
    first = Browser(pages).open(path)
    other, signed_in = Browser(pages), Browser(pages)
    other.cookies["kula_device"] = "another"
    signed_in.cookies["sessionid"] = "any"

    assert other.ask(path) == first
    assert first.status == 200
    assert signed_in.ask(path) is None
    other.cookies["messages"] = "waits"
    assert other.ask(path) is None
    for number in range(6):
        Browser(pages).open(f"{path}?other={number}")
    assert len(pages.shared) == 3


async def others_wait(pages: UnchangedPages) -> None:
    """Return when all that ask now have read the state of their page."""
    await asyncio.sleep(0)
    while pages.reading:  # noqa: ASYNC110 - no event tells when
        await asyncio.sleep(0)


def test_a_shared_page_that_has_changed_is_asked_of_django_once(pages: UnchangedPages) -> None:
    table, phone, [_, path] = known_pages(pages)
    _report(table)
    asked: list[Browser] = []

    async def ask(browser: Browser) -> WholeResponse:
        async def by_django() -> WholeResponse:
            asked.append(browser)
            await others_wait(pages)
            return answer

        return await pages.answer_or_ask(browser.variables(path), by_django)

    async def all_ask(browsers: list[Browser]) -> list[WholeResponse]:
        return await asyncio.gather(*map(ask, browsers))

    answer = call(phone.site, Request(Browser(pages).variables(path), b""))
    signed_in = Browser(pages, cookies={"sessionid": "any"})
    strangers = [Browser(pages) for _ in range(5)]
    answers = asyncio.run(all_ask([*strangers[:3], signed_in, *strangers[3:]]))

    assert len(asked) == 2
    assert signed_in in asked
    assert {each.status for each in answers} == {200}
    assert {each.body for each in answers} == {answer.body}
    assert not pages.rendering


def test_a_page_that_is_private_meanwhile_is_given_to_nobody_who_waits(
    pages: UnchangedPages,
) -> None:
    table, phone, [_, path] = known_pages(pages)
    _report(table)
    old = call(phone.site, Request(Browser(pages).variables(path), b""))
    Club.objects.update(public=False)
    private = call(phone.site, Request(Browser(pages).variables(path), b""))

    asked: list[WholeResponse] = []

    async def all_ask(answer: WholeResponse) -> list[WholeResponse]:
        async def by_django() -> WholeResponse:
            asked.append(answer)
            await others_wait(pages)
            return answer

        variables = Browser(pages).variables(path)
        return await asyncio.gather(*(pages.answer_or_ask(variables, by_django) for _ in range(6)))

    assert asyncio.run(all_ask(old)) == [old] * 6  # rendered just before
    assert asyncio.run(all_ask(private)) == [private] * 6
    assert asked == [old] + [private] * 6
    assert private.status == 404
    assert not pages.rendering


def test_one_reader_s_page_is_not_given_to_another(pages: UnchangedPages) -> None:
    path = make.sitting().get_absolute_url()
    phone = Browser(pages)
    assert phone.known(path) == 304
    other = Browser(pages, tags=phone.tags)

    assert other.ask(path) is None
    other.cookies = {**phone.cookies, "kula_side": "1"}  # a setting of the device
    assert other.ask(path) is None
    other.cookies = phone.cookies
    assert other.ask(path)
    for headers in (
        {"HTTP_ACCEPT_LANGUAGE": "sw"},
        {"HTTP_HOST": "127.0.0.1"},
        {"wsgi.url_scheme": "https"},
        {"HTTP_X_FORWARDED_PROTO": "https"},
        {"HTTP_HX_REQUEST": "true"},
        {"CONTENT_LENGTH": "1"},
    ):
        assert (
            Browser(pages, cookies=phone.cookies, headers=headers, tags=phone.tags).ask(path)
            is None
        )
    assert phone.ask(path, "HEAD") is None
    assert phone.ask(path, "POST") is None
    assert phone.ask(f"{path}?hands") is None


def _report(table: Sitting) -> None:
    submission = Submission(entry=uuid4(), number=1, sheet={"eaten": [70, 50]}, side=None)
    report_hand(token=table.token, submission=submission, by=make.actor())


CHANGES: dict[str, Callable[[Sitting], object]] = {
    "a hand is reported": _report,
    "the club becomes private": lambda _: Club.objects.update(public=False),
    "the club is renamed": lambda table: edit_club(
        club_id=table.round.tournament.club_id, name="Another", public=True, by=make.actor()
    ),
}


def known_pages(pages: UnchangedPages) -> tuple[Sitting, Browser, list[str]]:
    """Return a table, and a phone that knows its page and its tournament's."""
    table, phone = make.sitting(), Browser(pages)
    paths = [table.get_absolute_url(), table.round.tournament.get_absolute_url()]
    assert [phone.known(path) for path in paths] == [304, 304]
    return table, phone, paths


@pytest.mark.parametrize("change", CHANGES)
def test_what_has_changed_is_left_to_django(pages: UnchangedPages, change: str) -> None:
    table, phone, paths = known_pages(pages)

    CHANGES[change](table)

    assert [phone.ask(path) for path in paths] == [None, None]


def test_deleted_rows_are_left_to_django(pages: UnchangedPages) -> None:
    path = make.tournament().get_absolute_url()
    phone = Browser(pages)
    assert phone.known(path) == 304

    Tournament.objects.all().delete()

    assert phone.ask(path) is None
    assert phone.open(path).status == 404


def test_a_page_is_left_to_django_when_its_period_is_over(
    pages: UnchangedPages, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, phone, paths = known_pages(pages)
    for seconds in (polling.TEN_MINUTES, -polling.TEN_MINUTES):  # the clock may be set back, too
        monkeypatch.setattr(server_unchanged, "time", lambda at=seconds: float(at))

        assert [phone.ask(path) for path in paths] == [None, None]


def test_a_tag_of_another_version_is_left_to_django(
    pages: UnchangedPages, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, phone, [own, shared] = known_pages(pages)
    before = dict(phone.tags)
    monkeypatch.setattr(polling, "code_version", lambda: "upgraded")
    for path in (own, shared):
        phone.open(path)
    assert [phone.ask(path).status for path in (own, shared)] == [304, 304]  # type: ignore[union-attr]

    phone.tags = before

    assert phone.ask(own) is None
    answer = phone.ask(shared)
    assert answer is None or answer.status == 200


@pytest.mark.skipif(connection.vendor != "sqlite", reason="a database of SQLite is a file")
def test_a_database_file_that_was_replaced_is_read(pages: UnchangedPages) -> None:
    table, phone, paths = known_pages(pages)
    file = Path(connection.settings_dict["NAME"])
    with closing(sqlite3.connect(file)) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    older = shutil.copy(file, f"{file}-older")
    _report(table)
    for path in paths:
        phone.open(path)
    assert [phone.known(path) for path in paths] == [304, 304]
    connection.close()

    for end in ("-wal", "-shm"):
        Path(f"{file}{end}").unlink()
    Path(older).replace(file)

    assert [phone.ask(path) for path in paths] == [None, None]
    [hands] = Sitting.objects.values_list("last_number", flat=True)
    assert hands == 0


def test_a_database_that_cannot_be_read_is_left_to_django(pages: UnchangedPages) -> None:
    _, phone, paths = known_pages(pages)
    if pages.database:
        pages.database.file = pages.database.file.with_name("none")
    else:
        pages.reading = 10**6

    assert [phone.ask(path) for path in paths] == [None, None]
