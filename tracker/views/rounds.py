"""Opening and closing rounds."""

from django.http import HttpRequest, HttpResponse


def round_new(request: HttpRequest, **kwargs: object) -> HttpResponse:
    return HttpResponse(status=501)


def round_close(request: HttpRequest, **kwargs: object) -> HttpResponse:
    return HttpResponse(status=501)


def round_undo(request: HttpRequest, **kwargs: object) -> HttpResponse:
    return HttpResponse(status=501)
