"""Corrections of hands, with a preview of the effect before it is saved."""

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
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
from games.sheet import Sheet
from tracker.common.web import access
from tracker.common.wording import Names, say
from tracker.results.forms.corrections import (
    OF_A_SHEET,
    OF_DELETING,
    OF_RESTORING,
    SIDES_SWAPPED,
    ReasonForm,
    hand_form,
    swapped,
    swaps_of,
)
from tracker.results.forms.sheet import HandForm
from tracker.results.forms.sheet_view import SheetView
from tracker.results.pages.sitting import gone, scored_table
from tracker.results.queries.effect import Effect
from tracker.results.queries.hand_details import HandDetails, hand_details
from tracker.results.services.corrections import STRIKE, Change, correct_sitting, sheet_before
from tracker.results.services.preview import SeenOtherwiseError, keep, look
from tracker.tables.replay import ReplayRefused
from tracker.tables.table_now import TableNow


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def hand_correct(request: HttpRequest, sitting_id: int, number: int) -> HttpResponse:
    """Correct a hand: show a preview of the effect, then save it."""
    table = scored_table(request, sitting_id)
    hands = {hand.number: hand for hand in hand_details(table)}
    if number not in hands:
        raise Http404
    correcting = _Correcting(request, table, hands, number)
    if correcting.asked and correcting.ready() and correcting.tried():
        messages.success(request, correcting.done())
        return redirect("sitting", sitting_id)
    context = access.context(
        request, table.club, table=table, tournament=table.tournament, **correcting.context()
    )
    return render(request, "results/changes/hand.html", context)


def in_words(refusal: RuleError, table: TableNow, names: Names) -> str:
    """Return a refusal with these names, and with the later hand that cannot follow, if one does."""
    why = say(refusal, names)
    if not isinstance(refusal, ReplayRefused):
        return why
    hand = table.numbered(refusal.number)
    return _("Then %(hand)s cannot stand: %(why)s") % {"hand": hand, "why": why}


class _Correcting:
    """One request that corrects hands: hand *number*, and later ones that cannot follow it."""

    def __init__(
        self, request: HttpRequest, table: TableNow, hands: Mapping[int, HandDetails], number: int
    ) -> None:
        self.request, self.table, self.hands, self.number = request, table, hands, number
        self.swap = request.POST.get("swap", "")
        sent: QueryDict | None = request.POST if request.method == "POST" else None
        if sent is not None and self.swap:
            form = hand_form(table, hands[number], hands[number].before, None)
            sent = swapped(form, sent, self.swap)
        self.keeps = request.POST.get("step") == "keep" and not self.swap
        asked = request.POST if request.method == "POST" else request.GET
        said = asked.get("change", "")
        self.change = Change(said) if said in {change.value for change in Change} else None
        reasons: Mapping[Change | None, Sequence[str]] = {
            None: OF_A_SHEET,
            Change.STRIKE: OF_DELETING,
            Change.RESTORE: OF_RESTORING,
        }
        self.reason = ReasonForm(
            sent if self.keeps else None,
            offered=reasons[self.change],
            tapped=SIDES_SWAPPED if self.swap else request.POST.get("tapped", ""),
        )
        also = {str(number) for number in hands} & set(request.POST.getlist("also"))
        self.numbers = sorted({number, *map(int, also)})
        self.forms: dict[int, HandForm] = {}
        for hand_number in self.numbers:
            self._lay(hand_number, None if self.change else sent)
        self.effect: Effect | None = None
        self.refusal = self.seen = ""

    def _lay(self, number: int, data: Mapping[str, Any] | None) -> None:
        """Lay out the sheet of a hand, as the table would be before it after the changes so far."""
        first = min(self.numbers)
        before = self.hands[first].before
        for earlier in range(first, number):
            hand, form = self.hands[earlier], self.forms.get(earlier)
            if form is None and hand.struck:
                continue
            changed = form.sheet() if form is not None and form.is_valid() else hand.sheet
            sheet = {"dealer": hand.sheet.get("dealer"), **changed}
            try:
                before = self.table.game.add_sheet(before, sheet).session
            except RuleError:  # the changes do not go so far
                before = self.hands[number].before
                break
        self.forms[number] = hand_form(self.table, self.hands[number], before, data)

    @property
    def asked(self) -> bool:
        """Say whether something is to be looked at: also by a link that leads to an undo."""
        return self.request.method == "POST" or self.change is not None

    def ready(self) -> bool:
        """Say whether everything that is asked of the hands was answered."""
        answered = [form.is_valid() for form in self.forms.values() if form.is_bound]
        return all(answered)

    def tried(self) -> bool:
        """Save the previewed change if there is a reason, and return whether; else preview it."""
        changes: dict[int, Sheet | Change] = (
            {self.number: self.change}
            if self.change
            else {number: form.sheet() for number, form in self.forms.items()}
        )
        try:
            if self.keeps and self.reason.is_valid():
                with suppress(SeenOtherwiseError):
                    keep(
                        lambda: self._correct(changes, self.reason.cleaned_data["reason"]),
                        tournament_id=self.table.tournament_id,
                        seen=self.request.POST.get("seen", ""),
                        stands=lambda: self._read_again(changes),
                    )
                    return True
            self.effect = look(
                lambda: self._correct(changes),
                tournament_id=self.table.tournament_id,
                sittings=[self.table.sitting_id],
            )
        except RuleError as refusal:
            # It stands beside what it is about; a later hand is laid beside the change.
            if isinstance(refusal, SheetError) and not self.change:
                self.forms[min(self.forms)].refuse(refusal)
                return False
            self.refusal = in_words(refusal, self.table, self.hands[self.number].names)
            if (
                isinstance(refusal, ReplayRefused)
                and not self.change
                and refusal.number not in self.forms
            ):
                self._lay(refusal.number, None)
            return False
        self.seen = self._seen(changes)
        return False

    def _seen(self, changes: Mapping[int, Sheet | Change]) -> str:
        """Return a fingerprint of the changes and of the hands before them, as JSON."""
        return json.dumps(
            {
                number: [str(change), self.hands[number].report, self.hands[number].struck]
                for number, change in changes.items()
            }
        )

    def _read_again(self, changes: Mapping[int, Sheet | Change]) -> str:
        """Read the hands again, which others may have changed, and return their fingerprint."""
        self.hands = {hand.number: hand for hand in hand_details(self.table)}
        return self._seen(changes)

    def _correct(self, changes: Mapping[int, Sheet | Change], reason: str = "") -> None:
        correct_sitting(
            sitting_id=self.table.sitting_id,
            changes=changes,
            reason=reason,
            by=access.actor(self.request),
        )

    def done(self) -> str:
        """Return the message after saving, with a link that brings the hand back."""
        hand = self.hands[self.number]
        if self.change is STRIKE:
            return gone(self.table, hand)
        return format_html(
            '{} <a href="{}?change=restore">{}</a>',
            _("%(hand)s corrected.") % {"hand": hand.called},
            reverse("hand-correct", args=[self.table.sitting_id, hand.number]),
            _("Undo"),
        )

    def context(self) -> dict[str, Any]:
        hand = self.hands[self.number]
        return {
            "hand": hand,
            "sheets": [
                {
                    "form": form,
                    "sheet": SheetView(form),
                    "called": self.table.numbered(number),
                    "swaps": swaps_of(form) if number == self.number else (),
                }
                for number, form in self.forms.items()
            ],
            "also": [number for number in self.forms if number != self.number],
            "tapped": self.reason.initial["why"],
            "reason": self.reason,
            "change": self.change.value if self.change else "",
            "goes_out": self.change is STRIKE,
            "can_restore": hand.struck
            or sheet_before(self.table.sitting_id, self.number, stands=hand.sheet) is not None,
            "effect": self.effect,
            "refusal": self.refusal,
            "seen": self.seen,
        }


urlpatterns = [
    path("sittings/<int:sitting_id>/hands/<int:number>/", hand_correct, name="hand-correct"),
]
