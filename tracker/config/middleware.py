"""What the site notices of requests, whoever asks and whatever for."""

import hashlib
import logging
from collections.abc import Callable
from pathlib import Path

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from tracker.common.web.outages import outage

log = logging.getLogger(__name__)

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

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        self.known = set(THIS_MACHINE)

    def __call__(self, request: HttpRequest) -> HttpResponse:
        address = request.META.get("REMOTE_ADDR", "")
        if address not in self.known:
            self.known.add(address)
            self._note(address)
        return self.get_response(request)

    def _note(self, address: str) -> None:
        name = hashlib.sha256(f"{settings.SECRET_KEY}{address}".encode()).hexdigest()[:16]
        try:
            phones_folder().mkdir(parents=True, exist_ok=True)
            (phones_folder() / name).touch()
        except OSError:  # a full disk must not keep anybody from reporting
            return


def refuse_nul(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Find nothing at an address with a NUL in it, by which PostgreSQL cannot even look."""

    def answer(request: HttpRequest) -> HttpResponse:
        if "\x00" in request.path_info:
            raise Http404
        return get_response(request)

    return answer


class SayOutages:
    """Say in a sentence what keeps the site from working, and offer to send a hand again."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        found = outage(error)
        if found is None:
            return None
        log.error("%s %s: %s (%s)", request.method, request.path, found.sentence, error)
        # What was typed at a table goes round once more, by the same entry; passwords do not.
        at_a_table = request.method == "POST" and request.path.startswith("/t/")
        fields = list(request.POST.lists()) if at_a_table else []
        context = {"sentence": found.sentence, "fields": fields, "path": request.get_full_path()}
        return render(None, "errors/outage.html", context, status=found.status)
