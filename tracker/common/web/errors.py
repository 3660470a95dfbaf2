"""Answers when something is not as it should be.

Django itself shows ``400.html``, ``403.html``, ``404.html`` and ``500.html``.
"""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:  # noqa: ARG001
    """Say how to go on after a form that may have come from somewhere else."""
    return render(request, "errors/csrf.html", status=403)
