"""Adding players by name, and calling them something else."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tracker.logic.names import split_names
from tracker.services.people import CLUB_NAME, PLAYER_NAME


class NamesField(forms.CharField):
    """Names, one a line or with commas between; gives them as a list."""

    widget = forms.Textarea

    def clean(self, value: Any) -> list[str]:
        names = split_names(super().clean(value))
        if not names and self.required:
            raise forms.ValidationError(self.error_messages["required"], code="required")
        return names


class AddPlayersForm(forms.Form):
    names = NamesField(
        label=_("Who is new?"),
        help_text=_("One name, or many: one a line, or with commas between."),
        max_length=15_000,
        error_messages={"required": _("Please write at least one name.")},
        widget=forms.Textarea(
            attrs={"rows": 4, "autocapitalize": "words", "spellcheck": "false"},
        ),
    )
    visitor_from = forms.CharField(
        label=_("They visit us from"),
        help_text=_("Their home club; leave it empty for your own people."),
        max_length=CLUB_NAME,
        required=False,
    )


class PlayerForm(forms.Form):
    name = forms.CharField(
        label=_("Name"),
        max_length=PLAYER_NAME,
        error_messages={"required": _("Please write a name.")},
        widget=forms.TextInput(attrs={"autocapitalize": "words", "spellcheck": "false"}),
    )
    visitor_from = forms.CharField(
        label=_("Visits us from"),
        help_text=_("The home club of a visitor; empty for your own people."),
        max_length=CLUB_NAME,
        required=False,
    )


class SearchForm(forms.Form):
    q = forms.CharField(
        label=_("Find a name"),
        max_length=PLAYER_NAME,
        required=False,
        widget=forms.TextInput(attrs={"type": "search", "autocomplete": "off"}),
    )
