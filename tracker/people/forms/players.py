"""Adding players by name, and calling them something else."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tracker.common.fields.names import NameField, NamesField
from tracker.common.names import CLUB_NAME, FULL_NAME, PLAYER_NAME


class AddPlayersForm(forms.Form):
    names = NamesField(
        label=_("Who is new?"),
        help_text=_("One name, or many: one a line, or with commas between."),
        error_messages={"required": _("Please write at least one name.")},
        rows=4,
    )
    visitor_from = forms.CharField(
        label=_("They visit us from"),
        help_text=_("Their home club; leave it empty for your own people."),
        max_length=CLUB_NAME,
        required=False,
    )
    in_season = forms.BooleanField(
        label=_("They count for the season too"),
        help_text=_("Otherwise visitors play for the night alone."),
        required=False,
    )

    def clean(self) -> dict[str, Any]:
        """Let your own people count, whatever is ticked about visitors."""
        given = self.cleaned_data
        given["in_season"] = bool(given.get("in_season") or not given.get("visitor_from"))
        return given


class PlayerForm(forms.Form):
    name = NameField(
        label=_("Name"),
        help_text=_("What everybody reads; a nickname, if that is how they wish it."),
        max_length=PLAYER_NAME,
        error_messages={"required": _("Please write a name.")},
    )
    full_name = NameField(
        label=_("Full name"),
        help_text=_("The name behind a nickname. Only those who run the club see it."),
        max_length=FULL_NAME,
        required=False,
    )
    visitor_from = forms.CharField(
        label=_("Visits us from"),
        help_text=_("The home club of a visitor; empty for your own people."),
        max_length=CLUB_NAME,
        required=False,
    )
    in_season = forms.BooleanField(
        label=_("Counts for the season"),
        help_text=_("Without it they play for the night alone, as visitors do."),
        required=False,
        initial=True,
    )


class SearchForm(forms.Form):
    q = forms.CharField(
        label=_("Find a name"),
        max_length=PLAYER_NAME,
        required=False,
        widget=forms.TextInput(attrs={"type": "search", "autocomplete": "off"}),
    )
