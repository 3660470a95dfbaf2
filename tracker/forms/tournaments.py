"""A tournament as questions: the game's own ones are made from its options."""

from collections.abc import Iterator
from typing import Any

from django import forms
from django.forms.boundfield import BoundField
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.game import AnyGame, Kind, Option, OptionValue
from tracker.forms.seasons import SeasonChoice
from tracker.models import Club, Confirm, Format, Tournament
from tracker.queries.tournaments import all_modes, usual_mode
from tracker.services.tournaments import LONGEST_ROUND, TOURNAMENT_NAME

YES, NO = "yes", "no"
_PREFIX = "option_"


class _RoundsForm(forms.Form):
    """What can be changed at any time, as it is about rounds still to come."""

    name = forms.CharField(
        label=_("What is it called?"),
        max_length=TOURNAMENT_NAME,
        widget=forms.TextInput(attrs={"autocapitalize": "words", "autocomplete": "off"}),
    )
    length = forms.IntegerField(
        min_value=1,
        max_value=LONGEST_ROUND,
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )
    confirm = forms.ChoiceField(
        label=_("A table reports its result"),
        choices=[
            (Confirm.ONE, _("one phone is enough")),
            (Confirm.BOTH, _("another side must report the same")),
        ],
        widget=forms.RadioSelect,
    )

    def __init__(self, *args: Any, game: AnyGame, club: Club, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["season"] = SeasonChoice(club)
        many = gettext("games") if game.round_in_games else gettext(game.unit.many)
        self.fields["length"].label = gettext("How many %(units)s a round?") % {"units": many}


class TournamentForm(_RoundsForm):
    mode = forms.ChoiceField(label=_("How do people sit?"), widget=forms.RadioSelect)
    format = forms.ChoiceField(
        label=_("Who scores?"),
        choices=[
            (Format.PLAYERS, _("each player; partners may change from round to round")),
            (Format.TEAMS, _("fixed pairs or teams")),
        ],
        widget=forms.RadioSelect,
    )
    field_order = ("name", "mode", "format", "length", "confirm")

    def __init__(self, *args: Any, game: AnyGame, club: Club, **kwargs: Any) -> None:
        kwargs["initial"] = {
            "mode": usual_mode(game).code,
            "format": Format.PLAYERS,
            "length": game.usual_length,
            "confirm": Confirm.ONE,
            **kwargs.get("initial", {}),
        }
        super().__init__(*args, game=game, club=club, **kwargs)
        self.game = game
        self.modes = all_modes(game)
        choices = [(mode.code, gettext(mode.name)) for mode in self.modes]
        self.fields["mode"].choices = choices  # type: ignore[attr-defined]
        if all(mode.individual for mode in self.modes):
            self.fields["format"].widget = forms.HiddenInput()
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

    def refused_field(self, question: str | None) -> str | None:
        """Return the field that asks *question*: one of the form, or a house rule."""
        names = (question or "", _PREFIX + (question or ""))
        return next((name for name in names if name in self.fields), None)


class TournamentEditForm(_RoundsForm):
    def __init__(self, *args: Any, tournament: Tournament, **kwargs: Any) -> None:
        kwargs["initial"] = {
            "name": tournament.name,
            "length": tournament.games or tournament.hands or tournament.rules.usual_length,
            "confirm": tournament.confirm,
            "season": tournament.season_id or "",
        }
        super().__init__(*args, game=tournament.rules, club=tournament.club, **kwargs)


def option_field(option: Option) -> forms.Field:
    """Return the field that asks a house rule; the rule book's answer is preset."""
    label = gettext(option.label)
    match option.kind:
        case Kind.FLAG:
            return forms.TypedChoiceField(
                label=label,
                choices=[(YES, _("Yes")), (NO, _("No"))],
                coerce=lambda answer: answer == YES,
                initial=YES if option.default else NO,
                widget=forms.RadioSelect,
            )
        case Kind.CHOICE:
            values = {str(value): value for value, _label in option.choices}
            return forms.TypedChoiceField(
                label=label,
                choices=[(str(value), gettext(said)) for value, said in option.choices],
                coerce=values.__getitem__,
                initial=str(option.default),
                widget=forms.RadioSelect,
            )
        case Kind.NUMBER:
            (least, _least), (most, _most) = option.choices
            return forms.IntegerField(
                label=label, min_value=int(least), max_value=int(most), initial=option.default
            )
