"""Somebody who goes through the site by what its pages show: links, forms and the words on buttons."""

from collections import defaultdict
from collections.abc import Mapping
from typing import Any
from urllib.parse import urljoin

from django.test import Client

from tests.reading import Form, Forms
from tests.tracker.agreeing.page import Page as Words


class Page(Forms):
    """A page as it is read: its forms, and by their words its links, buttons and choices."""

    def __init__(self, text: str, path: str) -> None:
        self.links: dict[str, str] = {}
        self.asked: dict[str, str] = {}  # the words of a label, by the id of its field
        self.buttons: dict[str, tuple[Form, str, str]] = {}
        self.choices: dict[str, dict[str, str]] = defaultdict(dict)  # by field: words, value
        self._reading: list[tuple[str, dict[str, str | None], list[str]]] = []
        super().__init__(text, path)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        super().handle_starttag(tag, attrs)
        if tag in {"a", "button", "label", "option"}:
            self._reading.append((tag, dict(attrs), []))
        elif tag == "input" and self._reading:
            self._reading[-1][1].update(attrs)  # of a label: what it stands beside

    def handle_data(self, data: str) -> None:
        super().handle_data(data)
        for _tag, _attributes, words in self._reading:
            words.append(data)

    def handle_endtag(self, tag: str) -> None:
        if self._reading and self._reading[-1][0] == tag:
            _tag, attributes, texts = self._reading.pop()
            words = " ".join("".join(texts).split())
            name, value = attributes.get("name") or "", attributes.get("value") or ""
            form = self._named.get(attributes.get("form") or "", self._inside)
            match tag:
                case "a":
                    self.links.setdefault(words, urljoin(self.path, attributes.get("href") or ""))
                case "button" if form is not None:
                    self.buttons.setdefault(words, (form, name, value))
                case "option" if self._select is not None:
                    self.choices[self._select[1]][words] = value
                case "label" if name:
                    self.choices[name][words] = value
                case "label":
                    self.asked[attributes.get("for") or ""] = words
        super().handle_endtag(tag)


class Walker:
    """Somebody signed in or not, on one page of the site."""

    def __init__(self, client: Client, path: str) -> None:
        self.client = client
        self.go(path)

    def go(self, path: str) -> str:
        """Open a page and return its text."""
        self._take(path, self.client.get(path, follow=True))
        return self.text

    def follow(self, words: str) -> str:
        """Follow the link with these words, or else the only one that begins with them."""
        links = self.page.links
        begin = {path for each, path in links.items() if each.startswith(words)}
        found = {links[words]} if words in links else begin
        assert len(found) == 1, f"no link “{words}” among {sorted(links)}"
        return self.go(found.pop())

    def press(self, words: str, **answers: object) -> str:
        """Press the button with these words, having answered the fields of its form.

        A field that offers choices is answered by their words, one or a list of them.
        """
        assert words in self.page.buttons, f"no button “{words}” among {sorted(self.page.buttons)}"
        form, name, value = self.page.buttons[words]
        asked = {field: self._value(field, given) for field, given in answers.items()}
        missing = asked.keys() - form.fields.keys()
        assert not missing, f"“{words}” is beside {sorted(form.fields)}, not {missing}"
        sent = form.pressing(name, value, **asked)
        if form.method == "post":
            self._take(form.path, self.client.post(form.path, sent, follow=True))
        else:
            self._take(form.path, self.client.get(form.path, sent, follow=True))
        return self.text

    def _value(self, field: str, given: object) -> object:
        if isinstance(given, list):
            return [self._value(field, each) for each in given]
        offered = self.page.choices.get(field)
        if not offered or str(given) in offered.values():
            return given
        assert given in offered, f"{field} offers {sorted(offered)}, not “{given}”"
        return offered[str(given)]

    def _take(self, path: str, response: Any) -> None:
        for to, _status in response.redirect_chain:
            path = urljoin(path, to)
        assert response.status_code == 200, (path, response.status_code)
        self.path: str = path
        self.text: str = response.content.decode()
        self.page = Page(self.text, path)


def standing(text: str) -> list[Mapping[str, str]]:
    """Return the rows of the first table on a page, by the words above the columns."""
    heads, *rows = Words(text).tables[0]
    # The arrow of a row is there for phones, without a heading.
    return [dict(zip(heads, row, strict=False)) for row in rows]
