"""Whatever arrives, the answer is a page or a refusal in words: never a traceback.

Ids beyond what a database holds, query strings and forms that no page of ours
sends, characters that a database refuses.
"""

import re
from collections.abc import Iterator, Mapping
from itertools import cycle
from random import Random
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from django.test import Client
from django.urls import URLPattern, resolve, reverse

from tests import make, tour
from tests.architecture.test_urls import addresses
from tests.drilled import FULL
from tests.reading import Forms, costs
from tests.tour import Tour
from tracker.models import Issue, Report, Role

pytestmark = pytest.mark.django_db

NUMBERS = (0, 2**31 - 1, 2**31, 2**63 - 1, 2**63, 2**64, 10**40)
WORDS = ("\x00", "a\x00b", "🃏", "ا", "²", "x" * 5000, "%", "..", "' OR 1=1 --", "\ud800")
# Several of them at a time: what one page does not know, another does.
QUERIES = (
    "page=abc&sort=nonsense&round=999&q=%00&hand=0&game=%00&saved=1&as=nonsense",
    "page=-1&sort=-__class__&round=abc&q=%F0%9F%83%8F&hand=99999999999999999999&game=nonsense",
    "page=0&sort=%00,-name&round=99999999999999999999&q=%ff%fe&hand=%C2%B2",
    "page=999999999999999999999&per_page=9999999&round=-1&saved=99999999999999999999&as=accepted",
    "page=%00&round=%00&after=1e9&saved=%C2%B2&as=accepted&form",
    "table=x&player=99999999999999999999&kind=nonsense&state=nonsense&number=x&round=1",
    "table=99999999999999999999&player=%00&dealer=x&kind=%00&state=%00&number=99999999999999999999",
    "next=//elsewhere.example&a=" + "b" * 5000,
)
ODD = (
    *("", "0", "-1", "abc", "²", "٣", "1e9", "99999999999999999999", "\x00", "🃏", "x" * 5000),
    *("2147483648", "-9223372036854775809", "0001-01-01T00:00", "9999-12-31T23:59", "24:00"),
)


@pytest.fixture
def laid() -> Tour:
    return tour.lay()


@pytest.fixture
def owner(client: Client, laid: Tour) -> Client:
    """Return the browser of somebody who may do everything, so that nothing is refused early."""
    client.raise_request_exception = False
    client.force_login(laid.member(Role.OWNER))
    return client


def ask(client: Client, method: str, path: str, **sent: object) -> Any:
    """Ask, and forget whatever it did."""
    with transaction.atomic():
        answer = getattr(client, method)(path, **sent)
        transaction.set_rollback(True)
    return answer


def path_of(entry: URLPattern, parameters: Mapping[str, object]) -> str:
    return reverse(
        str(entry.name), kwargs={key: parameters[key] for key in entry.pattern.converters}
    )


def test_odd_parameters_are_not_found(owner: Client, laid: Tour) -> None:
    wrong = {}

    for entry in addresses().values():
        for key, converter in entry.pattern.converters.items():
            odd = NUMBERS if "Int" in type(converter).__name__ else WORDS
            for value in odd if FULL else odd[::4]:
                path = path_of(entry, {**laid.parameters(), key: _url(value)})
                for method in ("get", "post"):
                    status = ask(owner, method, path).status_code
                    if status >= 500 or (status == 200 and key not in {"number", "issue_id"}):
                        wrong[method, str(entry.name), key, str(value)[:40]] = status

    assert wrong == {}


def _url(value: object) -> object:
    """Return text that can stand in an address; half a character becomes a whole one."""
    return value if isinstance(value, int) else str(value).encode(errors="replace").decode()


def test_odd_query_strings_do_no_harm(owner: Client, laid: Tour) -> None:
    wrong = {}

    # One page of each view: what it makes of its query is the same for every game.
    pages = {resolve(path.partition("?")[0]).url_name: path for path in laid.pages().values()}
    for name, path in pages.items():
        for query in QUERIES if FULL else QUERIES[::4]:
            asked = f"{path}{'&' if '?' in path else '?'}{query}"
            answer = ask(owner, "get", asked)
            if answer.status_code >= 500:
                wrong[name, query] = answer.status_code

    assert wrong == {}


@pytest.mark.parametrize("seed", range(2 if FULL else 1))
def test_odd_forms_are_refused_in_words(owner: Client, laid: Tour, seed: int) -> None:
    """Every field of every form, left as it is or with something odd in it."""
    rng = Random(seed)
    wrong = {}

    for name, path, fields in forms_of(owner, laid):
        for _ in range(3 if FULL else 1):
            sent = {
                key: [rng.choice(ODD)] if rng.random() < 0.4 else values
                for key, values in fields.items()
                if rng.random() < 0.9
            }
            answer = ask(owner, "post", path, data=sent)
            if answer.status_code >= 500:
                wrong[name, str(sent)[:400]] = answer.status_code

    assert wrong == {}


def test_each_field_alone_can_hold_something_odd(owner: Client, laid: Tour) -> None:
    wrong = {}
    odds = cycle(ODD)

    for name, path, fields in forms_of(owner, laid):
        # Of the fields of every seat one will do.
        alike = {re.sub(r"\d+", "0", key): key for key in fields}
        tried = [*alike.values()][:: 1 if FULL else 3]
        for key, odd in zip(tried, odds):  # noqa: B905 - the odd values never end
            answer = ask(owner, "post", path, data={**fields, key: [odd, odd]})
            if answer.status_code >= 500:
                wrong[name, key, odd[:20]] = answer.status_code

    assert wrong == {}


@pytest.mark.parametrize(
    "sent",
    [
        {"data": b"\xff\xfe\x00", "content_type": "application/x-www-form-urlencoded"},
        {"data": b"{}", "content_type": "application/json"},
        {"data": b"--x", "content_type": "multipart/form-data; boundary=x"},
        {"data": b"", "content_type": "nonsense"},
        {"data": {f"field{number}": "1" for number in range(1200)}},
        {"data": {"name": SimpleUploadedFile("\x00.txt", b"text")}},
    ],
    ids=["not text", "json", "cut short", "no type", "too many fields", "a file"],
)
def test_odd_bodies_are_refused_in_words(
    owner: Client, laid: Tour, sent: Mapping[str, object]
) -> None:
    answered = {
        str(entry.name): ask(owner, "post", path_of(entry, laid.parameters()), **sent).status_code
        for entry in addresses().values()
    }

    assert {name: status for name, status in answered.items() if status >= 500} == {}


@pytest.mark.parametrize("path", ["/sign-in/", "/nowhere/"])
@pytest.mark.parametrize(
    "sent",
    [
        {
            "data": b"username=asha",
            "content_type": "application/x-www-form-urlencoded; charset=iso-8859-1",
        },
        {
            "data": "&".join(f"field{number}=1" for number in range(1200)),
            "content_type": "application/x-www-form-urlencoded",
        },
    ],
    ids=["another charset", "too many fields"],
)
def test_forms_that_cannot_be_read_are_refused_in_words(path: str, sent: Mapping[str, Any]) -> None:
    """Also where the token is looked for, which Django's own pages of errors do once more."""
    careful = Client(enforce_csrf_checks=True, raise_request_exception=False)
    careful.cookies["csrftoken"] = "a" * 32

    answer = careful.post(path, **sent)

    assert answer.status_code == (400 if path == "/sign-in/" else 404)
    assert "<h1>" in answer.text


def test_odd_cookies_do_no_harm(owner: Client, laid: Tour) -> None:
    for odd in filter(str.isascii, ODD):
        for name in ("kula_device", "kula_side", "messages", "csrftoken"):
            owner.cookies[name] = odd.replace("\x00", "\\000")
        assert owner.get(laid.sitting.get_absolute_url()).status_code == 200
        assert ask(owner, "post", laid.sitting.get_absolute_url()).status_code == 200


@pytest.mark.parametrize("name", ["table", "card", "first-owner", "join", "night-rsvp"])
def test_address_with_a_nul_is_not_looked_up(client: Client, name: str) -> None:
    with costs(0):
        answer = client.get(reverse(name, args=["a\x00b"]))

    assert answer.status_code == 404
    assert "Content-Security-Policy" in answer.headers


def test_nul_is_left_out_of_what_is_kept(client: Client) -> None:
    """PostgreSQL has no way to keep one."""
    table = make.sitting()
    client.cookies["kula_device"] = "a\x00b"
    sent = {"entry": uuid4(), "number": 1, "eaten_0": 70, "eaten_1": 50}

    client.post(table.get_absolute_url(), sent)
    client.post(reverse("table-query", args=[table.token, 1]), {"note": "a\x00b"})

    assert Report.objects.get().device == "ab"
    assert Issue.objects.get().note == "ab"


def forms_of(client: Client, laid: Tour) -> Iterator[tuple[str, str, dict[str, list[str]]]]:
    """Yield the forms on the pages of the site, with what their fields hold."""
    seen = set()
    for name, page in laid.pages().items():
        for form in Forms(client.get(page).text, page).forms:
            known = (resolve(urlsplit(form.path).path).url_name, *sorted(form.fields))
            if form.method == "post" and known not in seen and "sign-out" not in form.path:
                seen.add(known)
                yield name, form.path, form.fields


@pytest.mark.parametrize("boundary", ["", "\xe9", "x" * 400])
def test_unreadable_form_to_no_address_is_not_found(client: Client, boundary: str) -> None:
    client.raise_request_exception = False
    content_type = f"multipart/form-data; boundary={boundary}"

    answer = client.post("/nowhere/", b"{}", content_type=content_type)

    assert answer.status_code == 404
