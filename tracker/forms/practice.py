"""How somebody wants to practise: with how many, against whom, under which house rules."""

from collections.abc import Iterator
from typing import Any

from django import forms
from django.forms.boundfield import BoundField
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.game import AnyGame, OptionValue
from tracker.forms.tournaments import option_field
from tracker.queries.tournaments import all_modes, usual_mode
from tracker.services.practice import strengths

_PREFIX = "option_"
_LONGEST_NAME = 20
_CALLED = {
    "beginner": _("Beginners, who only know the rules"),
    "steady": _("Steady players, as in a club"),
    "strong": _("Strong players, who think before every card"),
}


class PracticeForm(forms.Form):
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
        self.game = game
        self.fields["mode"].choices = [  # type: ignore[attr-defined]
            (mode.code, gettext(mode.name)) for mode in all_modes(game)
        ]
        self.fields["mode"].initial = usual_mode(game).code
        known = strengths(game)
        self.fields["strength"].choices = [(each, _CALLED[each]) for each in known]  # type: ignore[attr-defined]
        self.fields["strength"].initial = known[:2][-1]
        self.fields["name"].initial = name[:_LONGEST_NAME]
        for option in game.options:
            self.fields[_PREFIX + option.name] = option_field(option)

    @property
    def house_rules(self) -> Iterator[BoundField]:
        """Yield the questions that the game itself asks."""
        return (self[_PREFIX + option.name] for option in self.game.options)

    @property
    def house_rules_wrong(self) -> bool:
        """Say whether the fold with the house rules must be open, as something is amiss there."""
        return any(name.startswith(_PREFIX) for name in self.errors)

    def options(self) -> dict[str, OptionValue]:
        """Return the answers to the house rules."""
        return {
            option.name: self.cleaned_data[_PREFIX + option.name] for option in self.game.options
        }

    def called(self) -> str:
        """Return what to call whoever practises."""
        return str(self.cleaned_data["name"] or gettext("Guest"))

    def refused_field(self, question: str | None) -> str | None:
        """Return the field that asks *question*: one of the form, or a house rule."""
        names = (question or "", _PREFIX + (question or ""))
        return next((name for name in names if name in self.fields), None)
