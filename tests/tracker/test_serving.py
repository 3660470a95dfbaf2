"""What ``serve`` tells the workers about where the site is reached."""

import os

import pytest
from django.test import RequestFactory
from pytest_django import Settings

from tracker.management.serving import make_known
from tracker.views.addresses import reachable


@pytest.mark.parametrize(
    ("given", "phones"),
    [(None, "http://192.0.2.7:8000"), ("http://cards.local", "http://cards.local")],
)
def test_its_own_addresses_are_answered_and_passed_on(
    monkeypatch: pytest.MonkeyPatch, settings: Settings, given: str | None, phones: str
) -> None:
    settings.ALLOWED_HOSTS, settings.PHONES_URL, settings.SITE_URL = ["localhost"], "", ""
    monkeypatch.setenv("KULA_HOSTS", "kula.test")
    monkeypatch.setenv("KULA_PHONES", given or "")
    if given is None:
        monkeypatch.delenv("KULA_PHONES")

    make_known(["192.0.2.7"], "http://192.0.2.7:8000")

    assert settings.ALLOWED_HOSTS == ["localhost", "192.0.2.7"]
    assert reachable(RequestFactory().get("/", headers={"Host": "localhost"}), "/c/x/") == (
        f"{phones}/c/x/"
    )
    assert (os.environ["KULA_HOSTS"], os.environ["KULA_PHONES"]) == ("kula.test,192.0.2.7", phones)
