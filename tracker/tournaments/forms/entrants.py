"""The forms of the entrants: new ones, the number of places, seeds."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django import forms
from django.forms.boundfield import BoundField
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tracker.common.forms import CountField, LinesField, TapField
from tracker.models import Entrant, Format, Tournament
from tracker.tournaments.services.entering import MOST_PLACES, MOST_SEEDS

_SEED = "seed_"
A_NAME_A_LINE = _("One name per line, or separated by commas.")
A_TEAM_A_LINE = _("A line a team: “Asha & Juma”, or with a name, “Lions: Asha, Juma”.")


class PlacesField(CountField):
    """Asks how many can play at most."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(
            label=_("How many places?"),
            help_text=_("Empty means no limit. When all are taken, people go on the reserve list."),
            required=False,
            most=MOST_PLACES,
            **kwargs,
        )


class EnterForm(forms.Form):
    """Who comes in: a player or a team a line, or people of the club who are tapped."""

    names = LinesField(label=_("Who joins?"), rows=2)
    known = TapField(label=_("From the club"))

    def __init__(
        self,
        *args: Any,
        tournament: Tournament,
        newcomers: Sequence[tuple[int, str]],
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.newcomers = newcomers
        self.fields["known"].choices = newcomers  # type: ignore[attr-defined]
        self.teams = tournament.format == Format.TEAMS
        self.fields["names"].help_text = A_TEAM_A_LINE if self.teams else A_NAME_A_LINE

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if not self.errors and not (cleaned["names"] or cleaned["known"]):
            self.add_error("names", gettext("Write a name, or tap who plays."))
        return cleaned


class PlacesForm(forms.Form):
    places = PlacesField()


class SeedsForm(forms.Form):
    """The seed of each entrant, 1 for the strongest."""

    def __init__(self, *args: Any, entrants: Iterable[Entrant], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for entrant in entrants:
            self.fields[f"{_SEED}{entrant.pk}"] = CountField(
                label=str(entrant), required=False, most=MOST_SEEDS, initial=entrant.seed
            )

    @property
    def numbers(self) -> list[BoundField]:
        return list(self)

    def seeds(self) -> Mapping[int, int | None]:
        """Return the number of each entrant."""
        return {int(name.removeprefix(_SEED)): number for name, number in self.cleaned_data.items()}
