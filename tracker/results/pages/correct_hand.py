"""Page that corrects a hand, with a preview of the effect before the change is applied.

A correction gives a hand another *sheet* (answers by question), *strikes* it (it counts nowhere),
or *restores* it: a struck hand counts again, any other gets the sheet from before its last change.
A later hand that cannot follow a new sheet is added to the page, to be corrected too.
"""

import json
from collections.abc import Mapping
from functools import cached_property, partial
from itertools import combinations
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import path, reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games.errors import RuleError, SheetError
from games.game import Session
from games.mode import side_letter
from games.sheet import Per, Sheet
from tracker.common.web import access
from tracker.models import Role
from tracker.results.forms import reason as reasons
from tracker.results.forms.question_base import QuestionKind
from tracker.results.forms.sheet import HandForm, questions_at
from tracker.results.forms.sheet_view import SheetView
from tracker.results.pages.table_requests import checked_table
from tracker.results.queries.effect import Effect
from tracker.results.queries.hand_details import HandDetails, correction_refusal, hand_details
from tracker.results.services.corrections import Change, correct_sitting, sheet_before
from tracker.results.services.preview import APPLY_STEP, StalePreviewError, apply, preview
from tracker.tables.replay import ReplayRefused
from tracker.tables.table_now import TableNow

_MOST_SIDES = 3  # with more sides, a button for each pair would be no help
# The reasons that can be tapped, by change; ``None`` stands for new sheets.
_REASONS: Mapping[Change | None, tuple[str, ...]] = {
    None: reasons.CORRECTION_REASONS,
    Change.STRIKE: reasons.DELETION_REASONS,
    Change.RESTORE: reasons.RESTORING_REASONS,
}


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def hand_correct(request: HttpRequest, sitting_id: int, number: int) -> HttpResponse:
    """Show the sheet of a hand, preview a change of it, and apply the change."""
    table = checked_table(request, sitting_id, Role.SCORER)
    correction = _Correction(request, table, number)
    if number not in correction.hands:
        raise Http404
    # A change is requested by a sent form, or by a link that restores a hand.
    requested = request.method == "POST" or correction.change is not None
    if requested and correction.apply_or_preview():
        messages.success(request, correction.message())
        return redirect("sitting", sitting_id)
    return access.render(request, "results/changes/hand.html", table.club, **correction.context())


class _Correction:
    """One request of the page: the change of hand ``number``, and its preview or application.

    ``change`` strikes or restores the hand. If it is ``None``, ``forms`` ask for new sheets.
    """

    def __init__(self, request: HttpRequest, table: TableNow, number: int) -> None:
        self.request, self.table, self.number = request, table, number
        sent_change = (request.POST if request.method == "POST" else request.GET).get("change", "")
        self.change = {change.value: change for change in Change}.get(sent_change)
        # A button that swaps two sides sends "0-1", for example; the result is previewed first.
        self.swap = request.POST.get("swap", "")
        self.applies = request.POST.get("step") == APPLY_STEP and not self.swap
        # Set by ``apply_or_preview``: what the change would alter, or why it is refused.
        self.effect: Effect | None = None
        self.refusal = ""

    @cached_property
    def hands(self) -> dict[int, HandDetails]:
        """Return all hands of the table, keyed by number."""
        return {hand.number: hand for hand in hand_details(self.table)}

    @cached_property
    def reason_form(self) -> reasons.ReasonForm:
        """Return the form for the reason, which the page shows beside a preview."""
        return reasons.ReasonForm(
            self.request.POST if self.applies else None,
            offered=_REASONS[self.change],
            # The reason chosen beforehand; the button of a swap is a reason by itself.
            tapped=reasons.SIDES_SWAPPED if self.swap else self.request.POST.get("tapped", ""),
        )

    @cached_property
    def forms(self) -> dict[int, HandForm]:
        """Return number -> form, for this hand and for those added by earlier previews ("also")."""
        sent = self.request.POST if self.request.method == "POST" and not self.change else None
        forms: dict[int, HandForm] = {}
        for number in self.hands:
            if number == self.number or str(number) in self.request.POST.getlist("also"):
                forms[number] = self._form(number, sent, forms)
        return forms

    def _form(self, number: int, sent: QueryDict | None, forms: Mapping[int, HandForm]) -> HandForm:
        """Return a hand's form, filled in with what was *sent*, or else with the stored sheet."""
        hand, session = self.hands[number], self._session_before(number, forms)
        questions = questions_at(self.table, session, number, names=hand.names)
        form = HandForm(questions, sent, standing=hand.sheet, prefix=f"h{number}")
        if sent and number == self.number and self.swap in swaps_of(form):
            form.data = with_sides_swapped(form, sent, *swaps_of(form)[self.swap])
        return form

    def _session_before(self, number: int, forms: Mapping[int, HandForm]) -> Session:
        """Return what a hand is played from (dealer, match score) after the *forms* before it.

        From the first form on, each hand is replayed with its typed or else with its stored sheet.
        """
        sheets = {key: form.sheet() for key, form in forms.items() if form.is_valid()}
        first = min(forms, default=number)
        session = self.hands[first].session_before
        try:
            for earlier in range(first, number):
                hand = self.hands[earlier]
                if earlier in forms or not hand.struck:
                    # A typed sheet without the question of the dealer keeps the stored dealer.
                    sheet = {"dealer": hand.sheet.get("dealer"), **sheets.get(earlier, hand.sheet)}
                    session = self.table.game.add_sheet(session, sheet).session
        except RuleError:  # one of them cannot follow the hand before it
            return self.hands[number].session_before
        return session

    @cached_property
    def changes(self) -> Mapping[int, Sheet | Change]:
        """Return hand number -> its change, or its new sheet; the forms must be valid."""
        if self.change:
            return {self.number: self.change}
        return {number: form.sheet() for number, form in self.forms.items()}

    def apply_or_preview(self) -> bool:
        """Apply a change that was previewed and has a reason, and return true; else preview it."""
        valid = [form.is_valid() for form in self.forms.values() if form.is_bound]
        if not all(valid):  # a list, so that each form shows its own errors
            return False
        try:
            if self.applies and self.reason_form.is_valid() and self._apply():
                return True
            self.effect = preview(
                self._correct,
                tournament_id=self.table.tournament_id,
                sittings=[self.table.sitting_id],
            )
        except RuleError as refusal:
            if isinstance(refusal, SheetError) and not self.change:  # of the first changed sheet
                self.forms[min(self.forms)].refuse(refusal)
                return False
            self.refusal = correction_refusal(refusal, self.table, self.hands[self.number].names)
            if isinstance(refusal, ReplayRefused) and not self.change:  # of a hand after it
                later = refusal.number
                self.forms.setdefault(later, self._form(later, None, self.forms))
        return False

    def _apply(self) -> bool:
        """Apply the change and return true; return false if its preview is out of date."""
        del self.hands  # ``_fingerprint`` reads them again, under the lock that ``apply`` takes
        try:
            apply(
                partial(self._correct, self.reason_form.cleaned_data["reason"]),
                tournament_id=self.table.tournament_id,
                seen=self.request.POST.get("seen", ""),
                fingerprint=self._fingerprint,
            )
        except StalePreviewError:
            return False
        return True

    def _correct(self, reason: str = "") -> None:
        sitting_id, by = self.table.sitting_id, access.actor(self.request)
        correct_sitting(sitting_id=sitting_id, changes=self.changes, reason=reason, by=by)

    def _fingerprint(self) -> str:
        """Return the changes and the state of their hands as JSON, to notice a stale preview."""
        states = {
            number: [str(change), self.hands[number].report, self.hands[number].struck]
            for number, change in self.changes.items()
        }
        return json.dumps(states)

    def message(self) -> str:
        """Return the message after saving, with a link that undoes the change."""
        hand = self.hands[self.number]
        if self.change is Change.STRIKE:
            return hand.struck_message
        return format_html(
            '{} <a href="{}?change=restore">{}</a>',
            _("%(hand)s corrected.") % {"hand": hand.called},
            reverse("hand-correct", args=[self.table.sitting_id, hand.number]),
            _("Undo"),
        )

    def context(self) -> dict[str, Any]:
        hand = self.hands[self.number]
        swaps = [
            (button, side_letter(first), side_letter(second))
            for button, (first, second) in swaps_of(self.forms[self.number]).items()
        ]
        return {
            "tournament": self.table.tournament,
            "table": self.table,
            "hand": hand,
            "sheets": [
                {
                    "form": form,
                    "sheet": SheetView(form),
                    "called": self.table.numbered(number),
                    "swaps": swaps if number == self.number else [],
                }
                for number, form in self.forms.items()
            ],
            "also": [number for number in self.forms if number != self.number],
            "reason": self.reason_form,
            "change": self.change.value if self.change else "",
            "can_restore": hand.struck
            or sheet_before(self.table.sitting_id, self.number, stands=hand.sheet) is not None,
            "effect": self.effect,
            "refusal": self.refusal,
            "seen": self._fingerprint() if self.effect else "",
        }


def swaps_of(form: HandForm) -> dict[str, tuple[int, int]]:
    """Return form value of a button -> the two sides that it swaps, as in {"0-1": (0, 1)}.

    Swaps are offered if few sides, not single players, are asked for counts; and not if the form
    begins with a sheet that tells only who won (``starts_bare``).
    """
    counted = any(kind.counted for kind in _asked_by_side(form))
    sides = len(form.questions.mode.sides)
    if not counted or form.questions.mode.individual or form.starts_bare or sides > _MOST_SIDES:
        return {}
    return {f"{pair[0]}-{pair[1]}": pair for pair in combinations(range(sides), 2)}


def with_sides_swapped(form: HandForm, sent: QueryDict, first: int, second: int) -> QueryDict:
    """Return what was *sent* with all answers of two sides exchanged."""
    data = sent.copy()
    for kind in _asked_by_side(form):
        # The number of a side -> the names of its fields, in the same order for each side.
        names = {slot.place: [*map(form.add_prefix, slot.keys)] for slot in kind.slots}
        for first_name, second_name in zip(names[first], names[second], strict=True):
            data.setlist(first_name, sent.getlist(second_name))
            data.setlist(second_name, sent.getlist(first_name))
    return data


def _asked_by_side(form: HandForm) -> list[QuestionKind[Any]]:
    return [kind for kind in form.questions.kinds if kind.question.per is Per.SIDE]


urlpatterns = [
    path("sittings/<int:sitting_id>/hands/<int:number>/", hand_correct, name="hand-correct")
]
