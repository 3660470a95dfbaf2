"""A season, and which one a tournament counts for."""

from typing import Any

from django import forms
from django.utils.translation import gettext, gettext_lazy

from tracker.common.fields.counts import CountField
from tracker.models import Club, SeasonRule
from tracker.seasons.services import MOST_COUNTED, SEASON_NAME


class SeasonForm(forms.Form):
    name = forms.CharField(
        label=gettext_lazy("What is it called?"),
        max_length=SEASON_NAME,
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


class SeasonChoice(forms.TypedChoiceField):
    """Asks which season of a club a tournament counts for; nothing where there is none."""

    def __init__(self, club: Club, **kwargs: Any) -> None:
        seasons = [
            (str(pk), name) for pk, name in club.seasons.order_by("-pk").values_list("pk", "name")
        ]
        super().__init__(
            label=gettext("For which season does it count?"),
            choices=[*seasons, ("", gettext("for none"))],
            coerce=int,
            empty_value=None,
            required=False,
            **{"initial": seasons[0][0] if seasons else "", **kwargs},
        )
        if not seasons:
            self.widget = forms.HiddenInput()
