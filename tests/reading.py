"""Reading a page as a browser without scripts does: its forms, and what they would send."""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from html import unescape
from html.parser import HTMLParser
from typing import Any
from urllib.parse import urljoin

from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

Attrs = dict[str, str | None]


@dataclass
class Form:
    """A form, with what each field holds; its buttons are apart, as only one is pressed."""

    path: str
    method: str
    fields: dict[str, list[str]] = field(default_factory=dict)
    buttons: list[tuple[str, str]] = field(default_factory=list)

    def pressing(self, name: str = "", value: str = "", /, **typed: object) -> dict[str, list[str]]:
        """Return what is sent when somebody types this and presses that."""
        sent = {**self.fields}
        for key, given in typed.items():
            sent[key] = [str(value) for value in given] if isinstance(given, list) else [str(given)]
        if name:
            sent[name] = [value]
        return sent


class Forms(HTMLParser):
    """The forms on a page; fields that stand outside say by ``form`` where they belong."""

    def __init__(self, page: str, path: str) -> None:
        super().__init__()
        self.path = path
        self.forms: list[Form] = []
        self._named: dict[str, Form] = {}
        self._inside: Form | None = None
        self._select: tuple[Form, str, bool] | None = None
        self._area: tuple[Form, str] | None = None
        self._text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        if tag == "form":
            path = urljoin(self.path, attributes.get("action") or self.path)
            self._inside = Form(path, (attributes.get("method") or "get").lower())
            self.forms.append(self._inside)
            if name := attributes.get("id"):
                self._named[name] = self._inside
        elif tag == "option" and self._select is not None:
            self._take_option(attributes)
        form = self._named.get(attributes.get("form") or "", self._inside)
        name = attributes.get("name")
        if form is None or not name or "disabled" in attributes:
            return
        match tag:
            case "input":
                self._take_input(form, name, attributes)
            case "button":
                form.buttons.append((name, attributes.get("value") or ""))
            case "select":
                self._select = form, name, "multiple" in attributes
            case "textarea":
                self._area, self._text = (form, name), ""

    def _take_input(self, form: Form, name: str, attributes: Attrs) -> None:
        kind, value = attributes.get("type") or "text", attributes.get("value")
        if kind in {"submit", "image"}:
            form.buttons.append((name, value or ""))
        elif kind in {"radio", "checkbox"}:
            held = form.fields.setdefault(name, [])
            if "checked" in attributes:
                held.append("on" if value is None else value)
        else:
            form.fields.setdefault(name, []).append(value or "")

    def _take_option(self, attributes: Attrs) -> None:
        assert self._select is not None
        form, name, multiple = self._select
        held = form.fields.setdefault(name, [])
        if "selected" in attributes or (not held and not multiple):
            # The first stands for itself until another one says that it is selected.
            form.fields[name] = [*(held if multiple else ()), attributes.get("value") or ""]

    def handle_data(self, data: str) -> None:
        self._text += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._inside = None
        elif tag == "select":
            self._select = None
        elif tag == "textarea" and self._area is not None:
            form, name = self._area
            form.fields.setdefault(name, []).append(self._text)
            self._area = None


class Tables(HTMLParser):
    """The rows of the tables on a page, each the text of its cells.

    What explains a place or tells who has moved, in small beside a name or place, is left out.
    """

    def __init__(self, page: str) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self._inside = self._aside = False
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "small":
            self._aside = dict(attrs).get("class") in {"placed", "moved"}
        if tag == "tr":
            self.rows.append([])
        # The arrow of a row is there for phones, without a heading.
        elif tag in {"td", "th"} and self.rows and ("class", "tap") not in attrs:
            self.rows[-1].append("")
            self._inside = True

    def handle_endtag(self, tag: str) -> None:
        self._aside &= tag != "small"
        if tag in {"td", "th"}:
            self._inside = False

    def handle_data(self, data: str) -> None:
        if self._inside and not self._aside:
            self.rows[-1][-1] = " ".join(f"{self.rows[-1][-1]} {data}".split())


def path(name: str, *about: object, query: str = "") -> str:
    """Return the address of a page about these rows, which are given themselves or by their keys."""
    return reverse(name, args=[getattr(each, "pk", each) for each in about]) + query


@contextmanager
def costs(statements: int) -> Iterator[None]:
    """Expect so many statements of the database."""
    with CaptureQueriesContext(connection) as asked:
        yield
    assert len(asked) == statements, "\n".join(query["sql"] for query in asked)


def words(page: Any) -> str:
    """Return what an answer, or a piece of a page, says: its text without markup."""
    text = page if isinstance(page, str) else page.text
    plain = " ".join(unescape(re.sub(r"<[^>]+>", " ", text)).split())
    return plain.replace(" ,", ",").replace(" :", ":").replace("\N{WORD JOINER}", "")


def shows(page: Any, *pieces: str) -> None:
    """Expect that each of these stands on a page, as its words or in its markup."""
    lost = missing(page, pieces)
    assert not lost, f"{lost} not in {words(page)}"


def lacks(page: Any, *pieces: str) -> None:
    """Expect that none of these stands on a page, neither as its words nor in its markup."""
    lost = missing(page, pieces)
    assert lost == [*pieces], f"{set(pieces) - {*lost}} in {words(page)}"


def missing(page: Any, pieces: Sequence[str]) -> list[str]:
    """Return which of these pieces do not stand on a page."""
    markup, said = page if isinstance(page, str) else page.text, words(page)
    return [piece for piece in pieces if piece not in markup and piece not in said]


def form_with(page: Any, path: str, name: str) -> Form:
    """Return the only form on a page that has a field or a button of this name."""
    forms = Forms(page.text, path).forms
    [form] = [form for form in forms if name in form.fields or name in dict(form.buttons)]
    return form


def seen_on(page: str) -> str:
    """Return which report a page's forms say was looked at: they all say the same."""
    forms = [form.fields for form in Forms(page, "").forms]
    [seen] = {fields["seen"][0] for fields in forms if "seen" in fields}
    return seen
