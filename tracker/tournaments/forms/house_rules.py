"""Form fields for the house rules of a game, made from its options.

An *option* of a game is something that house rules may decide; a *mode* says how many sit at a
table and in which sides.
"""

from collections.abc import Iterator
from typing import Any

from django import forms
from django.forms.boundfield import BoundField
from django.utils.translation import gettext, gettext_lazy as _

from games.errors import ModeError, RuleError
from games.game import AnyGame
from games.option import Option, OptionKind, OptionValue

YES, NO = "yes", "no"
_PREFIX = "option_"  # of the fields of options


class HouseRulesForm(forms.Form):
    """Base form that asks for house rules; the defaults of the rule book are preset.

    If a form made from it has a field ``mode``, that mode must exist under the chosen house rules.
    """

    game: AnyGame

    def ask_house_rules(self, game: AnyGame) -> None:
        self.game = game
        for option in game.options:
            self.fields[_PREFIX + option.name] = option_field(option)

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if not self.errors and "mode" in cleaned:
            try:
                self.game.mode(cleaned["mode"], self.options())
            except ModeError:
                self.add_error("mode", _("These house rules do not offer it."))
            except RuleError:
                pass  # a wrong house rule is refused, with its reason, by the service that saves it
        return cleaned

    @property
    def house_rules(self) -> Iterator[BoundField]:
        return (self[_PREFIX + option.name] for option in self.game.options)

    @property
    def house_rules_wrong(self) -> bool:
        """Return whether a house rule has an error, so that their section must be open."""
        return any(name.startswith(_PREFIX) or name == "mode" for name in self.errors)

    def options(self) -> dict[str, OptionValue]:
        """Return the chosen house rules, keyed by option."""
        return {each.name: self.cleaned_data[_PREFIX + each.name] for each in self.game.options}

    def refused_field(self, question: str | None) -> str | None:
        """Return the field that a refusal is about: a field of this name, or of this house rule."""
        names = (question or "", _PREFIX + (question or ""))
        return next((name for name in names if name in self.fields), None)


def option_field(option: Option) -> forms.Field:
    label = gettext(option.label)
    match option.kind:
        case OptionKind.FLAG:
            return forms.TypedChoiceField(
                label=label,
                choices=[(YES, _("Yes")), (NO, _("No"))],
                coerce=lambda answer: answer == YES,
                initial=YES if option.default else NO,
                widget=forms.RadioSelect,
            )
        case OptionKind.CHOICE:
            values = {str(value): value for value, _label in option.choices}
            return forms.TypedChoiceField(
                label=label,
                choices=[(str(value), gettext(words)) for value, words in option.choices],
                coerce=values.__getitem__,
                initial=str(option.default),
                widget=forms.RadioSelect,
            )
        case OptionKind.NUMBER:
            (least, _label), (most, _label) = option.choices  # here the choices are the limits
            return forms.IntegerField(
                label=label, min_value=int(least), max_value=int(most), initial=option.default
            )
