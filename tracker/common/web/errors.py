"""Answers when something is not as it should be.

Django itself shows ``403.html`` and ``404.html``.
"""

import sys
from collections.abc import Callable
from inspect import unwrap

from django.core.exceptions import RequestDataTooBig, SuspiciousOperation
from django.http import HttpRequest, HttpResponse, UnreadablePostError
from django.http.multipartparser import MultiPartParserError
from django.shortcuts import render
from django.template.loader import render_to_string
from django.views import defaults

from tracker.common.web.outages import outage_of

# Trap: Django's own read the form once more to make out its token, and where it cannot be read
# (another charset, too many fields) that ends in an empty 500. The token is there without that.
permission_denied = unwrap(defaults.permission_denied)
page_not_found = unwrap(defaults.page_not_found)
_our_fault: Callable[..., HttpResponse] = unwrap(defaults.server_error)
_bad_request: Callable[..., HttpResponse] = unwrap(defaults.bad_request)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:  # noqa: ARG001
    """Say how to go on after a form that may have come from somewhere else."""
    return render(request, "errors/csrf.html", status=403)


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer an unhandled exception: an outage by its page, the rest as a server error."""
    outage = outage_of(sys.exc_info()[1])
    if outage is None:
        return _our_fault(request)
    # A page that needs no database and keeps what was typed.
    page = {
        "outage": outage,
        "address": request.get_full_path(),
        "sent": request.method == "POST",
        "typed": _typed(request),
    }
    answer = HttpResponse(render_to_string("errors/outage.html", page), status=outage.status)
    if outage.again is not None:
        answer["Retry-After"] = str(outage.again)
    return answer


def _typed(request: HttpRequest) -> list[tuple[str, str]]:
    """Return what a form sent, to be sent again: no passwords, and nothing without its files."""
    try:
        if request.FILES or any("password" in name for name in request.POST):
            return []
        return [(name, value) for name, values in request.POST.lists() for value in values]
    except (MultiPartParserError, SuspiciousOperation, UnreadablePostError, UnicodeError):
        return []


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Say that what was sent is too large, or cannot be read at all."""
    if isinstance(exception, RequestDataTooBig):
        return HttpResponse(render_to_string("errors/too_large.html"), status=413)
    return _bad_request(request, exception)
