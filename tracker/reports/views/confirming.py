"""Two sides that agree, and the last hand taken back: the buttons of a table and of its scorers."""

from functools import partial

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from tracker.common.web import access
from tracker.common.web.devices import remember_side, side_of
from tracker.common.web.parameters import key_in, number_in
from tracker.ledger.table import TableNow
from tracker.reports.services.confirming import confirm_hand, confirm_table
from tracker.reports.services.taking_back import bring_back, take_back
from tracker.reports.views.corrections import scored_table
from tracker.reports.views.responses import at_table, back_to_table
from tracker.reports.views.table_actions import at_once, this_phone


@require_POST
@never_cache
@at_table
def table_side(request: HttpRequest, table: TableNow) -> HttpResponse:
    """Remember at this table for which side a phone speaks, or that it is the table's only one."""
    side = number_in(request.POST.get("side", ""))
    side = side if side in range(len(table.mode.sides)) else None
    response = back_to_table(table.token, {"side": "" if side is None else side})
    remember_side(request, response, side, path=reverse("table", args=[table.token]))
    return response


@require_POST
def table_confirm(request: HttpRequest, token: str, number: int) -> HttpResponse:
    """Let this phone's side say that a hand is right."""
    said = number_in(request.POST.get("side", ""))

    def confirm() -> None:
        confirm_hand(
            token=token,
            number=number,
            by=this_phone(request),
            side=side_of(request) if said is None else said,
            seen=key_in(request.POST.get("seen", "")),
        )
        messages.success(request, _("Thank you: your counts agree."))

    return at_once(request, token, confirm)


@require_POST
def table_take_back(request: HttpRequest, token: str, number: int) -> HttpResponse:
    """Take the last hand back, or let it stand again."""
    do = bring_back if request.POST.get("do") == "bring" else take_back
    seen = key_in(request.POST["seen"]) if "seen" in request.POST else None
    phone, side = this_phone(request), side_of(request)
    act = partial(do, token=token, number=number, by=phone, side=side, seen=seen)
    return at_once(request, token, act)


@access.page
@require_POST
def sitting_confirm(request: HttpRequest, sitting_id: int) -> HttpResponse:
    """Confirm for the organiser what no other side of a table has."""
    scored_table(request, sitting_id)
    numbers = [number_in(sent) for sent in request.POST.getlist("number")]
    confirmed = confirm_table(
        sitting_id=sitting_id,
        numbers=[number for number in numbers if number is not None],
        seen=[key_in(sent) for sent in request.POST.getlist("seen")] or None,
        by=access.actor(request),
    )
    sentence = ngettext(
        "%(count)d result is confirmed.", "%(count)d results are confirmed.", len(confirmed)
    )
    messages.success(request, sentence % {"count": len(confirmed)})
    return redirect("sitting", sitting_id)
