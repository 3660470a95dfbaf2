"""Putting right what was reported."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from games.errors import RuleError, SheetError
from games.game import Session
from games.sheet import Sheet
from tracker.common.web import access
from tracker.common.wording import Names, say
from tracker.ledger.fold import ReplayRefused
from tracker.ledger.statements import read_table
from tracker.ledger.table import TableNow
from tracker.models import Role
from tracker.reports.forms.corrections import ReasonForm, hand_form
from tracker.reports.forms.sheet import HandForm
from tracker.reports.queries.differences import DifferenceDetails, difference_details
from tracker.reports.queries.hand_details import HandDetails, hand_details
from tracker.reports.queries.sitting import sitting_page
from tracker.reports.services.corrections import (
    STRIKE,
    Change,
    Difference,
    correct_sitting,
    sheet_before,
)
from tracker.reports.sheet_view import sheet_views


@access.page
@require_safe
@never_cache
def sitting(request: HttpRequest, sitting_id: int) -> HttpResponse:
    """Show every hand of a table, with everything that is known of it."""
    table = scored_table(request, sitting_id)
    return _page(request, table, "reports/corrections/sitting.html", page=sitting_page(table))


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def hand_correct(request: HttpRequest, sitting_id: int, number: int) -> HttpResponse:
    """Put a hand right: first what that would move is shown, then it is kept."""
    table = scored_table(request, sitting_id)
    hands = {hand.number: hand for hand in hand_details(table)}
    if number not in hands:
        raise Http404
    correcting = _Correcting(request, table, hands, number)
    if request.method == "POST" and correcting.ready() and correcting.tried():
        messages.success(request, correcting.done())
        return redirect("sitting", sitting_id)
    return _page(request, table, "reports/corrections/hand.html", **correcting.context())


def scored_table(request: HttpRequest, sitting_id: int) -> TableNow:
    """Return a table that the reader may put right.

    :raises SignInNeeded, PermissionDenied, Http404: as ``access.get``.
    """
    table = read_table(sitting_id=sitting_id)
    access.check(request, table.club if table else None, Role.SCORER)
    if table is None:  # ``check`` has raised already; this tells the type checker
        raise Http404
    return table


def _page(request: HttpRequest, table: TableNow, template: str, **more: Any) -> HttpResponse:
    tournament = table.tournament
    context = access.context(request, tournament.club, table=table, tournament=tournament, **more)
    return render(request, template, context)


@dataclass
class _Tried:
    """What came of trying a correction, beside the forms it was read from."""

    difference: DifferenceDetails | None = None
    refusal: str = ""
    seen: str = ""


class _Correcting:
    """One request that puts hands right: hand *number*, and later ones that cannot follow it."""

    def __init__(
        self, request: HttpRequest, table: TableNow, hands: Mapping[int, HandDetails], number: int
    ) -> None:
        self.request, self.table, self.hands, self.number = request, table, hands, number
        sent = request.POST if request.method == "POST" else None
        self.reason = ReasonForm(sent)
        self.change = _change(request.POST.get("change", ""))
        also = {str(number) for number in hands} & set(request.POST.getlist("also"))
        self.numbers = sorted({number, *map(int, also)})
        self.forms: dict[int, HandForm] = {}
        for one in self.numbers:
            self._lay(one, None if self.change else sent)
        self.came = _Tried()

    def _lay(self, number: int, data: Mapping[str, Any] | None) -> None:
        """Lay out the sheet of a hand, as the table would be before it."""
        self.forms[number] = hand_form(self.table, self.hands[number], self._before(number), data)

    def _before(self, number: int) -> Session:
        """Return the session before a hand after the changes made so far, if they go so far."""
        first = min(self.numbers)
        session = self.hands[first].before
        for one in range(first, number):
            hand, form = self.hands[one], self.forms.get(one)
            if form is None and hand.struck:
                continue
            changed = form.sheet() if form is not None and form.is_valid() else hand.sheet
            try:
                scored = self.table.game.add_sheet(
                    session, {"dealer": hand.sheet.get("dealer"), **changed}
                )
            except RuleError:
                return self.hands[number].before
            session = scored.session
        return session

    def ready(self) -> bool:
        """Say whether everything that is asked was answered."""
        answered = [form.is_valid() for form in self.forms.values() if form.is_bound]
        return self.reason.is_valid() and all(answered)

    def tried(self) -> bool:
        """Try it, and say whether it was kept; what it would move is remembered otherwise."""
        changes: dict[int, Sheet | Change] = (
            {self.number: self.change}
            if self.change
            else {number: form.sheet() for number, form in self.forms.items()}
        )
        seen = json.dumps({number: str(change) for number, change in changes.items()})
        # Only what was looked at is kept.
        keep = self.request.POST.get("step") == "keep" and self.request.POST.get("seen") == seen
        try:
            moved = self._correct(changes, keep=keep)
        except RuleError as refusal:
            self._refuse(refusal)
            return False
        self.came = _Tried(difference_details(self.table, moved, self._names()), seen=seen)
        return keep

    def _correct(self, changes: Mapping[int, Sheet | Change], *, keep: bool) -> Difference:
        return correct_sitting(
            sitting_id=self.table.sitting_id,
            changes=changes,
            reason=self.reason.cleaned_data["reason"],
            by=access.actor(self.request),
            keep=keep,
        )

    def done(self) -> str:
        """Return what is said once it was kept; what was struck can be brought back at once."""
        hand = self.hands[self.number]
        if self.change is STRIKE:
            return gone(self.table, hand)
        return _("%(hand)s is put right.") % {"hand": hand.called}

    def _refuse(self, refusal: RuleError) -> None:
        """Put a refusal beside what it is about; a later hand is laid beside the change."""
        names = self._names()
        if isinstance(refusal, ReplayRefused):
            said = {"hand": self.table.numbered(refusal.number), "why": say(refusal, names)}
            self.came.refusal = _("Then %(hand)s cannot stand: %(why)s") % said
            if not self.change and refusal.number not in self.forms:
                self._lay(refusal.number, None)
        elif isinstance(refusal, SheetError) and not self.change:
            self._first_form().refuse(refusal)
        else:
            self.came.refusal = say(refusal, names)

    def _first_form(self) -> HandForm:
        return self.forms[min(self.forms)]

    def _names(self) -> Names:
        return self.hands[self.number].names

    def context(self) -> dict[str, Any]:
        hand = self.hands[self.number]
        return {
            "hand": hand,
            "sheets": sheet_views(self.forms, self.table),
            "also": [number for number in self.forms if number != self.number],
            "reason": self.reason,
            "change": self.change.value if self.change else "",
            "goes_out": self.change is STRIKE,
            "can_restore": hand.struck
            or (hand.void and sheet_before(self.table.sitting_id, self.number) is not None),
            "came": self.came,
        }


def gone(table: TableNow, hand: HandDetails) -> str:
    """Say which hand counts no more and what it was, with the way to bring it back."""
    return format_html(
        '{} <a href="{}">{}</a>',
        _("Table %(table)d, %(hand)s counts no more: %(result)s.")
        % {"table": table.number, "hand": hand.called, "result": hand.result},
        reverse("hand-correct", args=[table.sitting_id, hand.number]),
        _("Bring it back"),
    )


def _change(said: str) -> Change | None:
    return Change(said) if said in {change.value for change in Change} else None
