"""Page that corrects a hand, with a preview of the effect before the change is applied.

A correction gives a hand another *sheet* (answers by question), *strikes* it (it counts nowhere),
or *restores* it: a struck hand counts again, any other gets the sheet from before its last change.
A later hand that cannot follow a new sheet is added to the page, to be corrected too.
"""

import json
from collections.abc import Mapping
from contextlib import suppress
from itertools import combinations
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
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
from tracker.results.services.preview import StalePreviewError, apply, preview
from tracker.tables.replay import ReplayRefused
from tracker.tables.table_now import TableNow

_MOST_SIDES = 3  # with more sides, a button for each pair would be no help


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def hand_correct(request: HttpRequest, sitting_id: int, number: int) -> HttpResponse:
    """Show the sheet of a hand, preview a change of it, and apply the change."""
    table = checked_table(request, sitting_id, Role.SCORER)
    hands = {hand.number: hand for hand in hand_details(table)}
    if number not in hands:
        raise Http404
    correction = _Correction(request, table, hands, number)
    # A change is requested by a sent form, or by a link that restores a hand.
    requested = request.method == "POST" or correction.change is not None
    if requested and correction.is_valid() and correction.apply_or_preview():
        messages.success(request, correction.message())
        return redirect("sitting", sitting_id)
    context = access.context(
        request, table.club, table=table, tournament=table.tournament, **correction.context()
    )
    return render(request, "results/changes/hand.html", context)


class _Correction:
    """One request that corrects a hand, together with later hands that could not follow it.

    ``change`` strikes or restores the hand ``number``. It is ``None`` if new sheets are typed, into
    ``forms``: number of a hand -> its form. If ``applies``, the change was previewed and is applied
    now, else it is previewed. A hand's *session* is what it is played from: dealer, match score.
    """

    def __init__(
        self, request: HttpRequest, table: TableNow, hands: Mapping[int, HandDetails], number: int
    ) -> None:
        self.request, self.table, self.hands, self.number = request, table, hands, number
        # The value of a pressed button that swaps two sides: "0-1". Its result is previewed first.
        self.swap = request.POST.get("swap", "")
        self.applies = request.POST.get("step") == "keep" and not self.swap
        change = (request.POST if request.method == "POST" else request.GET).get("change", "")
        self.change = Change(change) if change in {known.value for known in Change} else None
        offered = {
            None: reasons.CORRECTION_REASONS,
            Change.STRIKE: reasons.DELETION_REASONS,
            Change.RESTORE: reasons.RESTORING_REASONS,
        }
        self.reason = reasons.ReasonForm(
            request.POST if self.applies else None,
            offered=offered[self.change],
            # The reason chosen beforehand; the button of a swap is a reason by itself.
            tapped=reasons.SIDES_SWAPPED if self.swap else request.POST.get("tapped", ""),
        )
        sent_sheets: QueryDict | None = None
        if request.method == "POST" and not self.change:
            sent_sheets = request.POST
            if self.swap:
                form = self._form(number, hands[number].session_before, None)  # for its field names
                sent_sheets = with_sides_swapped(form, sent_sheets, self.swap)
        # The forms of this hand and of later hands, which an earlier preview added ("also").
        also = set(map(str, hands)) & set(request.POST.getlist("also"))
        self.numbers = sorted({number, *map(int, also)})
        self.forms: dict[int, HandForm] = {}
        for hand_number in self.numbers:
            self._add_form(hand_number, sent_sheets)
        # ``apply_or_preview`` sets these; ``seen`` is the fingerprint of the previewed data.
        self.effect: Effect | None = None
        self.refusal = self.seen = ""

    def _form(self, number: int, session: Session, data: Mapping[str, Any] | None) -> HandForm:
        """Return a form for a hand played from *session*, filled in with *data* or its sheet."""
        hand = self.hands[number]
        questions = questions_at(self.table, session, number, names=hand.names)
        return HandForm(questions, data, standing=hand.sheet, prefix=f"h{number}")

    def _add_form(self, number: int, data: Mapping[str, Any] | None) -> None:
        """Add the form of a hand, played from the session that the forms before it lead to."""
        first = min(self.numbers)
        session = self.hands[first].session_before
        # Play the hands from the first one with a form: each with its form's sheet, or its own.
        for earlier in range(first, number):
            hand, form = self.hands[earlier], self.forms.get(earlier)
            if form is None and hand.struck:
                continue
            typed_or_stored = form.sheet() if form is not None and form.is_valid() else hand.sheet
            # A typed sheet without the question of the dealer keeps the stored dealer.
            sheet = {"dealer": hand.sheet.get("dealer"), **typed_or_stored}
            try:
                session = self.table.game.add_sheet(session, sheet).session
            except RuleError:  # this one cannot follow: take the session stored with *number*
                session = self.hands[number].session_before
                break
        self.forms[number] = self._form(number, session, data)

    def is_valid(self) -> bool:
        # Every form with answers is validated, so that each shows its own errors.
        valid = [form.is_valid() for form in self.forms.values() if form.is_bound]
        return all(valid)

    def apply_or_preview(self) -> bool:
        """Apply a change that was previewed and has a reason, and return true; else preview it."""
        changes: dict[int, Sheet | Change] = (
            {self.number: self.change}
            if self.change
            else {number: form.sheet() for number, form in self.forms.items()}
        )
        try:
            if self.applies and self.reason.is_valid():
                with suppress(StalePreviewError):  # the data has changed: preview it again
                    apply(
                        lambda: self._correct(changes, self.reason.cleaned_data["reason"]),
                        tournament_id=self.table.tournament_id,
                        seen=self.request.POST.get("seen", ""),
                        fingerprint=lambda: self._present_fingerprint(changes),
                    )
                    return True
            self.effect = preview(
                lambda: self._correct(changes),
                tournament_id=self.table.tournament_id,
                sittings=[self.table.sitting_id],
            )
        except RuleError as refusal:
            # ``SheetError``: of the first changed sheet. ``ReplayRefused``: of a hand after it.
            if isinstance(refusal, SheetError) and not self.change:
                self.forms[min(self.forms)].refuse(refusal)
                return False
            self.refusal = correction_refusal(refusal, self.table, self.hands[self.number].names)
            later = refusal.number if isinstance(refusal, ReplayRefused) else None
            if later is not None and not self.change and later not in self.forms:
                self._add_form(later, None)
        else:
            self.seen = self._fingerprint(changes)
        return False

    def _present_fingerprint(self, changes: Mapping[int, Sheet | Change]) -> str:
        """Return the fingerprint after reading the hands again."""
        self.hands = {hand.number: hand for hand in hand_details(self.table)}
        return self._fingerprint(changes)

    def _fingerprint(self, changes: Mapping[int, Sheet | Change]) -> str:
        """Return the changes and the state of their hands as JSON, to notice a stale preview."""
        states = {
            number: [str(change), self.hands[number].report, self.hands[number].struck]
            for number, change in changes.items()
        }
        return json.dumps(states)

    def _correct(self, changes: Mapping[int, Sheet | Change], reason: str = "") -> None:
        sitting_id, by = self.table.sitting_id, access.actor(self.request)
        correct_sitting(sitting_id=sitting_id, changes=changes, reason=reason, by=by)

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
            "tapped": self.reason.initial["why"],
            "reason": self.reason,
            "change": self.change.value if self.change else "",
            "goes_out": self.change is Change.STRIKE,
            "can_restore": hand.struck
            or sheet_before(self.table.sitting_id, self.number, stands=hand.sheet) is not None,
            "effect": self.effect,
            "refusal": self.refusal,
            "seen": self.seen,
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


def with_sides_swapped(form: HandForm, sent: QueryDict, swap: str) -> QueryDict:
    """Return what was *sent* with all answers of two sides exchanged."""
    data = sent.copy()
    if swap not in swaps_of(form):
        return data
    first, second = swaps_of(form)[swap]
    for kind in _asked_by_side(form):
        # The number of a side -> the names of its fields, in the same order for each side.
        names = {slot.place: [*map(form.add_prefix, slot.keys)] for slot in kind.slots()}
        for first_name, second_name in zip(names[first], names[second], strict=True):
            data.setlist(first_name, sent.getlist(second_name))
            data.setlist(second_name, sent.getlist(first_name))
    return data


def _asked_by_side(form: HandForm) -> list[QuestionKind[Any]]:
    return [kind for kind in form.questions.kinds if kind.question.per is Per.SIDE]


urlpatterns = [
    path("sittings/<int:sitting_id>/hands/<int:number>/", hand_correct, name="hand-correct")
]
