"""What the smaller buttons of a table's page do: who deals, two counts, a doubt, a call."""

from collections.abc import Callable
from contextlib import suppress
from functools import partial

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from games.errors import RuleError
from tracker.common.actor import Actor
from tracker.common.errors import Refused
from tracker.common.web import access
from tracker.common.web.devices import device_of, side_of
from tracker.common.web.parameters import key_in, number_in
from tracker.common.wording import NAMELESS, say
from tracker.ledger.statements import read_table
from tracker.models import CallReason, Confirm, Issue, IssueKind, TokenState
from tracker.reports.services.calls import call_organiser, withdraw_call
from tracker.reports.services.confirming import confirm_hand
from tracker.reports.services.dealers import choose_dealer
from tracker.reports.services.issues import query_hand
from tracker.reports.services.settling import Outcome, settle
from tracker.reports.views.responses import back_to_table, no_table, over_by_now


@require_POST
def table_dealer(request: HttpRequest, token: str) -> HttpResponse:
    """Choose who deals the coming hand, instead of the dealer by the rules."""
    place = number_in(request.POST.get("place", ""))
    choose = partial(choose_dealer, token=token, place=place, by=access.anybody(request))
    return at_once(request, token, choose, keep=("saved", "as"))


@require_POST
def table_settle(request: HttpRequest, token: str, issue_id: int) -> HttpResponse:
    """Settle two different counts at the table they are about."""
    offered = {Outcome.KEEP, Outcome.TAKE, Outcome.TWO}
    chosen = request.POST.get("outcome", "")
    known = Issue.objects.filter(
        pk=issue_id, sitting__token=token, kind=IssueKind.CONFLICT, settled_at=None
    ).exclude(sitting__token_state=TokenState.REVOKED)
    issue = known.select_related("sitting__round__tournament").first()
    if chosen not in offered or issue is None:
        messages.info(request, _("That was settled already."))
        return back_to_table(token)
    seen = key_in(request.POST.get("seen", ""))

    def decide() -> None:
        settle(
            issue_id=issue_id,
            outcome=Outcome(chosen),
            reason=_("Settled at the table"),
            by=this_phone(request),
            at_table=True,
            seen=seen,
        )
        # Who has chosen one of the two confirms it, if it is another side's.
        if chosen != Outcome.TWO and issue.sitting.round.tournament.confirm == Confirm.BOTH:
            with suppress(Refused):  # their own, then: the other side is asked
                confirm_hand(
                    token=token,
                    number=issue.number,
                    by=this_phone(request),
                    side=side_of(request),
                    seen=seen if chosen == Outcome.KEEP else issue.report_id,
                )

    return at_once(request, token, decide)


@require_POST
def table_query(request: HttpRequest, token: str, number: int) -> HttpResponse:
    """Ask the organiser to look at a recorded hand."""
    table_now = read_table(token=token)
    if table_now is not None and over_by_now(table_now):
        return back_to_table(token)

    def ask() -> None:
        query_hand(
            token=token,
            number=number,
            note=request.POST.get("note", "").strip()[:200],
            by=this_phone(request),
        )
        messages.success(request, _("The organiser will look at it."))

    return at_once(request, token, ask)


@require_POST
def table_call(request: HttpRequest, token: str) -> HttpResponse:
    """Call the organiser for a reason, or withdraw the call."""
    reason, by = request.POST.get("reason", ""), this_phone(request)
    if reason not in CallReason.values:
        return at_once(request, token, partial(withdraw_call, token=token, by=by))
    note = request.POST.get("note", "")
    call = partial(call_organiser, token=token, reason=CallReason(reason), note=note, by=by)
    return at_once(request, token, call)


def this_phone(request: HttpRequest) -> Actor:
    """Return the actor for a table: its phone, even if a user is signed in on it."""
    return Actor(at=timezone.now(), device=device_of(request))


def at_once(
    request: HttpRequest, token: str, act: Callable[[], object], keep: tuple[str, ...] = ()
) -> HttpResponse:
    """Run *act* and return to the table's page, which shows a refusal."""
    try:
        act()
    except RuleError as refusal:
        if refusal.code == "token-unknown":
            return no_table(request, token)
        messages.error(request, say(refusal, NAMELESS))
    notice = {name: request.POST[name] for name in keep if request.POST.get(name)}
    return back_to_table(token, notice)
