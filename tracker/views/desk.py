"""What the organiser stands in front of."""

from django.http import HttpRequest, HttpResponse


def desk(request: HttpRequest, **kwargs: object) -> HttpResponse:
    return HttpResponse(status=501)
