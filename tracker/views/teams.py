"""The teams of a club."""

from django.http import HttpRequest, HttpResponse


def teams(request: HttpRequest, **kwargs: object) -> HttpResponse:
    return HttpResponse(status=501)


def team_edit(request: HttpRequest, **kwargs: object) -> HttpResponse:
    return HttpResponse(status=501)
