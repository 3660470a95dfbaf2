"""A file to hand in, and who the people in it are."""

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tracker.tournament_files.logic.packing import MOST_BYTES
from tracker.tournament_files.queries.look import FilePerson

NEW = "new"


class TournamentFileForm(forms.Form):
    file = forms.FileField(
        label=gettext_lazy("The file"),
        help_text=gettext_lazy("As Kula wrote it, at this club or at another one."),
        widget=forms.FileInput(attrs={"accept": ".zip,application/zip"}),
    )

    content = b""

    def clean_file(self) -> object:
        file = self.cleaned_data["file"]
        if (file.size or 0) > MOST_BYTES:
            raise forms.ValidationError(
                _("This file is too large: 10 megabytes are the most."), code="file-large"
            )
        self.content = file.read()
        return file


class PeopleForm(forms.Form):
    """Form to choose which players the people in a file are, where names match or are alike."""

    def __init__(self, data: Any, people: tuple[FilePerson, ...], *, differences: int = 0) -> None:
        super().__init__(data)
        if differences:
            self.fields["differences"] = forms.BooleanField(
                label=_("Import it with these differences"),
                error_messages={
                    "required": _("Please say that you have seen where the standings differ.")
                },
            )
        self.asked = {f"person_{each.number}": each for each in people if each.choices}
        for name, person in self.asked.items():
            choices = [
                (str(player.pk), _("%(name)s, who plays here") % {"name": player.name})
                for player in person.choices
            ]
            new = (NEW, _("somebody new, called %(name)s") % {"name": person.new_name})
            choose = [("", _("Please choose"))] if person.open else []
            self.fields[name] = forms.ChoiceField(
                label=person.name,
                choices=[*choose, *choices, new],
                initial="" if person.open else str(person.choices[0].pk),
            )

    @property
    def to_choose(self) -> list[forms.BoundField]:
        """Return the fields of people without an exact match."""
        return [self[name] for name, person in self.asked.items() if person.open]

    @property
    def same(self) -> list[forms.BoundField]:
        """Return the fields of those who are called as players are."""
        return [self[name] for name, person in self.asked.items() if not person.open]

    @property
    def choices(self) -> dict[int, int | None]:
        """Return the players chosen, by their numbers in the file."""
        return {
            person.number: None if self.cleaned_data[name] == NEW else int(self.cleaned_data[name])
            for name, person in self.asked.items()
        }
