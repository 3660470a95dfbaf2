"""Answers when something is not as it should be.

Django itself shows ``400.html``, ``403.html``, ``404.html`` and ``500.html``.
"""

from inspect import unwrap

from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.views import defaults

# Trap: Django's own read the form once more to make out its token, and where it cannot be read
# (another charset, too many fields) that ends in an empty 500. The token is there without that.
permission_denied = unwrap(defaults.permission_denied)
page_not_found = unwrap(defaults.page_not_found)
server_error = unwrap(defaults.server_error)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:  # noqa: ARG001
    """Say how to go on after a form that may have come from somewhere else."""
    return render(request, "errors/csrf.html", status=403)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Say that what was sent is too large, or cannot be read at all."""
    if isinstance(exception, RequestDataTooBig):
        return HttpResponse(render_to_string("errors/too_large.html"), status=413)
    return unwrap(defaults.bad_request)(request, exception)
