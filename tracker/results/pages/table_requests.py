"""Answers of a table's own addresses: pages for people, JSON for the script that sends a sheet."""

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, TypeVar
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from games.errors import RuleError
from tracker.common.web import access
from tracker.models import Role, Sitting, TokenState, Verdict
from tracker.results.queries.table import is_over
from tracker.results.services.report_hand import SubmissionResult
from tracker.seating.queries.cards import is_withdrawn_key
from tracker.tables.reading import read_table
from tracker.tables.table_now import TableNow

R = TypeVar("R", bound=HttpRequest)
# What a little waiting mends: the phone keeps the sheet and sends it again by itself.
_LATER = {"too-many-reports": 429, "hand-missing": 425}


def at_table(view: Callable[[R, TableNow], HttpResponse]) -> Callable[[R, str], HttpResponse]:
    """Give *view* the table as it now is, and answer ``no_table`` where there is none."""

    @wraps(view)
    def answer(request: R, token: str) -> HttpResponse:
        table = read_table(token=token)
        if table is None or table.withdrawn:
            return no_table(request, token)
        return view(request, table)

    return answer


def scored_table(request: HttpRequest, sitting_id: int) -> TableNow:
    """Return a table that the reader may correct.

    :raises SignInNeeded, PermissionDenied, Http404: as ``access.get``.
    """
    table = read_table(sitting_id=sitting_id)
    access.check(request, table.club if table else None, Role.SCORER)
    if table is None:  # ``check`` has raised already; this tells the type checker
        raise Http404
    return table


def over_by_now(table: TableNow) -> bool:
    """Say whether the table's address is quiet: its round has closed, some time ago."""
    return table.closed and is_over(table, timezone.now())


def no_table(request: HttpRequest, token: str) -> HttpResponse:
    """Answer that there is no such table, or that its address was withdrawn, in two queries."""
    withdrawn = (
        is_withdrawn_key(token)
        or Sitting.objects.filter(token=token, token_state=TokenState.REVOKED).exists()
    )
    status = 410 if withdrawn else 404
    if wants_json(request):
        says = _("This address was withdrawn") if withdrawn else _("Nobody knows this address")
        return json_answer(status, "gone", message=says)
    return render(request, "results/table/nobody.html", {"withdrawn": withdrawn}, status=status)


def round_over(
    request: HttpRequest, table: TableNow, *, late: bool = False, refusal: str = ""
) -> HttpResponse:
    """Answer that the table's round is over, and where people see which table is theirs now."""
    context = access.context(request, table.club, table=table, late=late, refusal=refusal)
    return render(request, "results/table/over.html", context)


def back_to_table(token: str, notice: Mapping[str, object] | None = None) -> HttpResponse:
    """Lead to the page of a table, which says by *notice* what has been done."""
    query = f"?{urlencode(notice)}" if notice else ""
    return HttpResponseRedirect(reverse("table", args=[token]) + query, status=303)


def taken(request: HttpRequest, table: TableNow, answer: SubmissionResult) -> HttpResponse:
    """Answer that a hand was taken in: a script in JSON, a person by the page that says so."""
    notice = {"saved": answer.number, "as": answer.verdict}
    if not wants_json(request):
        return back_to_table(table.token, notice)
    message = ""
    if answer.verdict == Verdict.LATE:
        late = _("%(hand)s: round %(round)d has closed. The organiser will see to it.")
        message = late % {"hand": table.numbered(answer.number), "round": table.round_number}
    return json_answer(
        200,
        "saved",
        verdict=answer.verdict,
        number=answer.number,
        page=f"{table.get_absolute_url()}?{urlencode(notice)}",
        message=message,
    )


def wants_json(request: HttpRequest) -> bool:
    """Return whether the request prefers JSON, as scripts do."""
    return request.get_preferred_type(["text/html", "application/json"]) == "application/json"


def json_refusal(sentences: list[str], error: RuleError | None = None) -> HttpResponse:
    """Answer why a sheet cannot be taken in, or not yet, as the page would beside its fields."""
    status = _LATER.get(error.code) if error else None
    content: dict[str, object] = {"message": " ".join(sentences)}
    if error and error.code == "hand-missing":
        content |= {key: error.params[key] for key in ("missing", "number")}
    return json_answer(status or 422, "later" if status else "refused", **content)


def json_answer(status: int, state: str, **more: Any) -> HttpResponse:
    return JsonResponse({"state": state, **more}, status=status)
