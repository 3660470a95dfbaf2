"""Page that settles an issue about a hand, with a preview of the effect before it is applied.

An *issue* waits for a person: a *conflict* (two counts of one hand), a *parked* hand (the count
does not add up), a *late* report (the round had closed), a *query* or a wanted *change*. The page
has a button for each *outcome*. One that changes nothing is applied at once; any other is
previewed first, and applied with a reason.
"""

from collections.abc import Mapping
from functools import cached_property, partial
from typing import Any, NamedTuple

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games.errors import RuleError, SheetError
from games.sheet import Sheet
from tracker.common.web import access
from tracker.common.web.requests import key_in, return_page
from tracker.models import Issue, IssueKind, Role
from tracker.results.forms.reason import SETTLING_REASONS, VOIDING_REASONS, ReasonForm
from tracker.results.forms.sheet import HandForm, questions_at
from tracker.results.forms.sheet_view import SheetView
from tracker.results.pages.table_requests import checked_table
from tracker.results.queries.effect import Effect
from tracker.results.queries.hand_details import correction_refusal, hand_details
from tracker.results.queries.issues import issue_details
from tracker.results.services.preview import APPLY_STEP, preview
from tracker.results.services.settling import CHANGES_NOTHING, IssueOutcome, settle
from tracker.tables.table_now import TableNow


class _Offer(NamedTuple):
    """The outcomes that the page offers, by the place of their buttons."""

    stands: IssueOutcome  # at the recorded result
    other: IssueOutcome | None  # at the result in the issue's report
    more: tuple[IssueOutcome, ...]  # elsewhere


# KEEP the recorded hand, TAKE the issue's report instead, record both as TWO hands, type a new
# sheet (MENDED), let the hand count for nothing (VOID), or DISMISS the query or the late report.
_KEEP, _TAKE, _TWO = IssueOutcome.KEEP, IssueOutcome.TAKE, IssueOutcome.TWO
_MENDED, _VOID, _DISMISS = IssueOutcome.MENDED, IssueOutcome.VOID, IssueOutcome.DISMISS
_OFFERS: Mapping[str, _Offer] = {
    IssueKind.CONFLICT: _Offer(_KEEP, _TAKE, (_TWO, _MENDED, _VOID)),
    IssueKind.PARKED: _Offer(_KEEP, None, (_MENDED, _VOID)),
    IssueKind.LATE: _Offer(_DISMISS, _TAKE, (_TWO,)),
    IssueKind.QUERY: _Offer(_DISMISS, None, (_MENDED, _VOID)),
    IssueKind.CHANGE: _Offer(_KEEP, _TAKE, (_MENDED, _VOID)),
}


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def issue(request: HttpRequest, issue_id: int) -> HttpResponse:
    """Show an issue with every outcome it can have, preview one, and apply it."""
    about_hands = Issue.objects.exclude(kind=IssueKind.CALL)
    issue = about_hands.select_related("report").filter(pk=issue_id).first()
    table = checked_table(request, issue.sitting_id if issue else 0, Role.SCORER)
    if issue is None:  # ``checked_table`` has raised already; this tells the type checker
        raise Http404
    settlement = _Settlement(request, table, issue)
    if request.method == "POST" and settlement.apply_or_preview():
        messages.success(request, settlement.message())
        return redirect(return_page(request, table.round))
    context = settlement.context()
    return access.render(request, "results/changes/issue.html", table.club, **context)


class _Settlement:
    """One request of the page: the issue, the pressed outcome, and its preview or application."""

    def __init__(self, request: HttpRequest, table: TableNow, issue: Issue) -> None:
        self.request, self.table, self.issue = request, table, issue
        hands = hand_details(table)
        (self.details,) = issue_details(table, hands, [issue])
        self.hand = next((hand for hand in hands if hand.number == issue.number), None)
        self.offer = _OFFERS[issue.kind]
        pressed = request.POST.get("outcome", "")
        offered = {self.offer.stands, self.offer.other, *self.offer.more}
        self.outcome = IssueOutcome(pressed) if pressed in offered else None
        # A typed reason, or else a tapped one: the fields of ``ReasonForm``.
        self.sent_reason = request.POST.get("reason") or request.POST.get("why", "")
        # Set by ``apply_or_preview``: what the outcome would change, or why it is refused.
        self.effect: Effect | None = None
        self.refusal = ""

    @property
    def applies(self) -> bool:
        """Return whether to apply the outcome now; if not, it is previewed."""
        # An older page, which has no preview, sends a reason and no step.
        step = self.request.POST.get("step", APPLY_STEP if self.sent_reason else "")
        return self.outcome in CHANGES_NOTHING or step == APPLY_STEP

    @cached_property
    def reason_form(self) -> ReasonForm:
        """Return the form for the reason, which the page shows beside a preview."""
        return ReasonForm(
            self.request.POST if self.applies else None,
            offered=VOIDING_REASONS if self.outcome is _VOID else SETTLING_REASONS,
            needed=self.outcome not in CHANGES_NOTHING,
            # If an outcome is refused, the page sends its reason again, with the next outcome.
            typed=self.request.POST.get("said", ""),
        )

    @cached_property
    def sheet_form(self) -> HandForm:
        """Return the form for a new sheet, which starts with the recorded or the parked one."""
        number, report = self.issue.number, self.issue.report
        session = self.hand.session_before if self.hand else self.table.coming_session()
        sheet: Sheet = self.hand.sheet if self.hand else {}
        if self.issue.kind == IssueKind.PARKED and report is not None:
            # The count that would not add up, without the winner (``bare``).
            sheet = {name: value for name, value in report.sheet.items() if name != "bare"}
        return HandForm(
            questions_at(self.table, session, number, names=self.table.names_at(number)),
            self.request.POST if self.outcome is _MENDED else None,
            standing=sheet,
            prefix=f"h{number}",
        )

    def apply_or_preview(self) -> bool:
        """Apply the outcome and return true, or preview it, also if a valid reason is missing."""
        if self.outcome is None or (self.outcome is _MENDED and not self.sheet_form.is_valid()):
            return False
        sheet = self.sheet_form.sheet() if self.outcome is _MENDED else None
        by, seen = access.actor(self.request), key_in(self.request.POST.get("seen", ""))
        settle_issue = partial(
            settle, issue_id=self.issue.pk, outcome=self.outcome, sheet=sheet, by=by, seen=seen
        )
        try:
            if self.applies and self.reason_form.is_valid():
                settle_issue(reason=self.reason_form.cleaned_data["reason"])
                return True
            self.effect = preview(
                partial(settle_issue, reason=""),
                tournament_id=self.table.tournament_id,
                sittings=[self.table.sitting_id],
            )
        except RuleError as refusal:
            if isinstance(refusal, SheetError) and self.outcome is _MENDED:
                self.sheet_form.refuse(refusal)
            else:
                names = self.table.names_at(self.issue.number)
                self.refusal = correction_refusal(refusal, self.table, names)
        return False

    def message(self) -> str:
        """Return the message after settling; for a voided hand, with a link that brings it back."""
        if self.outcome is _VOID and self.hand is not None:
            return self.hand.struck_message
        params = {"table": self.table.number, "hand": self.table.numbered(self.issue.number)}
        return _("Table %(table)d, %(hand)s is settled.") % params

    def context(self) -> dict[str, Any]:
        # The outcomes with buttons at neither result: ``stands`` is one if no result is recorded.
        beside = [_TWO] if _TWO in self.offer.more else []
        if self.details.standing is None:
            beside.insert(0, self.offer.stands)
        return {
            "tournament": self.table.tournament,
            "table": self.table,
            "issue": self.details,
            "hand": self.hand,
            "offer": self.offer,
            "beside": beside,
            "may_void": _VOID in self.offer.more and self.hand is not None,
            "outcome": self.outcome,
            "may_mend": _MENDED in self.offer.more,
            "form": self.sheet_form,
            "sheet": SheetView(self.sheet_form),
            "reason": self.reason_form,
            "refusal": self.refusal,
            "effect": self.effect,
            "sent_reason": self.sent_reason,
        }


urlpatterns = [path("issues/<int:issue_id>/", issue, name="issue")]
