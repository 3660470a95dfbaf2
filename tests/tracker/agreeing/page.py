"""A page as people read it: line by line, and its tables row by row."""

import csv
import io
import re
from functools import cached_property
from html.parser import HTMLParser
from typing import Any

import openpyxl
from django.test import Client

_BLOCKS = {
    "address", "article", "aside", "br", "button", "caption", "dd", "details", "div", "dl", "dt",
    "fieldset", "footer", "form", "h1", "h2", "h3", "h4", "header", "hr", "label", "legend", "li",
    "main", "nav", "ol", "option", "p", "section", "summary", "table", "tbody", "td", "th", "thead",
    "title", "tr", "ul",
}  # fmt: skip
_UNSEEN = {"script", "style", "svg", "template", "head"}


class _Words(HTMLParser):
    def __init__(self, html: str) -> None:
        super().__init__()
        self.words: list[str] = []
        self.tables: list[list[list[str]]] = []
        self.says = ""  # what a link to it says
        self._unseen = 0
        self._cell = False
        self._aside = False
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        # What explains a place, and who has moved, are beside what is compared.
        if tag == "small":
            self._aside = given.get("class") in {"placed", "moved"}
        if tag == "meta" and given.get("property") == "og:description":
            self.says = given.get("content") or ""
        self._unseen += tag in _UNSEEN
        if tag in _BLOCKS:
            self.words.append("\n")
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in {"td", "th"}:
            self.tables[-1][-1].append("")
            self._cell = True

    def handle_endtag(self, tag: str) -> None:
        self._aside &= tag != "small"
        self._unseen -= tag in _UNSEEN
        if tag in _BLOCKS:
            self.words.append("\n")
        if tag in {"td", "th"}:
            self._cell = False

    def handle_data(self, data: str) -> None:
        if self._unseen:
            return
        self.words.append(data)
        if self._cell and not self._aside:
            self.tables[-1][-1][-1] += data


class Page:
    """What a page says."""

    def __init__(self, html: str) -> None:
        words = _Words(html)
        text = re.sub(r"[^\S\n\xa0]+", " ", "".join(words.words))
        self.lines = [line.strip() for line in text.split("\n") if line.strip()]
        self.tables = [
            [[re.sub(r"[^\S\xa0]+", " ", cell).strip() for cell in row] for row in table]
            for table in words.tables
        ]
        self.says = words.says

    @cached_property
    def text(self) -> str:
        return "\n".join(self.lines)

    def all(self, pattern: str) -> list[Any]:
        """Return what the pattern finds in whole lines."""
        return [
            found.groups() if len(found.groups()) > 1 else found[len(found.groups())]
            for line in self.lines
            if (found := re.fullmatch(pattern, line))
        ]

    def after(self, line: str) -> str:
        """Return the line after this one."""
        return self.lines[self.lines.index(line) + 1]

    def table(self, *heads: str) -> list[dict[str, str]]:
        """Return the rows, by head, of all tables that have these heads."""
        found = []
        for table in self.tables:
            at = next((at for at, row in enumerate(table) if set(heads) <= set(row)), len(table))
            found += [dict(zip(table[at], below, strict=False)) for below in table[at + 1 :]]
        return found


def opened(client: Client, path: str) -> Page:
    """Return the page that is read there, after what it leads on to."""
    answer = client.get(path, follow=True)
    assert answer.status_code == 200, (path, answer.status_code)
    return Page(answer.content.decode())


def csv_rows(client: Client, path: str) -> list[dict[str, str]]:
    """Return the rows of a table taken away as CSV."""
    content = client.get(path).content.decode("utf-8-sig")
    return list(csv.DictReader(io.StringIO(content)))


def xlsx_rows(client: Client, path: str) -> list[dict[str, Any]]:
    """Return the rows of a table taken away as a workbook."""
    sheet = openpyxl.load_workbook(io.BytesIO(client.get(path).content)).active
    assert sheet is not None
    heads, *rows = [[cell.value for cell in row] for row in sheet.rows]
    return [dict(zip(map(str, heads), row, strict=True)) for row in rows]
