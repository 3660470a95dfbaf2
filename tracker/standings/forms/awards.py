"""The forms of a standing: points given beside the hands, and how a tie for a prize is settled."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext, gettext_lazy, pgettext

from games.sheet import Criterion
from tracker.common.figures import POINTS
from tracker.models import Award, AwardKind, TieResolution
from tracker.standings.queries.prizes import Tie

_MOST = 9999  # points
_KINDS = (
    (AwardKind.PENALTY, gettext_lazy("Penalty: points are taken off")),
    (AwardKind.AWARD, gettext_lazy("Award: points are given")),
    (AwardKind.FORFEIT, gettext_lazy("Forfeit: the others did not come to play")),
    (AwardKind.BYE, gettext_lazy("Bye: there was nobody to play")),
    (AwardKind.RESTING, gettext_lazy("Sat out: it was their turn")),
)


class AwardForm(forms.Form):
    """Who is given how many points, or loses them, and why."""

    entrant = forms.TypedChoiceField(label=gettext_lazy("Who"), coerce=int)
    kind = forms.ChoiceField(
        label=gettext_lazy("What"), choices=_KINDS, widget=forms.RadioSelect, initial=_KINDS[0][0]
    )
    amount = forms.IntegerField(
        label=gettext_lazy("How many points"),
        help_text=gettext_lazy(
            "A penalty needs a number. Otherwise leave it empty to give their own average a round."
        ),
        min_value=-_MOST,
        max_value=_MOST,
        required=False,
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )
    round = forms.TypedChoiceField(
        label=gettext_lazy("For which round"), coerce=int, empty_value=None, required=False
    )
    reason = forms.CharField(
        label=gettext_lazy("Why?"),
        help_text=gettext_lazy("It stands below the standings for everybody to read."),
        max_length=Award.reason.field.max_length,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def __init__(
        self,
        *args: Any,
        entrants: Sequence[tuple[int, str]],
        rounds: Sequence[tuple[int, int]],
        points: Criterion,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        if points.percent:
            self.fields["amount"].label = gettext("How many percent")
        elif points.label != POINTS:
            self.fields["amount"].label = gettext("How many (%(unit)s)") % {
                "unit": gettext(points.label)
            }
        self.fields["entrant"].choices = [("", "–"), *entrants]  # type: ignore[attr-defined]
        called = gettext("Round %(number)d")
        self.fields["round"].choices = [  # type: ignore[attr-defined]
            ("", pgettext("an award for no round", "none")),
            *((key, called % {"number": number}) for key, number in rounds),
        ]


class TieResolutionForm(forms.Form):
    how = forms.ChoiceField(
        label=gettext_lazy("How is it settled?"),
        choices=TieResolution.choices,
        widget=forms.RadioSelect,
    )

    def __init__(self, tie: Tie, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{**kwargs, "prefix": f"tie{tie.place}"})
        self.tie = tie
        places = range(tie.place, tie.place + len(tie.entrants))
        for entrant, name in tie.entrants:
            self.fields[f"place_{entrant}"] = forms.TypedChoiceField(
                label=gettext("Place of %(name)s") % {"name": name},
                choices=[("", "–"), *((place, str(place)) for place in places)],
                coerce=int,
                empty_value=None,
                required=False,
            )

    def clean(self) -> dict[str, Any]:
        """Require a place of its own for each entrant, unless they share; the last one follows."""
        given, tie = self.cleaned_data, self.tie
        fields = [f"place_{entrant}" for entrant, _ in tie.entrants]
        empty = [field for field in fields if given.get(field) is None]
        left = set(range(tie.place, tie.place + len(fields))) - {given.get(each) for each in fields}
        if len(empty) == len(left) == 1:
            given[empty[0]] = left.pop()
        places = [given.get(field) for field in fields]
        if given.get("how") not in {None, TieResolution.SHARE} and (
            None in places or len(set(places)) < len(places)
        ):
            raise forms.ValidationError(
                gettext("Give each of them a place of their own: the higher card comes first."),
                code="prize-order",
            )
        return given

    def order(self) -> list[int]:
        """Return the entrants, the best first."""
        entrants = [entrant for entrant, _ in self.tie.entrants]
        if self.cleaned_data["how"] == TieResolution.SHARE:
            return entrants
        return sorted(entrants, key=lambda entrant: self.cleaned_data[f"place_{entrant}"])
