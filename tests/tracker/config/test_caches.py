"""What caches are told of every page."""

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from django.urls import resolve

from tests import make
from tracker.common.web.exports import EXPORT_PARAMETER
from tracker.config.middleware import _SECRET, keep_private

pytestmark = pytest.mark.django_db


def said(client: Client, path: str) -> set[str]:
    return set(client.get(path).headers.get("Cache-Control", "").split(", "))


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
