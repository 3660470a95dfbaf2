"""Answers when something is not as it should be.

Django itself shows ``403.html``, ``404.html`` and ``500.html``.
"""

from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:  # noqa: ARG001
    """Say how to go on after a form that may have come from somewhere else."""
    return render(request, "errors/csrf.html", status=403)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:  # noqa: ARG001
    """Say that what was sent is too large, or cannot be read at all."""
    # Trap: with the request a template would read what is unreadable once more.
    if isinstance(exception, RequestDataTooBig):
        return HttpResponse(render_to_string("errors/too_large.html"), status=413)
    return HttpResponse(render_to_string("400.html"), status=400)
