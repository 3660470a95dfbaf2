"""The form that finds people and teams by name."""

from django import forms
from django.utils.translation import gettext_lazy as _

from tracker.models import Player


class SearchForm(forms.Form):
    q = forms.CharField(
        label=_("Find a name"),
        max_length=Player.name.field.max_length,
        required=False,
        widget=forms.TextInput(
            attrs={"type": "search", "autocomplete": "off", "placeholder": _("Find a name")}
        ),
    )
