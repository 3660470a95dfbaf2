"""What pages behind a table's own address share: no such table, and the way back to it."""

from collections.abc import Mapping
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse


def no_table(request: HttpRequest, *, withdrawn: bool) -> HttpResponse:
    """Answer that there is no such table, or no more."""
    context = {"withdrawn": withdrawn}
    return render(request, "reports/table/nobody.html", context, status=410 if withdrawn else 404)


def back_to_table(token: str, told: Mapping[str, object] | None = None) -> HttpResponse:
    """Lead to the page of a table, which is *told* what has been done."""
    query = f"?{urlencode(told)}" if told else ""
    return HttpResponseRedirect(reverse("table", args=[token]) + query, status=303)
