"""Page that settles an issue about a hand, with a preview of the effect before it is applied.

An *issue* waits for a person: a *conflict* (two counts of one hand), a *parked* hand (the count
does not add up), a *late* report (the round had closed), a *query* or a wanted *change*.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games.errors import RuleError, SheetError
from games.game import Session
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
from tracker.results.services.preview import preview
from tracker.results.services.settling import CHANGES_NOTHING, IssueOutcome, settle
from tracker.tables.table_now import TableNow


class _Offer(NamedTuple):
    """The outcomes that the page offers; besides them a new sheet may be typed."""

    stands: IssueOutcome  # the button of the recorded result
    other: IssueOutcome | None  # the button of the issue's report
    more: tuple[IssueOutcome, ...]  # buttons beside those of the two results


# KEEP the recorded hand, TAKE the issue's report instead, record both as TWO hands, let the hand
# count for nothing (VOID), or DISMISS the report. A typed sheet has the outcome MENDED.
_KEEP, _TAKE, _TWO = IssueOutcome.KEEP, IssueOutcome.TAKE, IssueOutcome.TWO
_VOID, _DISMISS = IssueOutcome.VOID, IssueOutcome.DISMISS
_OFFERED: Mapping[str, _Offer] = {
    IssueKind.CONFLICT: _Offer(_KEEP, _TAKE, (_TWO, _VOID)),
    IssueKind.PARKED: _Offer(_KEEP, None, (_VOID,)),
    IssueKind.LATE: _Offer(_DISMISS, _TAKE, (_TWO,)),
    IssueKind.QUERY: _Offer(_DISMISS, None, (_VOID,)),
    IssueKind.CHANGE: _Offer(_KEEP, _TAKE, (_VOID,)),
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
    return render(request, "results/changes/issue.html", settlement.context())


class _Settlement:
    """One request of the page: the issue, the chosen outcome, its preview, and applying it.

    ``outcome`` is ``None`` until a button is pressed. If ``applies``, it was previewed and is
    applied now, else it is previewed. ``form`` is for a new sheet.
    """

    def __init__(self, request: HttpRequest, table: TableNow, issue: Issue) -> None:
        self.request, self.table, self.issue = request, table, issue
        hands = hand_details(table)
        (self.details,) = issue_details(table, hands, [issue])
        self.hand = hand = next((hand for hand in hands if hand.number == issue.number), None)
        session: Session = hand.session_before if hand else table.coming_session()
        names = table.names_at(issue.number)
        self.may_mend = issue.kind != IssueKind.LATE  # a new sheet may be typed
        pressed = request.POST.get("outcome", "")
        self.offer = offer = _OFFERED[issue.kind]
        offered = {offer.stands, offer.other, *offer.more}
        fits = pressed in offered or (pressed == IssueOutcome.MENDED and self.may_mend)
        self.outcome = IssueOutcome(pressed) if fits else None
        # The sheet that the form shows at first.
        sheet: Sheet = hand.sheet if hand else {}
        if issue.kind == IssueKind.PARKED and issue.report is not None:
            # The count that would not add up, without the winner (``bare``).
            sheet = {name: value for name, value in issue.report.sheet.items() if name != "bare"}
        sent = request.POST if request.method == "POST" else None
        # A preview has the buttons "keep" and "look"; where there are none, a reason means "keep".
        has_reason = request.POST.get("why") or request.POST.get("reason")
        self.applies = request.POST.get("step", "keep" if has_reason else "look") == "keep"
        self.reason = ReasonForm(
            sent if self.applies or self.outcome in CHANGES_NOTHING else None,
            offered=VOIDING_REASONS if self.outcome is _VOID else SETTLING_REASONS,
            needed=self.outcome not in CHANGES_NOTHING,
            typed=request.POST.get("said", ""),  # the reason given before the preview
        )
        questions = questions_at(table, session, issue.number, names=names)
        typed_sheet = sent if self.outcome is IssueOutcome.MENDED else None
        self.form = HandForm(questions, typed_sheet, standing=sheet, prefix=f"h{issue.number}")
        self.refusal = ""
        self.effect: Effect | None = None

    def apply_or_preview(self) -> bool:
        """Settle the issue and return true if the outcome was previewed, else preview the outcome.

        An outcome needs a reason, too; one that changes nothing is applied at once without.
        """
        outcome, sheet = self.outcome, None
        if outcome is None:
            return False
        if outcome is IssueOutcome.MENDED:
            if not self.form.is_valid():
                return False
            sheet = self.form.sheet()
        try:
            if (self.applies or outcome in CHANGES_NOTHING) and self.reason.is_valid():
                self._settle(outcome, sheet, self.reason.cleaned_data["reason"])
                return True
            self.effect = preview(
                lambda: self._settle(outcome, sheet),
                tournament_id=self.table.tournament_id,
                sittings=[self.table.sitting_id],
            )
        except RuleError as refusal:
            if isinstance(refusal, SheetError) and self.form.is_bound:
                self.form.refuse(refusal)
            else:
                self.refusal = correction_refusal(refusal, self.table, self.form.questions.names)
        return False

    def _settle(self, outcome: IssueOutcome, sheet: Sheet | None, reason: str = "") -> None:
        issue_id, by = self.issue.pk, access.actor(self.request)
        seen = key_in(self.request.POST.get("seen", ""))
        settle(issue_id=issue_id, outcome=outcome, sheet=sheet, reason=reason, by=by, seen=seen)

    def message(self) -> str:
        """Return the message after settling; for a voided hand, with a link that brings it back."""
        if self.outcome is _VOID and self.hand is not None:
            return self.hand.struck_message
        params = {"table": self.table.number, "hand": self.table.numbered(self.issue.number)}
        return _("Table %(table)d, %(hand)s is settled.") % params

    def context(self) -> dict[str, Any]:
        tournament, offer = self.table.tournament, self.offer
        # Buttons that stand beside no result: also that of the recorded one, if none is recorded.
        beside = [outcome for outcome in offer.more if outcome is not _VOID]
        if self.details.standing is None:
            beside.insert(0, offer.stands)
        return access.context(
            self.request,
            tournament.club,
            tournament=tournament,
            table=self.table,
            issue=self.details,
            hand=self.hand,
            stands=offer.stands,
            other=offer.other,
            beside=beside,
            may_void=_VOID in offer.more and self.hand is not None,
            outcome=self.outcome,
            may_mend=self.may_mend,
            form=self.form,
            sheet=SheetView(self.form),
            reason=self.reason,
            refusal=self.refusal,
            effect=self.effect,
            said=self.request.POST.get("reason") or self.request.POST.get("why", ""),
        )


urlpatterns = [path("issues/<int:issue_id>/", issue, name="issue")]
