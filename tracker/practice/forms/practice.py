"""How somebody wants to practise: with how many, against whom, under which house rules."""

from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.game import AnyGame
from tracker.practice.services.practice import strengths
from tracker.tournaments.forms.house_rules import HouseRulesForm
from tracker.tournaments.games import all_modes, usual_mode

_LONGEST_NAME = 20
_CALLED = {
    "beginner": _("Beginners, who only know the rules"),
    "steady": _("Steady players, as in a club"),
    "strong": _("Strong players, who think before every card"),
}


class PracticeForm(HouseRulesForm):
    mode = forms.ChoiceField(label=_("How many play?"))
    strength = forms.ChoiceField(
        label=_("Against whom?"),
        widget=forms.RadioSelect,
    )
    name = forms.CharField(
        label=_("What shall we call you?"),
        max_length=_LONGEST_NAME,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "given-name", "autocapitalize": "words"}),
    )

    def __init__(self, game: AnyGame, *args: Any, name: str = "", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["mode"].choices = [  # type: ignore[attr-defined]
            (mode.code, gettext(mode.name)) for mode in all_modes(game)
        ]
        self.fields["mode"].initial = usual_mode(game).code
        known = strengths(game)
        self.fields["strength"].choices = [(each, _CALLED[each]) for each in known]  # type: ignore[attr-defined]
        self.fields["strength"].initial = known[:2][-1]
        self.fields["name"].initial = name[:_LONGEST_NAME]
        self.ask_house_rules(game)

    def called(self) -> str:
        """Return what to call whoever practises."""
        return str(self.cleaned_data["name"] or gettext("Guest"))
