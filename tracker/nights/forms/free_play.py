"""One more table: who sits down at it."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tracker.common.fields import NamesField


class TableForm(forms.Form):
    """Who sits down at one more table: tapped of those who are here or of the club, or new."""

    chosen = forms.TypedMultipleChoiceField(
        coerce=int, required=False, widget=forms.CheckboxSelectMultiple
    )
    names = NamesField(
        label=_("New people"),
        help_text=_("One name a line, or with commas between."),
        required=False,
        rows=2,
    )

    def __init__(
        self,
        *args: Any,
        here: Sequence[tuple[int, str]],
        others: Sequence[tuple[int, str]],
        teams: bool,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.here, self.others = here, others
        chosen = self.fields["chosen"]
        chosen.label = gettext("Which teams") if teams else gettext("Who sits down")
        chosen.choices = [*here, *others]  # type: ignore[attr-defined]
        if teams:
            del self.fields["names"]

    @property
    def tapped(self) -> set[str]:
        """Return who is tapped, as the page must show it again."""
        return set(map(str, self["chosen"].value() or ()))
