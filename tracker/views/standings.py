"""The standings of a tournament."""

from django.http import HttpRequest, HttpResponse


def tournament(request: HttpRequest, **kwargs: object) -> HttpResponse:
    return HttpResponse(status=501)


def dealers(request: HttpRequest, **kwargs: object) -> HttpResponse:
    return HttpResponse(status=501)
