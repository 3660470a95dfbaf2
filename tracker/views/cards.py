"""The lasting card of a table."""

from django.http import HttpRequest, HttpResponse


def card(request: HttpRequest, **kwargs: object) -> HttpResponse:
    return HttpResponse(status=501)


def card_code(request: HttpRequest, **kwargs: object) -> HttpResponse:
    return HttpResponse(status=501)
