"""Buttons of the table page: choose the dealer, settle a conflict, query, call, confirm, undo.

A table's URL has its secret *token*. A *conflict* is two counts of one hand; a *query* tells the
organiser that a hand may be wrong. ``seen``: the key of the report that the page showed for a hand.
"""

from collections.abc import Callable
from contextlib import suppress
from functools import wraps

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.urls import path, reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from games.errors import RuleError
from tracker.common.actor import Actor
from tracker.common.errors import Refused
from tracker.common.web.devices import device_of, remember_side, side_of, visitor
from tracker.common.web.requests import key_in, number_in
from tracker.common.wording import NAMELESS, say
from tracker.models import CallReason, Confirm, Issue, IssueKind, TokenState
from tracker.results.pages.table_requests import at_table, back_to_table, has_expired, no_table
from tracker.results.services.calls import call_organiser, withdraw_call
from tracker.results.services.confirming import confirm_hand
from tracker.results.services.issues import query_hand
from tracker.results.services.settling import IssueOutcome, settle
from tracker.results.services.table_actions import bring_back, choose_dealer, take_back
from tracker.tables.sql import read_table
from tracker.tables.table_now import TableNow

# Form values that go on to the table's page, to tell what was saved: number of a hand, verdict.
_NOTICE = ("saved", "as")
_LONGEST = 40  # characters of such a value


def table_action(act: Callable[..., None]) -> Callable[..., HttpResponse]:
    """Make a view that runs *act* and redirects to the table's page, which shows a refusal."""

    @require_POST
    @wraps(act)
    def view(request: HttpRequest, token: str, **kwargs: int) -> HttpResponse:
        try:
            act(request, token, **kwargs)
        except RuleError as refusal:
            if refusal.code == "token-unknown":
                return no_table(request, token)
            messages.error(request, say(refusal, NAMELESS))
        notice = {name: request.POST.get(name, "") for name in _NOTICE}
        # Trap: Django refuses to redirect to a very long URL, and *act* is already done.
        return back_to_table(
            token, {name: value for name, value in notice.items() if 0 < len(value) <= _LONGEST}
        )

    return view


def this_phone(request: HttpRequest) -> Actor:
    """Return the actor for a table: its phone, even if a user is signed in on it."""
    return Actor(at=timezone.now(), device=device_of(request))


@table_action
def table_dealer(request: HttpRequest, token: str) -> None:
    """Choose the dealer of the coming hand, instead of the dealer by the rules."""
    choose_dealer(token=token, place=number_in(request.POST.get("place", "")), by=visitor(request))


@table_action
def table_settle(request: HttpRequest, token: str, issue_id: int) -> None:
    """Settle a conflict between two counts at the table itself."""
    # The recorded count is right, or the other one, or they are counts of two hands.
    offered = {IssueOutcome.KEEP, IssueOutcome.TAKE, IssueOutcome.TWO}
    chosen = request.POST.get("outcome", "")
    conflicts = Issue.objects.filter(
        pk=issue_id, sitting__token=token, kind=IssueKind.CONFLICT, settled_at=None
    ).exclude(sitting__token_state=TokenState.REVOKED)
    issue = conflicts.select_related("sitting__round__tournament").first()
    if chosen not in offered or issue is None:
        messages.info(request, _("That was settled already."))
        return
    outcome, by = IssueOutcome(chosen), this_phone(request)
    reason, seen = _("Settled at the table"), key_in(request.POST.get("seen", ""))
    settle(issue_id=issue_id, outcome=outcome, reason=reason, by=by, at_table=True, seen=seen)
    # A side that chose the count of another side thereby confirms that count.
    if outcome != IssueOutcome.TWO and issue.sitting.round.tournament.confirm == Confirm.BOTH:
        number, side = issue.number, side_of(request)
        chosen_report = seen if outcome == IssueOutcome.KEEP else issue.report_id
        with suppress(Refused):  # of this side's own count; the other side is asked to confirm that
            confirm_hand(token=token, number=number, by=by, side=side, seen=chosen_report)


@table_action
def table_query(request: HttpRequest, token: str, number: int) -> None:
    """Ask the organiser to look at a recorded hand."""
    table_now = read_table(token=token)
    if table_now is not None and has_expired(table_now):  # the page will say so
        return
    note = request.POST.get("note", "").strip()[:200]
    query_hand(token=token, number=number, note=note, by=this_phone(request))
    messages.success(request, _("The organiser will look at it."))


@table_action
def table_call(request: HttpRequest, token: str) -> None:
    """Call the organiser for a reason, or withdraw the call."""
    reason, by = request.POST.get("reason", ""), this_phone(request)
    if reason not in CallReason.values:
        withdraw_call(token=token, by=by)
        return
    call_organiser(token=token, reason=CallReason(reason), note=request.POST.get("note", ""), by=by)


@table_action
def table_confirm(request: HttpRequest, token: str, number: int) -> None:
    """Confirm a hand on behalf of this phone's side."""
    sent_side = number_in(request.POST.get("side", ""))
    side = side_of(request) if sent_side is None else sent_side
    seen = key_in(request.POST.get("seen", ""))
    confirm_hand(token=token, number=number, by=this_phone(request), side=side, seen=seen)
    messages.success(request, _("Thank you: your counts agree."))


@table_action
def table_take_back(request: HttpRequest, token: str, number: int) -> None:
    """Take the last hand back, or bring it back."""
    act = bring_back if request.POST.get("do") == "bring" else take_back
    seen = key_in(request.POST["seen"]) if "seen" in request.POST else None
    act(token=token, number=number, by=this_phone(request), side=side_of(request), seen=seen)


@require_POST
@never_cache
@at_table
def table_side(request: HttpRequest, table: TableNow) -> HttpResponse:
    """Remember for which side a phone speaks at this table, or that it speaks for all."""
    side = number_in(request.POST.get("side", ""))
    side = side if side in range(len(table.mode.sides)) else None
    response = back_to_table(table.token, {"side": "" if side is None else side})
    remember_side(request, response, side, path=reverse("table", args=[table.token]))
    return response


urlpatterns = [
    path("t/<str:token>/dealer/", table_dealer, name="table-dealer"),
    path("t/<str:token>/settle/<int:issue_id>/", table_settle, name="table-settle"),
    path("t/<str:token>/query/<int:number>/", table_query, name="table-query"),
    path("t/<str:token>/side/", table_side, name="table-side"),
    path("t/<str:token>/confirm/<int:number>/", table_confirm, name="table-confirm"),
    path("t/<str:token>/take-back/<int:number>/", table_take_back, name="table-take-back"),
    path("t/<str:token>/call/", table_call, name="table-call"),
]
