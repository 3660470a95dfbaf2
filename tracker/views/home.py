"""The front page."""

from django.http import HttpRequest, HttpResponse


def home(request: HttpRequest, **kwargs: object) -> HttpResponse:
    return HttpResponse(status=501)
