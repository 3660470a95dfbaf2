"""What pages behind a table's own address share: no such table, and the way back to it."""

from collections.abc import Mapping
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse

from tracker.ledger.table import TableNow
from tracker.models import Sitting, TokenState
from tracker.seating.queries.tables import was_a_key


def no_table(request: HttpRequest, token: str) -> HttpResponse:
    """Answer that there is no such table, or that its address was withdrawn, in two queries."""
    withdrawn = (
        was_a_key(token)
        or Sitting.objects.filter(token=token, token_state=TokenState.REVOKED).exists()
    )
    context = {"withdrawn": withdrawn}
    return render(request, "reports/table/nobody.html", context, status=410 if withdrawn else 404)


def round_over(
    request: HttpRequest, table: TableNow, *, late: bool = False, refusal: str = ""
) -> HttpResponse:
    """Answer that the table's round is over, and where people see which table is theirs now."""
    context = {"table": table, "club": table.club, "late": late, "refusal": refusal}
    return render(request, "reports/table/over.html", context)


def back_to_table(token: str, told: Mapping[str, object] | None = None) -> HttpResponse:
    """Lead to the page of a table, which is *told* what has been done."""
    query = f"?{urlencode(told)}" if told else ""
    return HttpResponseRedirect(reverse("table", args=[token]) + query, status=303)
