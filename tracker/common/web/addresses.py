"""Whole URLs (addresses) of pages as phones can reach them, their QR codes and link previews."""

import io

import segno
from django.conf import settings
from django.http import HttpRequest, HttpResponse

from tracker.common import poster
from tracker.models import Club


def full_address(request: HttpRequest, path: str) -> str:
    """Return the whole address of *path* as phones can reach it."""
    on_this_machine = request.get_host().partition(":")[0] in {"localhost", "127.0.0.1"}
    if settings.SITE_URL or (on_this_machine and settings.PHONES_URL):
        # Trap: "localhost" is no address for a phone; PHONES_URL has this machine's in the network.
        return f"{(settings.SITE_URL or settings.PHONES_URL).rstrip('/')}{path}"
    return request.build_absolute_uri(path)


def address_to_type(request: HttpRequest, path: str) -> str:
    """Return the address of *path* without its scheme, as people type it into a phone."""
    return full_address(request, path).partition("://")[2]


def qr_response(address: str) -> HttpResponse:
    """Return the QR code of an address as an SVG image."""
    image = io.BytesIO()
    code = segno.make(address, error="m")
    code.save(image, kind="svg", scale=8, border=2, dark="#000", light="#fff")
    return HttpResponse(image.getvalue(), content_type="image/svg+xml")


def link_preview(
    request: HttpRequest, club: Club, *, title: str, description: str, picture: str = ""
) -> dict[str, object] | None:
    """Return the Open Graph data of this page, if its club is public; *picture* is a path."""
    if not club.public:
        return None
    addresses = {"address": full_address(request, request.path)}
    if picture:
        addresses["picture"] = full_address(request, picture)
    size = {"width": poster.WIDTH, "height": poster.HEIGHT}
    return {"title": title, "description": description, **addresses, **size}
