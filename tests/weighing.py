"""What a page weighs: the bytes on the wire, of itself and of what a browser fetches with it."""

import gzip
import re
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

from django.contrib.staticfiles import finders

PAGE = 30_000  # bytes on the wire
FIRST_LOAD = 100_000
# What a browser fetches by itself, as against the links that people follow.
FETCHED = {("link", "href"), ("script", "src"), ("img", "src"), ("source", "src"), ("use", "href")}
_LEADING = {"href", "src", "srcset", "action", "formaction", "data", "poster"}

_HASH = re.compile(r"\.[0-9a-f]{12}(?=\.\w+$)")  # where files are served as ``serve`` does


class Page(HTMLParser):
    """Every address on a page, and which of them a browser fetches by itself."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.addresses: set[str] = set()
        self.fetched: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in _LEADING:
                self.addresses.add(value or "")
                if (tag, name) in FETCHED:
                    self.fetched.add(value or "")


def wire(content: bytes) -> int:
    """Return how many bytes are sent of this."""
    return len(gzip.compress(content))


def with_all(page: Page, weight: int) -> int:
    """Return what is sent of a page of this weight and of all that it needs, the first time."""
    return weight + sum(_of_file(file) for file in static_files(page.fetched))


@cache
def _of_file(path: Path) -> int:
    return wire(path.read_bytes())


def static_files(addresses: set[str]) -> Iterator[Path]:
    """Yield the files behind these addresses, and those that they fetch in turn."""
    seen: set[Path] = set()
    waiting = [
        _HASH.sub("", address.removeprefix("/static/"))
        for address in addresses
        if "/static/" in address
    ]
    while waiting:
        name = waiting.pop()
        file = finders.find(name)
        assert file, f"no such file: {name}"
        path = Path(file)
        if path in seen:
            continue
        seen.add(path)
        yield path
        waiting += _asked_for(path, Path(name).parent)


@cache
def _asked_for(path: Path, folder: Path) -> list[str]:
    """Return the names of what a stylesheet or a script fetches."""
    if path.suffix not in {".css", ".js"}:
        return []
    inside = re.findall(
        # A module that is imported as it runs is fetched where somebody has use for it.
        r"""(?:url\(\s*|from\s*|import\s*)["'](\.?[\w./-]+)["']""",
        path.read_text(encoding="utf-8"),
    )
    return [str(folder / other) for other in inside if path.suffix == ".css" or "/" in other]
