"""The choice of a game above somebody's results."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _


class GameForm(forms.Form):
    """One of the games that somebody plays, or all of them."""

    def __init__(self, games: Iterable[tuple[str, str]], data: Any) -> None:
        super().__init__(data)
        self.fields["game"] = forms.ChoiceField(
            label=_("Game"), required=False, choices=[("", gettext("All games")), *games]
        )
