"""Making a tournament."""

from django.http import HttpRequest, HttpResponse


def tournaments(request: HttpRequest, **kwargs: object) -> HttpResponse:
    return HttpResponse(status=501)


def tournament_new(request: HttpRequest, **kwargs: object) -> HttpResponse:
    return HttpResponse(status=501)


def tournament_edit(request: HttpRequest, **kwargs: object) -> HttpResponse:
    return HttpResponse(status=501)
