"""What the players at a table stand in front of."""

from django.http import HttpRequest, HttpResponse


def table(request: HttpRequest, **kwargs: object) -> HttpResponse:
    return HttpResponse(status=501)


def table_check(request: HttpRequest, **kwargs: object) -> HttpResponse:
    return HttpResponse(status=501)


def table_dealer(request: HttpRequest, **kwargs: object) -> HttpResponse:
    return HttpResponse(status=501)


def table_settle(request: HttpRequest, **kwargs: object) -> HttpResponse:
    return HttpResponse(status=501)


def table_query(request: HttpRequest, **kwargs: object) -> HttpResponse:
    return HttpResponse(status=501)
