"""Clubs."""

from django.http import HttpRequest, HttpResponse


def club_new(request: HttpRequest, **kwargs: object) -> HttpResponse:
    return HttpResponse(status=501)


def club(request: HttpRequest, **kwargs: object) -> HttpResponse:
    return HttpResponse(status=501)


def club_edit(request: HttpRequest, **kwargs: object) -> HttpResponse:
    return HttpResponse(status=501)
