"""Points given or taken beside the hands."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from tracker.models import AwardKind
from tracker.standings.services.awards import MOST

_KINDS = (
    (AwardKind.PENALTY, gettext_lazy("Penalty: points are taken off")),
    (AwardKind.AWARD, gettext_lazy("Award: points are given")),
    (AwardKind.FORFEIT, gettext_lazy("Forfeit: the others did not come to play")),
    (AwardKind.BYE, gettext_lazy("Bye: there was nobody to play")),
    (AwardKind.RESTING, gettext_lazy("Resting: it was their turn to sit out")),
)


class AwardForm(forms.Form):
    """Who is given how many points, or loses them, and why."""

    entrant = forms.TypedChoiceField(label=gettext_lazy("Who"), coerce=int)
    kind = forms.ChoiceField(
        label=gettext_lazy("What"), choices=_KINDS, widget=forms.RadioSelect, initial=_KINDS[0][0]
    )
    amount = forms.IntegerField(
        label=gettext_lazy("How many points"),
        help_text=gettext_lazy("Left empty, what they usually get in a round: their own average."),
        min_value=-MOST,
        max_value=MOST,
        required=False,
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )
    round = forms.TypedChoiceField(
        label=gettext_lazy("For which round"), coerce=int, empty_value=None, required=False
    )
    reason = forms.CharField(
        label=gettext_lazy("Why?"),
        help_text=gettext_lazy("It stands below the standings for everybody to read."),
        max_length=300,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def __init__(
        self,
        *args: Any,
        entrants: Sequence[tuple[int, str]],
        rounds: Sequence[tuple[int, int]],
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.fields["entrant"].choices = [("", "–"), *entrants]  # type: ignore[attr-defined]
        said = _("Round %(number)d")
        self.fields["round"].choices = [  # type: ignore[attr-defined]
            ("", pgettext("an award for no round", "none")),
            *((key, said % {"number": number}) for key, number in rounds),
        ]
