"""Seasons: what one is called, and what counts in it."""

from typing import Any

from django import forms
from django.utils.translation import gettext, gettext_lazy

from tracker.common.fields import CountField
from tracker.models import Season, SeasonRule


class SeasonForm(forms.ModelForm):  # type: ignore[type-arg]
    best_of = CountField(
        label=gettext_lazy("How many best tournaments count?"),
        help_text=gettext_lazy("Only where the best tournaments count."),
        required=False,
        most=Season.MOST_COUNTED,
    )
    least_played = CountField(
        label=gettext_lazy("Fewest tournaments to be placed"),
        help_text=gettext_lazy(
            "Only where the average counts: with fewer, nobody has a place,"
            " so that whoever came once and won does not lead."
        ),
        most=Season.MOST_COUNTED,
    )

    class Meta:
        model = Season
        fields = ("name", "rule", "best_of", "least_played")
        labels = {
            "name": gettext_lazy("What is it called?"),
            "rule": gettext_lazy("What counts?"),
        }
        widgets = {
            "name": forms.TextInput(attrs={"autocapitalize": "words", "autocomplete": "off"}),
            "rule": forms.RadioSelect,
        }

    def clean(self) -> dict[str, Any]:
        """Ask how many, where the best few count."""
        answers: dict[str, Any] = super().clean() or self.cleaned_data
        if answers.get("rule") == SeasonRule.BEST and answers.get("best_of", 0) is None:
            sentence = gettext("How many count? From 1 to %(most)d.") % {
                "most": Season.MOST_COUNTED
            }
            self.add_error("best_of", forms.ValidationError(sentence, code="season-best-of-none"))
        return answers
