"""A file is handed in by whoever may, and is stored nowhere on its way."""

from typing import Any

import pytest
from django.core.files import uploadedfile
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from pytest_django.asserts import assertContains

from tests import make
from tracker.models import Club, Role

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _no_temporary_file(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a file was stored")

    monkeypatch.setattr(uploadedfile.TemporaryUploadedFile, "__init__", refuse)


def hand_in(client: Client, club: Club, size: int, **more: Any) -> Any:
    file = SimpleUploadedFile("list.csv", b"Name\n" + b"x" * size)
    return client.post(reverse("players-import", args=[club.pk]), {"file": file}, **more)


@pytest.fixture
def stranger() -> Client:
    """Return a browser whose forms are read for the token in them, as every real one's are."""
    client = Client(enforce_csrf_checks=True)
    client.cookies["csrftoken"] = "a" * 32
    return client


def test_a_strangers_file_is_stored_nowhere(stranger: Client, club: Club) -> None:
    assert hand_in(stranger, club, 13_000_000).status_code == 413
    assert hand_in(stranger, club, 4_000_000).status_code == 403


def test_of_a_body_that_is_too_large_nothing_is_read(stranger: Client, club: Club) -> None:
    class Unread:
        def read(self, *_: object) -> bytes:
            raise AssertionError("it was read")

        readline = read

    sent: dict[str, Any] = {
        "wsgi.input": Unread(),
        "CONTENT_LENGTH": str(300_000_000),
        "CONTENT_TYPE": "multipart/form-data; boundary=x",
    }
    answer = stranger.generic("POST", reverse("players-import", args=[club.pk]), **sent)

    assertContains(answer, "That is too large", status_code=413)


def test_whoever_may_is_told_that_a_list_is_too_large(client: Client, club: Club) -> None:
    client.force_login(make.user(role=Role.ORGANISER, club=club))

    assertContains(hand_in(client, club, 2_100_000), "This file cannot be read")
    assertContains(hand_in(client, club, 13_000_000), "That is too large", status_code=413)


def test_more_files_than_any_form_has_are_refused(stranger: Client, club: Club) -> None:
    files = {f"file{number}": SimpleUploadedFile("x", b"x") for number in range(5)}

    assert stranger.post(reverse("players-import", args=[club.pk]), files).status_code == 400


def test_a_form_without_files_has_a_ceiling_too(client: Client, club: Club) -> None:
    answer = client.post(
        reverse("sign-in"),
        b"username=" + b"x" * 3_000_000,
        content_type="application/x-www-form-urlencoded",
    )

    assertContains(answer, "That is too large", status_code=413)
