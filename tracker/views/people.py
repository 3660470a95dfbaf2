"""Signing in and out, and the first owner."""

from django.http import HttpRequest, HttpResponse


def sign_in(request: HttpRequest, **kwargs: object) -> HttpResponse:
    return HttpResponse(status=501)


def sign_out(request: HttpRequest, **kwargs: object) -> HttpResponse:
    return HttpResponse(status=501)


def first_owner(request: HttpRequest, **kwargs: object) -> HttpResponse:
    return HttpResponse(status=501)
