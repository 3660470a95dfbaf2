"""Who plays, as questions: somebody new by name, how many places, who is how strong."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django import forms
from django.forms.boundfield import BoundField
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tracker.common.fields import AS_TYPED, CountField, TapField
from tracker.common.names import split_names
from tracker.models import Format, Tournament
from tracker.tournaments.queries import EntrantRow
from tracker.tournaments.services.entering import MOST_PLACES
from tracker.tournaments.services.seeding import MOST_SEEDS

_SEED = "seed_"
_LONGEST_LINE = 1000


class PlacesField(CountField):
    """Asks how many can play at most."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(
            label=_("How many places?"),
            help_text=_(
                "Leave empty for no limit. When all are taken, people go on the reserve list."
            ),
            required=False,
            most=MOST_PLACES,
            **kwargs,
        )


class EnterForm(forms.Form):
    """Somebody who comes in: a name in one line, or people of the club who are tapped."""

    names = forms.CharField(
        label=_("Who joins?"),
        required=False,
        max_length=_LONGEST_LINE,
        widget=forms.TextInput(attrs={**AS_TYPED, "autocomplete": "off", "list": "known"}),
    )
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
        if self.teams:
            self.fields["names"].label = gettext("A new team?")
            self.fields["names"].help_text = gettext("Its people, with commas between.")
            del self.fields["names"].widget.attrs["list"]
        else:
            self.fields["names"].help_text = gettext(
                "The name is enough; separate names by commas."
            )

    def clean_names(self) -> list[str]:
        return split_names(self.cleaned_data["names"])

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if not self.errors and not (cleaned["names"] or cleaned["known"]):
            self.add_error("names", gettext("Write a name, or tap who plays."))
        return cleaned


class PlacesForm(forms.Form):
    places = PlacesField()


class SeedsForm(forms.Form):
    """A number for whoever is known to be strong, 1 for the strongest."""

    def __init__(self, *args: Any, rows: Iterable[EntrantRow], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for row in rows:
            self.fields[f"{_SEED}{row.entrant}"] = CountField(
                label=row.name, required=False, most=MOST_SEEDS, initial=row.seed
            )

    @property
    def numbers(self) -> list[BoundField]:
        return list(self)

    def seeds(self) -> Mapping[int, int | None]:
        """Return the number of each entrant."""
        return {int(name.removeprefix(_SEED)): number for name, number in self.cleaned_data.items()}
