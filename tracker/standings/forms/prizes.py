"""How a tie for a prize is settled."""

from typing import Any

from django import forms
from django.utils.translation import gettext, gettext_lazy

from tracker.models import TieResolution
from tracker.standings.queries.prizes import Tie


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
        """Ask for a place of everybody's own, unless they share."""
        given = self.cleaned_data
        places = [given.get(f"place_{entrant}") for entrant, _ in self.tie.entrants]
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
