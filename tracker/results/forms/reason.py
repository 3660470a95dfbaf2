"""Form that asks for the reason of a change, with the reasons offered to tap."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext, gettext_lazy as _

from games.errors import gettext_noop
from tracker.models import LogEntry

# The log stores a reason as it is written here, and shows it in its reader's language.
SIDES_SWAPPED = gettext_noop("Sides swapped")
TYPING_SLIP = gettext_noop("Typing slip")
RECOUNTED = gettext_noop("Recounted")
ENTERED_TWICE = gettext_noop("Entered twice")
NOT_PLAYED = gettext_noop("Not played")
BOTH_AGREE = gettext_noop("Both sides agree")

CORRECTION_REASONS = (TYPING_SLIP, RECOUNTED, BOTH_AGREE)
DELETION_REASONS = (ENTERED_TWICE, NOT_PLAYED)
RESTORING_REASONS = (gettext_noop("Deleted by mistake"), BOTH_AGREE)
SETTLING_REASONS = (BOTH_AGREE, RECOUNTED, TYPING_SLIP)
VOIDING_REASONS = (NOT_PLAYED, ENTERED_TWICE, gettext_noop("Nobody knows the score"))
SEAT_REASONS = (
    gettext_noop("Sat down the other way round"),
    gettext_noop("Wrong name tapped"),
    gettext_noop("They told me"),
)
NOT_PLAYED_REASONS = (
    gettext_noop("Did not turn up"),
    gettext_noop("Had to leave"),
    gettext_noop("No time left"),
)


class ReasonForm(forms.Form):
    """Reason of a change, tapped or typed; the log shows it beside the name of its author."""

    why = forms.ChoiceField(label=_("Why?"), required=False, widget=forms.RadioSelect)
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
        offered: Sequence[str],
        needed: bool = True,
        tapped: str = "",
        typed: str = "",
    ) -> None:
        """Offer these reasons; if *needed*, one is required. *tapped*, *typed*: initial values."""
        super().__init__(data, initial={"why": tapped, "reason": typed})
        self.needed = needed
        reasons = dict.fromkeys(filter(None, (tapped, *offered)))  # without repetitions
        choices = [(why, gettext(why)) for why in reasons]
        self.fields["why"].choices = choices  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        """Prefer the typed reason to the tapped one."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        reason = cleaned.get("reason") or cleaned.get("why") or ""
        if self.needed and not reason and not self.errors:
            self.add_error("why", _("Say why: tap a reason, or type one."))
        return {**cleaned, "reason": reason}
