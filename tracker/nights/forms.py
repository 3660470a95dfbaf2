"""The form in which people say who they are: at the door, and before a night."""

from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tracker.common.forms import NameField
from tracker.models import Player


class NameForm(forms.Form):
    """A name, chosen in the list or typed."""

    player = forms.TypedChoiceField(
        label=_("Your name"), coerce=int, required=False, empty_value=None
    )
    name = NameField(
        label=_("Not in the list? Type it"), max_length=Player.name.field.max_length, required=False
    )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        named = cleaned.get("player") is not None or cleaned.get("name")
        if not named and not {"player", "name"} & self.errors.keys():
            self.add_error("player", gettext("Choose your name, or type it."))
        return cleaned
