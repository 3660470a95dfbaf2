"""The players of a club."""

from django.http import HttpRequest, HttpResponse


def players(request: HttpRequest, **kwargs: object) -> HttpResponse:
    return HttpResponse(status=501)


def player_edit(request: HttpRequest, **kwargs: object) -> HttpResponse:
    return HttpResponse(status=501)
