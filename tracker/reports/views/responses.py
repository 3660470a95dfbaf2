"""What pages behind a table's own address share: the table, if there is one, and the way back to it."""

from collections.abc import Callable, Mapping
from functools import wraps
from typing import TypeVar
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone

from tracker.common.web import access
from tracker.ledger.statements import read_table
from tracker.ledger.table import TableNow
from tracker.models import Sitting, TokenState
from tracker.reports.queries.table import is_over
from tracker.reports.services.report_hand import Answer
from tracker.reports.views import json_answers
from tracker.seating.queries.tables import was_a_key

R = TypeVar("R", bound=HttpRequest)


def at_table(view: Callable[[R, TableNow], HttpResponse]) -> Callable[[R, str], HttpResponse]:
    """Give *view* the table as it now is, and answer ``no_table`` where there is none."""

    @wraps(view)
    def answer(request: R, token: str) -> HttpResponse:
        table = read_table(token=token)
        if table is None or table.withdrawn:
            return no_table(request, token)
        return view(request, table)

    return answer


def over_by_now(table: TableNow) -> bool:
    """Say whether the table's address is quiet: its round has closed, some time ago."""
    return table.closed and is_over(table, timezone.now())


def no_table(request: HttpRequest, token: str) -> HttpResponse:
    """Answer that there is no such table, or that its address was withdrawn, in two queries."""
    withdrawn = (
        was_a_key(token)
        or Sitting.objects.filter(token=token, token_state=TokenState.REVOKED).exists()
    )
    if json_answers.wants_json(request):
        return json_answers.gone(withdrawn=withdrawn)
    context = {"withdrawn": withdrawn}
    return render(request, "reports/table/nobody.html", context, status=410 if withdrawn else 404)


def round_over(
    request: HttpRequest, table: TableNow, *, late: bool = False, refusal: str = ""
) -> HttpResponse:
    """Answer that the table's round is over, and where people see which table is theirs now."""
    context = access.context(request, table.club, table=table, late=late, refusal=refusal)
    return render(request, "reports/table/over.html", context)


def back_to_table(token: str, notice: Mapping[str, object] | None = None) -> HttpResponse:
    """Lead to the page of a table, which says by *notice* what has been done."""
    query = f"?{urlencode(notice)}" if notice else ""
    return HttpResponseRedirect(reverse("table", args=[token]) + query, status=303)


def taken(request: HttpRequest, table: TableNow, answer: Answer) -> HttpResponse:
    """Answer that a hand was taken in: a script in JSON, a person by the page that says so."""
    if json_answers.wants_json(request):
        return json_answers.saved(table, answer)
    return back_to_table(table.token, {"saved": answer.number, "as": answer.verdict})
