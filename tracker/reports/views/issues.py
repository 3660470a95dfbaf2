"""Settling what waits for a person."""

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games.errors import RuleError, SheetError
from games.game import Session
from games.sheet import Sheet
from tracker.common.web import access
from tracker.common.web.parameters import key_in
from tracker.common.web.returning import way_back
from tracker.common.wording import say
from tracker.ledger.fold import ReplayRefused
from tracker.ledger.table import TableNow
from tracker.models import Issue, IssueKind
from tracker.reports.forms.corrections import ReasonForm
from tracker.reports.forms.questions import questions_at
from tracker.reports.forms.sheet import HandForm
from tracker.reports.queries.hand_details import hand_details
from tracker.reports.queries.issues import issue_details
from tracker.reports.services.settling import Outcome, settle
from tracker.reports.sheet_view import SheetView
from tracker.reports.views.corrections import gone, scored_table

# What can become of each kind without a new sheet, the usual way first.
_OFFERED = {
    IssueKind.CONFLICT: (Outcome.KEEP, Outcome.TAKE, Outcome.TWO, Outcome.VOID),
    IssueKind.PARKED: (Outcome.KEEP, Outcome.VOID),
    IssueKind.LATE: (Outcome.TAKE, Outcome.DISMISS, Outcome.TWO),
    IssueKind.QUERY: (Outcome.DISMISS, Outcome.VOID),
    IssueKind.CHANGE: (Outcome.KEEP, Outcome.TAKE, Outcome.VOID),
}


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def issue(request: HttpRequest, issue_id: int) -> HttpResponse:
    """Show what waits to be settled, with every way to settle it."""
    about_hands = Issue.objects.exclude(kind=IssueKind.CALL)
    issue = about_hands.select_related("report").filter(pk=issue_id).first()
    table = scored_table(request, issue.sitting_id if issue else 0)
    if issue is None:  # ``scored_table`` has raised already; this tells the type checker
        raise Http404
    settling = _Settling(request, table, issue)
    if request.method == "POST" and settling.done():
        messages.success(request, settling.answer())
        return redirect(way_back(request, table.round))
    return render(request, "reports/corrections/matter.html", settling.context())


class _Settling:
    """One request about an issue."""

    def __init__(self, request: HttpRequest, table: TableNow, issue: Issue) -> None:
        self.request, self.table, self.issue = request, table, issue
        hands = hand_details(table)
        (self.read,) = issue_details(table, hands, [issue])
        self.hand = hand = next((hand for hand in hands if hand.number == issue.number), None)
        before: Session = hand.before if hand else table.coming_session()
        names = table.names_at(issue.number)
        pressed = request.POST.get("outcome", "")
        self.offered = _OFFERED[IssueKind(issue.kind)]
        self.may_mend = issue.kind != IssueKind.LATE
        ways = {*self.offered, *([Outcome.MENDED] if self.may_mend else [])}
        self.outcome = Outcome(pressed) if pressed in ways else None
        sent = request.POST if request.method == "POST" else None
        self.reason = ReasonForm(sent)
        self.reason.fields["reason"].required = self.outcome not in {
            Outcome.KEEP,
            Outcome.DISMISS,
        }
        self.form = HandForm(
            questions_at(table, before, issue.number, names=names),
            sent if self.outcome is Outcome.MENDED else None,
            standing=_begun(issue, hand.sheet if hand else {}),
            prefix=f"h{issue.number}",
        )
        self.refusal = ""

    def done(self) -> bool:
        """Settle it, and say whether that went through."""
        outcome, sheet = self.outcome, None
        if not self.reason.is_valid() or outcome is None:
            return False
        if outcome is Outcome.MENDED:
            if not self.form.is_valid():
                return False
            sheet = self.form.sheet()
        try:
            settle(
                issue_id=self.issue.pk,
                outcome=outcome,
                sheet=sheet,
                reason=self.reason.cleaned_data["reason"],
                by=access.actor(self.request),
                seen=key_in(self.request.POST.get("seen", "")),
            )
        except RuleError as refusal:
            self._refuse(refusal)
            return False
        return True

    def answer(self) -> str:
        """Return what is said once it is settled; a hand made void can be brought back at once."""
        if self.outcome is Outcome.VOID and self.hand is not None:
            return gone(self.table, self.hand)
        return _("That is settled.")

    def _refuse(self, refusal: RuleError) -> None:
        names = self.form.asked.names
        if isinstance(refusal, ReplayRefused):
            said = {"hand": self.table.numbered(refusal.number), "why": say(refusal, names)}
            self.refusal = _("Then %(hand)s cannot stand: %(why)s") % said
        elif isinstance(refusal, SheetError) and self.form.is_bound:
            self.form.refuse(refusal)
        else:
            self.refusal = say(refusal, names)

    def context(self) -> dict[str, Any]:
        tournament = self.table.tournament
        return access.context(
            self.request,
            tournament.club,
            tournament=tournament,
            table=self.table,
            issue=self.read,
            hand=self.hand,
            outcomes=[outcome.value for outcome in self.offered],
            may_mend=self.may_mend,
            form=self.form,
            sheet=SheetView(self.form),
            reason=self.reason,
            refusal=self.refusal,
        )


def _begun(issue: Issue, standing: Sheet) -> Mapping[str, Any]:
    """Return the sheet to begin from: of a parked hand the count that would not add up."""
    if issue.kind != IssueKind.PARKED or issue.report is None:
        return standing
    return {name: value for name, value in issue.report.sheet.items() if name != "bare"}
