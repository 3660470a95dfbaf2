"""Correcting hands: one sheet for each hand that changes, and why."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.errors import gettext_noop
from games.game import Session
from games.mode import side_letter
from games.sheet import Per
from tracker.models import LogEntry
from tracker.results.forms.kind import QuestionKind
from tracker.results.forms.sheet import HandForm, questions_at
from tracker.results.queries.hand_details import HandDetails
from tracker.tables.table_now import TableNow

# Why, to be tapped; kept as they are here, and said in the language of whoever reads them.
SIDES_SWAPPED = gettext_noop("Sides swapped")
TYPING_SLIP = gettext_noop("Typing slip")
RECOUNTED = gettext_noop("Recounted")
ENTERED_TWICE = gettext_noop("Entered twice")
NOT_PLAYED = gettext_noop("Not played")
BOTH_AGREE = gettext_noop("Both sides agree")
OF_A_SHEET = (TYPING_SLIP, RECOUNTED, BOTH_AGREE)
OF_DELETING = (ENTERED_TWICE, NOT_PLAYED)
OF_RESTORING = (gettext_noop("Deleted by mistake"), BOTH_AGREE)
OF_SETTLING = (BOTH_AGREE, RECOUNTED, TYPING_SLIP)
OF_VOIDING = (NOT_PLAYED, ENTERED_TWICE, gettext_noop("Nobody knows the score"))
OF_SEATS = (
    gettext_noop("Sat down the other way round"),
    gettext_noop("Wrong name tapped"),
    gettext_noop("They told me"),
)
OF_NOT_PLAYING = (
    gettext_noop("Did not turn up"),
    gettext_noop("Had to leave"),
    gettext_noop("No time left"),
)
_MOST_SIDES = 3  # more pairs than three are no help


class ReasonForm(forms.Form):
    """Why something changes: tapped or typed, it stays in the log beside who did it."""

    why = forms.ChoiceField(
        label=_("Why?"),
        required=False,
        widget=forms.RadioSelect,
    )
    reason = forms.CharField(
        label=_("Or in your own words"),
        help_text=_("It goes into the log with your name, where the club’s members can read it."),
        max_length=LogEntry.reason.field.max_length,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def __init__(
        self,
        data: Mapping[str, Any] | None = None,
        *,
        offered: Sequence[str] = OF_A_SHEET,
        needed: bool = True,
        tapped: str = "",
        typed: str = "",
    ) -> None:
        """Offer these to be tapped; one may be *tapped* already, or another *typed*."""
        super().__init__(data, initial={"why": tapped, "reason": typed})
        self.needed = needed
        known = dict.fromkeys((*([tapped] if tapped else []), *offered))
        self.fields["why"].choices = [(why, gettext(why)) for why in known]  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        """Let what was typed go before what was tapped."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        reason = cleaned.get("reason") or cleaned.get("why") or ""
        if self.needed and not reason and not self.errors:
            self.add_error("why", _("Say why: tap a reason, or type one."))
        return {**cleaned, "reason": reason}


@dataclass(frozen=True, slots=True)
class SideSwap:
    """Two sides whose counts may have been written the wrong way round."""

    one: int
    other: int

    @property
    def value(self) -> str:
        return f"{self.one}-{self.other}"

    @property
    def letters(self) -> tuple[str, str]:
        return side_letter(self.one), side_letter(self.other)


def swaps_of(form: HandForm) -> list[SideSwap]:
    """Return the pairs of sides that can be swapped, if they are few and something is counted."""
    counted = any(kind.counted for kind in _by_side(form))
    sides = len(form.asked.mode.sides)
    if not counted or form.asked.mode.individual or form.starts_bare or sides > _MOST_SIDES:
        return []
    return [SideSwap(*pair) for pair in combinations(range(sides), 2)]


def swapped(form: HandForm, sent: QueryDict, asked: str) -> QueryDict:
    """Return what was *sent* with all answers of two sides exchanged."""
    data = sent.copy()
    swap = next((each for each in swaps_of(form) if each.value == asked), None)
    if swap is None:
        return data
    for kind in _by_side(form):
        slots = {slot.place: slot.keys for slot in kind.slots()}
        for one, other in zip(slots[swap.one], slots[swap.other], strict=True):
            here, there = form.add_prefix(one), form.add_prefix(other)
            data.setlist(here, sent.getlist(there))
            data.setlist(there, sent.getlist(here))
    return data


def _by_side(form: HandForm) -> list[QuestionKind[Any]]:
    return [kind for kind in form.asked.kinds if kind.question.per is Per.SIDE]


def hand_form(
    table: TableNow, hand: HandDetails, before: Session, data: Mapping[str, Any] | None
) -> HandForm:
    """Return a form for a hand played from *before*, filled in with its present sheet."""
    return HandForm(
        questions_at(table, before, hand.number, names=hand.names),
        data,
        standing=hand.sheet,
        prefix=f"h{hand.number}",
    )
