"""A walk along the links of the site, as somebody takes it who tries them all."""

from collections import Counter, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any
from urllib.parse import parse_qs, urljoin, urlsplit

from django.db import connection
from django.test import Client
from django.urls import Resolver404, resolve

from tests.weighing import Page, wire, with_all

# What lies behind the site is Django's own.
_NOT_OURS = ("/admin/", "/static/")


class Links(HTMLParser):
    """Where a page leads: its links, the places on it, and the ways on from its middle."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.addresses: list[str] = []
        self.places: set[str] = set()
        self.ways_on = 0
        self._in_the_middle = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.places.add(given.get("id") or "")
        if tag == "main":
            self._in_the_middle = True
        elif tag == "a" and given.get("href"):
            self.addresses.append(given["href"] or "")
        if tag == "form" or (tag == "a" and given.get("href")):
            self.ways_on += self._in_the_middle

    def handle_endtag(self, tag: str) -> None:
        if tag == "main":
            self._in_the_middle = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """What came of following one link; weights are bytes on the wire."""

    path: str
    kind: str  # the name of the address
    found_on: str
    answer: str  # a status, or ``in`` where somebody is asked to sign in
    statements: int
    weight: int = 0
    with_all: int = 0  # the first time, with everything that the page needs
    ways_on: int = 1
    lost: tuple[str, ...] = ()  # links to places that are not on the page
    empty: bool = False  # says that there is nothing yet
    links: tuple[str, ...] = field(default=(), repr=False)


def tournaments_of_every_kind() -> list[str]:
    """Return where the latest tournament of every movement is: a short walk passes some by."""
    from tracker.models import Tournament  # only now, as some walk before Django is set up

    latest = {each.movement: each for each in Tournament.objects.order_by("follows", "pk")}
    return [each.get_absolute_url() for each in latest.values()]


def walk(
    client: Client, *, alike: int, sorted_alike: int, also: Sequence[str] = ()
) -> Iterator[Visit]:
    """Follow every link from the front page on, then from those pages that are *also* read.

    Of pages of one kind *alike* are read, of those with a query *sorted_alike*; a query is
    not followed by another one, as tables sorted and paged in every way have no end.
    """
    waiting = deque([("/", "")])
    later = deque((path, "the test") for path in also)
    known = {"/"}
    done = set()
    read: Counter[tuple[str, frozenset[str]]] = Counter()
    while waiting or later:
        asked_for = not waiting
        path, found_on = waiting.popleft() if waiting else later.popleft()
        kind = kind_of(path)
        enough = not asked_for and read[kind] >= (sorted_alike if kind[1] else alike)
        if enough or path in done:
            continue
        done.add(path)
        read[kind] += 1
        seen = visit(client, path, found_on)
        yield seen
        for link in seen.links:
            if link not in known and not (kind[1] and urlsplit(link).query):
                known.add(link)
                waiting.append((link, path))


def kind_of(path: str) -> tuple[str, frozenset[str]]:
    """Return the name of an address and what its query asks for."""
    parts = urlsplit(path)
    try:
        name = resolve(parts.path).url_name
    except Resolver404:
        name = "nowhere"
    return str(name), frozenset(parse_qs(parts.query, keep_blank_values=True))


def visit(client: Client, path: str, found_on: str = "") -> Visit:
    """Read one page."""
    kind, _ = kind_of(path)
    asked: list[str] = []

    def count(execute: Any, sql: str, *more: Any) -> Any:
        asked.append(sql)
        return execute(sql, *more)

    with connection.execute_wrapper(count):
        answer = client.get(path)
    said: dict[str, Any] = {
        "path": path,
        "kind": kind,
        "found_on": found_on,
        "answer": str(answer.status_code),
        "statements": len(asked),
    }
    if answer.status_code in {301, 302, 303}:
        to = urljoin(path, answer.headers["Location"])
        asks_in = to.startswith("/sign-in/") and kind != "sign-in"
        return Visit(**said | {"answer": "in"} if asks_in else said, links=(to,))
    if not answer.headers["Content-Type"].startswith("text/html"):
        return Visit(**said, weight=wire(answer.getvalue()))
    weight = wire(answer.content)
    links = Links(answer.text)
    ours = [urljoin(path, link) for link in links.addresses]
    return Visit(
        **said,
        weight=weight,
        with_all=with_all(Page(answer.text), weight),
        ways_on=links.ways_on,
        lost=tuple(
            link
            for link in links.addresses
            if link.startswith("#") and link[1:] not in links.places
        ),
        empty='class="empty"' in answer.text,
        links=tuple(link.partition("#")[0] for link in ours if not link.startswith(_NOT_OURS)),
    )
