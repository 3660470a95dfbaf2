"""Form fields for the seating terms: movement, rests, byes and substitutes."""

from collections.abc import Iterable
from dataclasses import fields
from typing import Any

from django import forms
from django.db.models import TextChoices
from django.forms.boundfield import BoundField
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.mode import Mode
from tracker.models import (
    Format,
    Leftover,
    Movement,
    RankedBy,
    RestCredit,
    Substitution,
    Tournament,
)
from tracker.tournaments.forms.entrants import PlacesField
from tracker.tournaments.services.seating_terms import (
    MOST_REST_POINTS,
    SeatingTerms,
    movements_for,
)

_FOLDED = ("places", "leftover", "third_place", "rest_credit", "rest_points", "substitution")


class _OneOf(forms.TypedChoiceField):
    """Asks for one of a closed set; the first is the usual one."""

    def __init__(self, choices: type[TextChoices], **kwargs: Any) -> None:
        usual = next(iter(choices))
        super().__init__(
            choices=choices.choices,
            coerce=choices,
            empty_value=usual,
            initial=usual,
            required=False,
            **kwargs,
        )


class SeatingTermsForm(forms.Form):
    """A form that asks how the rounds are seated; good answers are preset."""

    movement = _OneOf(Movement, label=_("Who sits where?"))
    places = PlacesField()
    leftover = _OneOf(Leftover, label=_("When there is no full table for everybody"))
    third_place = forms.BooleanField(
        label=_("A knock-out has a match for third place"), required=False
    )
    rest_credit = forms.TypedChoiceField(
        label=_("What is sitting out worth?"),
        help_text=_("Wins and draws are worth match points. In knock-outs a bye is worth nothing."),
        choices=[
            ("", _("as usual: a win where match points decide, otherwise one’s own average")),
            *RestCredit.choices,
        ],
        coerce=RestCredit,
        empty_value=None,
        required=False,
    )
    rest_points = forms.IntegerField(
        label=_("How many points, if a fixed number?"),
        min_value=0,
        max_value=MOST_REST_POINTS,
        required=False,
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )
    substitution = _OneOf(
        Substitution,
        label=_("A substitute plays"),
        help_text=_("In fixed teams always for the team."),
    )

    def offer_movements(self, formats: Iterable[Format], modes: Iterable[Mode]) -> None:
        """Let them choose what suits these formats; of several it says what is for which."""
        of_two = any(mode.seats == 2 for mode in modes)
        own = {format_: movements_for(format_, of_two=of_two) for format_ in formats}
        of_all = [each for each in Movement if all(each in offered for offered in own.values())]

        def named(movements: Iterable[Movement]) -> list[tuple[str, str]]:
            return [(each.value, str(each.label)) for each in movements]

        if len(own) == 1:
            choices: list[Any] = named(*own.values())
        else:
            titles = {
                Format.PLAYERS: gettext("Where each player scores"),
                Format.TEAMS: gettext("For fixed pairs or teams"),
            }
            choices = [
                *named(of_all),
                *(
                    (titles[format_], named(each for each in offered if each not in of_all))
                    for format_, offered in own.items()
                ),
            ]
        self.fields["movement"].choices = choices  # type: ignore[attr-defined]

    @staticmethod
    def initial_of(tournament: Tournament) -> dict[str, Any]:
        """Return how a tournament is seated now."""
        now = {name: getattr(tournament, name) for name in ("movement", *_FOLDED)}
        by_name = now["rest_credit"] in {RestCredit.WIN, RestCredit.DRAW}
        if by_name and tournament.ranked_by != RankedBy.MATCH_POINTS:
            now["rest_credit"] = ""  # something else decides by now: as usual
        return now

    @property
    def folded_seating(self) -> list[BoundField]:
        """Return the questions that few ask."""
        return [self[name] for name in _FOLDED]

    @property
    def seating_wrong(self) -> bool:
        """Say whether the fold with these questions must be open."""
        return any(name in _FOLDED for name in self.errors)

    def seating_terms(self) -> SeatingTerms:
        names = [field.name for field in fields(SeatingTerms)]
        return SeatingTerms(**{name: self.cleaned_data[name] for name in names})
