"""What caches are told of every page."""

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from django.urls import resolve

from tests import make, tour
from tracker.common.web.exports import EXPORT_PARAMETER
from tracker.config.middleware import _SECRET, keep_private
from tracker.models import Role
from tracker.people.services.invitations import join_path

pytestmark = pytest.mark.django_db


def said(client: Client, path: str) -> set[str]:
    return set(client.get(path).headers.get("Cache-Control", "").split(", "))


def test_every_page_is_its_readers_and_what_opens_something_is_kept_nowhere(client: Client) -> None:
    """Whoever finds such a page in a cache finds the address of a table, a card or a link."""
    laid = tour.lay()
    client.force_login(laid.member(Role.OWNER))
    secrets = {
        laid.sitting.token,
        laid.card.card_token,
        laid.card.code,
        laid.night.door_token,
        str(laid.night.uid),
        join_path(laid.invitation.pk),
    }

    shared, storable, seen = {}, {}, set()
    for name, path in laid.pages().items():
        page = client.get(path)
        caches = page.headers.get("Cache-Control", "")
        shown = {secret for secret in secrets if secret and secret in page.text}
        seen |= shown
        if "private" not in caches:
            shared[name] = caches
        if shown and "no-store" not in caches:
            storable[name] = shown

    assert (shared, storable) == ({}, {})
    assert seen == secrets


def test_an_ordinary_page_is_kept_and_asked_about(client: Client) -> None:
    tournament = make.tournament()

    for path in (tournament.club.get_absolute_url(), tournament.get_absolute_url()):
        assert said(client, path) == {"private", "no-cache"}
    assert said(client, f"{path}?{EXPORT_PARAMETER}=csv") == {"private", "no-cache"}
    assert said(client, f"{path}story/") == {"private", "no-cache"}
    assert said(client, "/nowhere/") == {"private", "no-cache"}


def test_a_page_may_say_itself_how_long_it_is_kept() -> None:
    def picture(_: HttpRequest) -> HttpResponse:
        return HttpResponse(headers={"Cache-Control": "private, max-age=20"})

    answer = keep_private(picture)(RequestFactory().get("/"))

    assert answer.headers["Cache-Control"] == "private, max-age=20"


def test_refusals_and_redirects_of_secret_pages_are_kept_nowhere(client: Client) -> None:
    for path in ("/join/forged/", "/t/forged/", "/account/", "/password/MQ/forged/"):
        assert resolve(path).url_name in _SECRET
        assert "no-store" in said(client, path)
