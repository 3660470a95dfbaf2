"""What the script that sends a sheet is answered, where a person would get a page."""

from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.translation import gettext as _

from games.errors import RuleError
from tracker.ledger.table import TableNow
from tracker.models import Verdict
from tracker.reports.services.report_hand import Answer

# What a little waiting mends: the phone keeps the sheet and sends it again by itself.
_LATER = {"too-many-reports": 429, "hand-missing": 425}


def wants_json(request: HttpRequest) -> bool:
    """Return whether the request prefers JSON, as scripts do."""
    return request.get_preferred_type(["text/html", "application/json"]) == "application/json"


def saved(table: TableNow, answer: Answer) -> HttpResponse:
    """Answer what became of a hand, and which page shows it."""
    query = {"saved": answer.number, "as": answer.verdict}
    message = ""
    if answer.verdict == Verdict.LATE:
        late = _("%(hand)s: round %(round)d has closed. The organiser will see to it.")
        message = late % {"hand": table.numbered(answer.number), "round": table.round_number}
    return _json(
        200,
        "saved",
        verdict=answer.verdict,
        number=answer.number,
        page=f"{table.get_absolute_url()}?{urlencode(query)}",
        message=message,
    )


def asked(table: TableNow, number: int) -> HttpResponse:
    """Answer that a person has to say which hand this is; nothing is stored."""
    return _json(409, "ask", number=number, message=table.which_hand_question(number))


def refused(sentences: list[str], error: RuleError | None = None) -> HttpResponse:
    """Answer why a sheet cannot be taken in, or not yet, as the page would beside its fields."""
    status = _LATER.get(error.code) if error else None
    content: dict[str, object] = {"message": " ".join(sentences)}
    if error and error.code == "hand-missing":
        content |= {key: error.params[key] for key in ("missing", "number")}
    return _json(status or 422, "later" if status else "refused", **content)


def gone(*, withdrawn: bool) -> HttpResponse:
    """Answer that no table has this address, or has it no longer."""
    if withdrawn:
        return _json(410, "gone", message=_("This address was withdrawn"))
    return _json(404, "gone", message=_("Nobody knows this address"))


def _json(status: int, state: str, **more: Any) -> HttpResponse:
    return JsonResponse({"state": state, **more}, status=status)
