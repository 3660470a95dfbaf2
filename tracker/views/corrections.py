"""Putting right what was reported."""

from django.http import HttpRequest, HttpResponse


def sitting(request: HttpRequest, **kwargs: object) -> HttpResponse:
    return HttpResponse(status=501)


def hand_correct(request: HttpRequest, **kwargs: object) -> HttpResponse:
    return HttpResponse(status=501)


def matter(request: HttpRequest, **kwargs: object) -> HttpResponse:
    return HttpResponse(status=501)
