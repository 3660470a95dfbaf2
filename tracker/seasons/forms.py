"""A season: its name, and what counts in it."""

from django import forms
from django.utils.translation import gettext_lazy

from tracker.common.fields import CountField
from tracker.models import Season, SeasonRule
from tracker.seasons.services import MOST_COUNTED


class SeasonForm(forms.Form):
    name = forms.CharField(
        label=gettext_lazy("What is it called?"),
        max_length=Season.name.field.max_length,
        widget=forms.TextInput(attrs={"autocapitalize": "words", "autocomplete": "off"}),
    )
    rule = forms.ChoiceField(
        label=gettext_lazy("What counts?"),
        choices=[
            (SeasonRule.BEST, gettext_lazy("the best tournaments of each player")),
            (SeasonRule.SUM, gettext_lazy("all tournaments, added up")),
            (SeasonRule.AVERAGE, gettext_lazy("the average of all tournaments")),
        ],
        widget=forms.RadioSelect,
    )
    best = CountField(
        label=gettext_lazy("How many are the best?"),
        help_text=gettext_lazy("Only where the best tournaments count."),
        required=False,
        most=MOST_COUNTED,
    )
