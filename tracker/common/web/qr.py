"""Addresses as pictures that phones read."""

import io

import segno
from django.http import HttpResponse


def qr(address: str) -> HttpResponse:
    """Return the QR code of an address."""
    image = io.BytesIO()
    segno.make(address, error="m").save(
        image, kind="svg", scale=8, border=2, dark="#000", light="#fff"
    )
    return HttpResponse(image.getvalue(), content_type="image/svg+xml")
