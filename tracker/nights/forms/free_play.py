"""One more table: who sits down at it."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext

from tracker.common.fields import NewPeopleField, TapField


class TableForm(forms.Form):
    """Who sits down at one more table: tapped of those who are here or of the club, or new."""

    chosen = TapField()
    names = NewPeopleField()

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
