"""A request as htmx makes it, or a whole page asked for: ``request.htmx`` tells."""

from django.http import HttpRequest
from django_htmx.middleware import HtmxDetails


class HtmxHttpRequest(HttpRequest):
    htmx: HtmxDetails
