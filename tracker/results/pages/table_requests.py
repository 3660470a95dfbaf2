"""Requests about one table: finding the table, and the answers that its pages share.

A table's URL has a secret *token*, which organisers can withdraw. A script of the table's page
sends sheets that were filled in while the phone was offline; it gets its answers as JSON.
"""

from collections.abc import Callable, Mapping
from datetime import timedelta
from functools import wraps
from typing import Any, Concatenate, TypeVar
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from games.errors import RuleError
from tracker.common.web import access
from tracker.models import Role, Round, RoundState, Sitting, TokenState, Verdict
from tracker.results.services.report_hand import SubmissionResult
from tracker.seating.queries.table_cards import is_withdrawn_key
from tracker.tables.sql import read_table
from tracker.tables.table_now import TableNow

R = TypeVar("R", bound=HttpRequest)
# How long the page of a closed round shows its hands; later it only leads to the next table.
OVER_IN_PLAY_AFTER = timedelta(minutes=30)  # while a later round is played
OVER_AFTER = timedelta(hours=12)
# Refusals that pass, with their status: the phone keeps the sheet and sends it again by itself.
LATER_STATUSES = {"too-many-reports": 429, "hand-missing": 425}


def at_table(
    view: Callable[[R, TableNow], HttpResponse],
) -> Callable[Concatenate[R, ...], HttpResponse]:
    """Make a view that takes a token: it calls *view* with the token's table, or ``no_table``."""

    @wraps(view)
    def answer(request: R, token: str) -> HttpResponse:
        table = read_table(token=token)
        if table is None or table.withdrawn:
            return no_table(request, token)
        return view(request, table)

    return answer


def checked_table(request: HttpRequest, sitting_id: int, role: Role | None = None) -> TableNow:
    """Return the table of a sitting; see ``access.get`` for *role* and for what may be refused."""
    table = read_table(sitting_id=sitting_id)
    access.check(request, table.club if table else None, role)
    if table is None:  # ``check`` has raised already; this tells the type checker
        raise Http404
    return table


def has_expired(table: TableNow) -> bool:
    """Return whether the page of the table has expired, in two queries if the round has closed."""
    if table.takes_reports:
        return False
    now, round_ = timezone.now(), table.round
    # The time of an undone round counts from its start.
    ended_at = round_.opened_at if round_.state == RoundState.UNDONE else round_.closed_at
    age = now - (ended_at or now)
    later_open_rounds = Round.objects.filter(
        tournament=table.tournament_id, state=RoundState.OPEN, number__gt=table.round_number
    )
    return age >= OVER_AFTER or (age >= OVER_IN_PLAY_AFTER and later_open_rounds.exists())


def no_table(request: HttpRequest, token: str) -> HttpResponse:
    """Answer that there is no such table (404), or its URL was withdrawn (410), in two queries."""
    revoked = Sitting.objects.filter(token=token, token_state=TokenState.REVOKED)
    withdrawn = is_withdrawn_key(token) or revoked.exists()
    status = 410 if withdrawn else 404
    if wants_json(request):
        message = _("This address was withdrawn") if withdrawn else _("Nobody knows this address")
        return json_answer(status, "gone", message=message)
    return render(request, "results/table/nobody.html", {"withdrawn": withdrawn}, status=status)


def round_over(
    request: HttpRequest, table: TableNow, *, late: bool = False, refusal: str = ""
) -> HttpResponse:
    """Answer that the round is over, with a link to the page where people find their next table."""
    context = access.context(request, table.club, table=table, late=late, refusal=refusal)
    return render(request, "results/table/over.html", context)


def back_to_table(token: str, notice: Mapping[str, object] | None = None) -> HttpResponse:
    """Redirect to the page of a table; *notice* becomes its query string."""
    query = f"?{urlencode(notice)}" if notice else ""
    return HttpResponseRedirect(reverse("table", args=[token]) + query, status=303)


def saved_response(request: HttpRequest, table: TableNow, answer: SubmissionResult) -> HttpResponse:
    """Answer that a hand was saved: with JSON for a script, with a redirect for people."""
    page = f"{request.path}?saved={answer.number}&as={answer.verdict}"
    if not wants_json(request):
        return HttpResponseRedirect(page, status=303)
    message = ""
    if answer.verdict == Verdict.LATE:
        late = _("%(hand)s: round %(round)d has closed. The organiser will see to it.")
        message = late % {"hand": table.numbered(answer.number), "round": table.round_number}
    return json_answer(
        200,
        "saved",
        verdict=answer.verdict,
        number=answer.number,
        page=page,
        message=message,
    )


def wants_json(request: HttpRequest) -> bool:
    """Return whether the script of the page asks, which wants its answers as JSON."""
    return request.META.get("HTTP_ACCEPT") == "application/json"


def json_refusal(sentences: list[str], error: RuleError | None = None) -> HttpResponse:
    """Answer in JSON why a sheet is refused, or why it has to be sent again later."""
    status = LATER_STATUSES.get(error.code) if error else None
    content: dict[str, object] = {"message": " ".join(sentences)}
    if error and error.code == "hand-missing":
        content |= {key: error.params[key] for key in ("missing", "number")}
    return json_answer(status or 422, "later" if status else "refused", **content)


def json_answer(status: int, state: str, **more: Any) -> HttpResponse:
    """Answer in JSON; *state* is ``saved``, ``ask``, ``refused``, ``later`` or ``gone``."""
    return JsonResponse({"state": state, **more}, status=status)
