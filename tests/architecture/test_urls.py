"""Every address, by who asks, with which token, by which method."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib import admin
from django.db import transaction
from django.http import HttpResponse
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from tests import make, tour
from tests.architecture.addresses import ADDRESSES, AT_TABLES, WHO
from tests.drilled import FULL
from tests.tour import Tour
from tests.tour_pages import path_of
from tracker.models import Role, TokenState, User

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE")
# Refused before anybody is looked at, or, usually, as what GET is answered: two are enough to ask.
FOR_TWO = ("PUT", "PATCH", "DELETE", *(() if FULL else ("HEAD",)))
TWO = ("stranger", "owner")
PUBLIC = (True, False) if FULL else (False,)  # whether strangers may read the club


def entries() -> Iterator[URLPattern | URLResolver]:
    """Yield every address of the site, of whichever subject; the admin and the API as a whole."""
    for entry in get_resolver().url_patterns:
        if isinstance(entry, URLResolver) and entry.namespace is None:
            assert str(entry.pattern) == ""  # a subject's addresses stand in full
            yield from entry.url_patterns
        else:
            yield entry


def addresses() -> dict[str, URLPattern]:
    """Return every address of the site by name, without those of the admin and the API."""
    return {str(entry.name): entry for entry in entries() if isinstance(entry, URLPattern)}


def said(answer: HttpResponse) -> str:
    """Return an answer as the table writes it."""
    if answer.status_code in {301, 302, 303}:
        return "in" if answer.headers["Location"].startswith("/sign-in/") else "on"
    return str(answer.status_code)


def asking(method: str) -> tuple[str, ...]:
    return TWO if method in FOR_TWO else WHO


class Visitors:
    """Somebody of every kind, each with a browser of their own."""

    def __init__(self, laid: Tour, *, careful: bool = False) -> None:
        elsewhere = make.club("Elsewhere")
        make.club("A third")  # so that the front page has something to choose from
        people: dict[str, User | None] = {
            "stranger": None,
            "guest": make.user("guest"),
            "elsewhere": make.user("elsewhere", role=Role.ORGANISER, club=elsewhere),
            **{role.value: laid.member(role) for role in Role},
        }
        self.clients: dict[str, Client] = {}
        for who in WHO:
            self.clients[who] = Client(enforce_csrf_checks=careful, raise_request_exception=False)
            if user := people[who]:
                self.clients[who].force_login(user)

    def ask(self, who: str, method: str, path: str) -> Any:
        """Ask, and forget whatever it did."""
        client = self.clients[who]
        cookies = {name: cookie.value for name, cookie in client.cookies.items()}
        try:
            with transaction.atomic():
                answer = client.generic(method, path)
                transaction.set_rollback(True)
        finally:
            client.cookies.clear()
            client.cookies.load(cookies)
        return answer


def test_every_address_has_a_name_and_its_row() -> None:
    nameless = [entry for entry in entries() if isinstance(entry, URLPattern) and not entry.name]
    apart = {entry.namespace for entry in entries() if isinstance(entry, URLResolver)}

    assert nameless == []
    assert apart == {"admin", "api"}  # tests/tracker/api/test_access.py has those of the API
    assert set(addresses()) == set(ADDRESSES) | set(AT_TABLES)
    assert set(ADDRESSES) & set(AT_TABLES) == set()


@pytest.mark.django_db
@pytest.mark.parametrize("public", PUBLIC, ids=str)
def test_every_address_answers_everybody_as_its_row_says(*, public: bool) -> None:
    laid = tour.lay(public=public)
    visitors = Visitors(laid)
    wrong = {}

    for name, row in ADDRESSES.items():
        path = path_of(name, laid.parameters())
        for method in METHODS:
            answers = row.expected(method, public=public)
            expected = " ".join(answers[who] for who in asking(method))
            answered = " ".join(said(visitors.ask(who, method, path)) for who in asking(method))
            if answered != expected:
                wrong[name, method] = f"{answered}, not {expected}"

    assert wrong == {}


@pytest.mark.django_db
@pytest.mark.parametrize("public", PUBLIC, ids=str)
@pytest.mark.parametrize("state", ["open", "closed", "revoked", "unknown"])
def test_a_table_answers_whoever_has_its_address(state: str, *, public: bool) -> None:
    laid = tour.lay(public=public)
    visitors = Visitors(laid)
    parameters = {**laid.parameters(), **tokens(laid, state)}
    wrong = {}

    for name, row in AT_TABLES.items():
        path = path_of(name, parameters)
        for method in METHODS:
            expected = row.expected(state, method)
            answered = {said(visitors.ask(who, method, path)) for who in asking(method)}
            if answered != {expected}:
                wrong[name, method] = f"{answered}, not {expected}"

    assert wrong == {}


@pytest.mark.django_db
def test_a_withdrawn_address_settles_nothing(client: Client) -> None:
    laid = tour.lay()
    laid.sitting.token_state = TokenState.REVOKED
    laid.sitting.save()

    client.post(
        reverse("table-settle", args=[laid.sitting.token, laid.issue.pk]), {"outcome": "take"}
    )

    laid.issue.refresh_from_db()
    assert laid.issue.settled_at is None


def tokens(laid: Tour, state: str) -> dict[str, object]:
    """Return the token of a table in this state, and of the card that lies on it."""
    sitting = {"open": laid.sitting, "closed": laid.closed, "revoked": laid.revoked}.get(state)
    if sitting is None:
        return {"token": "forged", "card_token": "forged"}
    # Each alone at its table: a card leads to the sitting of the round that is open.
    card = make.table(laid.tournament, 20)
    sitting.table = card
    sitting.save()
    return {"token": sitting.token, "card_token": card.card_token}


@pytest.mark.django_db
@pytest.mark.parametrize("who", WHO)
def test_no_form_is_taken_without_its_token(who: str) -> None:
    laid = tour.lay()
    visitors = Visitors(laid, careful=True)

    taken = {
        name
        for name in addresses()
        if said(visitors.ask(who, "POST", path_of(name, laid.parameters()))) != "403"
    }

    assert taken == set()


@pytest.mark.django_db
@pytest.mark.parametrize("who", WHO if FULL else TWO)
def test_behind_the_site_nobody_gets_who_is_not_staff(who: str) -> None:
    visitors = Visitors(tour.lay())

    answered = {
        path: answer.headers.get("Location", str(answer.status_code)).partition("?")[0]
        for path in behind_the_site()
        for method in ("GET", "POST")
        if (answer := visitors.ask(who, method, path))
    }

    assert len(answered) > 5 * len(admin.site._registry)
    assert {path for path, to in answered.items() if to != "/admin/login/"} <= {
        "/admin/login/",
        "/admin/logout/",
    }


def behind_the_site() -> Iterator[str]:
    """Yield every path of the admin, with 1 for every parameter."""
    resolvers = [entry for entry in entries() if isinstance(entry, URLResolver)]
    [behind] = [entry for entry in resolvers if entry.namespace == "admin"]
    return _paths(behind, "/")


def _paths(resolver: URLResolver, before: str) -> Iterator[str]:
    before += str(resolver.pattern)
    for entry in resolver.url_patterns:
        if isinstance(entry, URLResolver):
            yield from _paths(entry, before)
        else:
            yield before + re.sub(r"<[^>]*>|\(\?P.*?\)", "1", str(entry.pattern)).rstrip("$")
