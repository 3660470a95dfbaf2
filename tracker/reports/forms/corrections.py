"""Putting hands right: one sheet for each hand that changes, and why."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from games.game import Session
from tracker.ledger.table import TableNow
from tracker.models import LogEntry
from tracker.reports.forms.questions import questions_at
from tracker.reports.forms.sheet import HandForm
from tracker.reports.queries.hand_details import HandDetails


class ReasonForm(forms.Form):
    """Why something is put right: it stays in the log beside who did it."""

    reason = forms.CharField(
        label=_("Why?"),
        help_text=_(
            "It stays in the log beside your name, where the people of the club can read it."
        ),
        max_length=LogEntry.reason.field.max_length,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )


def hand_form(
    table: TableNow, hand: HandDetails, before: Session, data: Mapping[str, Any] | None
) -> HandForm:
    """Return a sheet for a hand played from *before*, begun from what stands."""
    return HandForm(
        questions_at(table, before, hand.number, names=hand.names),
        data,
        standing=hand.sheet,
        prefix=f"h{hand.number}",
    )
