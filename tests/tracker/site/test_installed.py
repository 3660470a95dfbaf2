"""What the site gives a browser that may install it, and what it lets a phone keep."""

import pytest
from django.contrib.staticfiles import finders
from django.test import Client
from django.urls import get_resolver, reverse

from tests import make
from tracker.config.middleware import _FOR_PHONES, _SECRET

pytestmark = pytest.mark.django_db


def test_only_pages_by_https_speak_of_installing(client: Client) -> None:
    manifest = reverse("manifest")

    assert manifest in client.get("/sign-in/", secure=True).text
    assert manifest not in client.get("/sign-in/").text


def test_every_picture_of_the_manifest_is_there(client: Client) -> None:
    answer = client.get(reverse("manifest"))

    icons = [icon["src"].removeprefix("/static/") for icon in answer.json()["icons"]]
    assert answer.headers["Content-Type"] == "application/manifest+json"
    assert len(icons) == 3
    assert all(finders.find(icon) for icon in icons)


def test_phones_keep_pages_that_say_how_things_stand_and_only_by_https(client: Client) -> None:
    table = make.sitting().get_absolute_url()

    assert client.get(table, secure=True).headers["Kula-Keep"] == "86400"
    assert "Kula-Keep" not in client.get(table).headers
    assert "Kula-Keep" not in client.get("/sign-in/", secure=True).headers
    assert {"table"} == _FOR_PHONES & _SECRET
    assert set(get_resolver().reverse_dict) >= _FOR_PHONES


def test_without_names_for_ever_the_worker_stays_as_it_is(client: Client) -> None:
    """So it is on a full disk: an answer with an error leaves the worker that a phone has."""
    assert client.get(reverse("worker")).status_code == 404
