"""All hands of a tournament."""

from django.http import HttpRequest, HttpResponse


def tournament_hands(request: HttpRequest, **kwargs: object) -> HttpResponse:
    return HttpResponse(status=501)
