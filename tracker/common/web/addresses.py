"""Addresses that are passed on to other devices, and what a link shows before it is opened."""

from dataclasses import dataclass

from django.conf import settings
from django.http import HttpRequest

from tracker.common import poster
from tracker.models import Club


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


@dataclass(frozen=True, slots=True)
class LinkPreview:
    """The words and the picture of a link, with whole addresses, for ``parts/preview.html``."""

    title: str
    says: str
    address: str
    picture: str  # "" without one
    width: int = poster.WIDTH
    height: int = poster.HEIGHT


def preview(
    request: HttpRequest, club: Club, *, title: str, says: str, picture: str = ""
) -> LinkPreview | None:
    """Return what a link to this page shows; *picture* is a path. A private club shows nothing."""
    if not club.public:
        return None
    return LinkPreview(
        title, says, reachable(request, request.path), picture and reachable(request, picture)
    )
