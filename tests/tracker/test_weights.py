"""Pages stay light, for old phones on bad Wi-Fi, and ask nobody else for anything."""

import gzip
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.contrib.staticfiles import finders
from django.test import Client

from tests import tour
from tracker.models import Role

ROOT = Path(__file__).parents[2]
PAGE = 30_000  # bytes on the wire
FIRST_LOAD = 100_000
# What a browser fetches by itself, as against the links that people follow.
FETCHED = {("link", "href"), ("script", "src"), ("img", "src"), ("source", "src"), ("use", "href")}
NAMESPACES = {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}


class Page(HTMLParser):
    """Every address on a page, and which of them a browser fetches by itself."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.addresses: set[str] = set()
        self.fetched: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in {
                "href",
                "src",
                "srcset",
                "action",
                "formaction",
                "data",
                "poster",
                "hx-get",
            }:
                self.addresses.add(value or "")
                if (tag, name) in FETCHED:
                    self.fetched.add(value or "")


def wire(content: bytes) -> int:
    """Return how many bytes are sent of this."""
    return len(gzip.compress(content))


def static_files(addresses: set[str]) -> Iterator[Path]:
    """Yield the files behind these addresses, and those that they fetch in turn."""
    seen: set[Path] = set()
    waiting = [address.removeprefix("/static/") for address in addresses if "/static/" in address]
    while waiting:
        name = waiting.pop()
        found = finders.find(name)
        assert found, f"no such file: {name}"
        path = Path(found)
        if path in seen:
            continue
        seen.add(path)
        yield path
        if path.suffix in {".css", ".js"}:
            inside = re.findall(
                r"""(?:url\(\s*|from\s*|import\s*\(?\s*)["'](\.?[\w./-]+)["']""",
                path.read_text(encoding="utf-8"),
            )
            folder = Path(name).parent
            waiting += [
                str(folder / other) for other in inside if path.suffix == ".css" or "/" in other
            ]


@pytest.fixture
def pages(client: Client) -> Iterator[tuple[str, Any]]:
    """Walk through the whole site, as its owner sees it and as a stranger does."""
    laid = tour.lay()
    owner = Client()
    owner.force_login(laid.member(Role.OWNER))

    def walk() -> Iterator[tuple[str, Any]]:
        for who, visitor in {"owner": owner, "stranger": client}.items():
            for name, path in laid.pages().items():
                yield f"{name}, {who}", visitor.get(path)

    return walk()


@pytest.mark.django_db
def test_pages_stay_light(pages: Iterator[tuple[str, Any]]) -> None:
    weights = {}
    for name, answer in pages:
        page = wire(answer.content)
        fetched = static_files(Page(answer.text).fetched)
        weights[name] = page, page + sum(wire(file.read_bytes()) for file in fetched)

    heavy = {
        name: weight
        for name, weight in weights.items()
        if weight[0] > PAGE or weight[1] > FIRST_LOAD
    }

    assert heavy == {}
    assert max(whole for _page, whole in weights.values()) > 10_000  # the files were found


@pytest.mark.django_db
def test_pages_ask_no_other_host(pages: Iterator[tuple[str, Any]]) -> None:
    elsewhere = {
        name: sorted(foreign)
        for name, answer in pages
        if (foreign := {a for a in Page(answer.text).addresses if urlsplit(a).netloc})
    }

    assert elsewhere == {}


@pytest.mark.parametrize(
    "file",
    [
        file
        for folder in ("templates", "tracker/static")
        for file in sorted((ROOT / folder).rglob("*"))
        if file.suffix in {".html", ".css", ".js", ".svg", ".txt", ".webmanifest"}
    ],
    ids=lambda file: file.name,
)
def test_files_name_no_other_host(file: Path) -> None:
    text = file.read_text(encoding="utf-8")

    named = set(re.findall(r"""(?:https?:)?//[\w-]+\.[\w.-]+[^\s"'<>)]*""", text))

    assert named - NAMESPACES == set()
