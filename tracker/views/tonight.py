"""From an empty room to the first hand in three minutes."""

from django.http import HttpRequest, HttpResponse


def tonight(request: HttpRequest, **kwargs: object) -> HttpResponse:
    return HttpResponse(status=501)
