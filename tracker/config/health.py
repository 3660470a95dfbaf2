"""The health check, for monitoring and load balancers."""

import shutil

from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed

from tracker.config.middleware import Answering

ADDRESS = "/health/"
_LEAST_ROOM = 10_000_000  # bytes


def health(get_response: Answering) -> Answering:
    """Answer 200 while the database answers and can be written, and 503 with a sentence otherwise.

    Before everything else: whoever watches knows no host of ours, is no phone and nobody's guest,
    and is led nowhere.
    """

    def answer(request: HttpRequest) -> HttpResponse:
        if request.path_info != ADDRESS:
            return get_response(request)
        if request.method not in {"GET", "HEAD"}:
            return HttpResponseNotAllowed(["GET", "HEAD"])
        trouble = _trouble()
        response = HttpResponse(
            f"{trouble or 'Kula is open.'}\n",
            status=503 if trouble else 200,
            content_type="text/plain; charset=utf-8",
            headers={"Cache-Control": "no-store"},
        )
        # It is asked every few seconds: what is wrong is logged by those who meant something.
        response._has_been_logged = True  # type: ignore[attr-defined]  # noqa: SLF001
        return response

    return answer


def _trouble() -> str:
    """Return what keeps anything from being written; nothing if all is well."""
    try:
        # Finds nothing, so that nothing is written; but it is refused where nothing can be.
        Session.objects.filter(pk="").update(session_data="")
    except DatabaseError:
        return "The database does not answer, or cannot be written."
    if connection.vendor != "sqlite":
        return ""
    room = shutil.disk_usage(settings.DATA_DIR).free
    return "The disk is full." if room < _LEAST_ROOM else ""
