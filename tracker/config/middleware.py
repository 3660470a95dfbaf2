"""Middleware that counts phones and refuses addresses with a NUL."""

import hashlib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse

Answering = Callable[[HttpRequest], HttpResponse]
THIS_MACHINE = {"127.0.0.1", "::1", ""}


def phones_folder() -> Path:
    """Return the folder with one empty file for each phone that has reached the site."""
    return Path(settings.DATA_DIR) / "phones"


class CountPhones:
    """Remember, for ``serve``, which other devices have reached the site.

    Wi-Fi that keeps devices apart is a hall's commonest trouble, and looks from
    the laptop like nothing at all. Processes share the count through a folder;
    an address is kept only as a short hash.
    """

    def __init__(self, get_response: Answering) -> None:
        self.get_response = get_response
        self.known = set(THIS_MACHINE)

    def __call__(self, request: HttpRequest) -> HttpResponse:
        address = request.META.get("REMOTE_ADDR", "")
        if address not in self.known:
            self.known.add(address)
            name = hashlib.sha256(f"{settings.SECRET_KEY}{address}".encode()).hexdigest()[:16]
            with suppress(OSError):  # a full disk must not keep anybody from reporting
                phones_folder().mkdir(parents=True, exist_ok=True)
                (phones_folder() / name).touch()
        return self.get_response(request)


def refuse_nul(get_response: Answering) -> Answering:
    """Find nothing at an address with a NUL in it, by which PostgreSQL cannot even look."""

    def answer(request: HttpRequest) -> HttpResponse:
        if "\x00" in request.path_info:
            raise Http404
        return get_response(request)

    return answer
