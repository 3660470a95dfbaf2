"""Addresses that are passed on to other devices."""

from django.conf import settings
from django.http import HttpRequest


def reachable(request: HttpRequest, path: str) -> str:
    """Return the whole address of *path* as phones can reach it."""
    on_this_machine = request.get_host().partition(":")[0] in {"localhost", "127.0.0.1"}
    if settings.SITE_URL or (on_this_machine and settings.PHONES_URL):
        # What the laptop calls itself is of no use on a phone.
        return f"{(settings.SITE_URL or settings.PHONES_URL).rstrip('/')}{path}"
    return request.build_absolute_uri(path)


def address_to_type(request: HttpRequest, path: str) -> str:
    """Return the address of *path* as people type it into a phone."""
    return reachable(request, path).partition("://")[2]
