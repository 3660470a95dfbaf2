"""Attendance: who comes, who stands at the door, who is here."""

from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tracker.common.fields import NameField, NewPeopleField, TapField
from tracker.models import Player
from tracker.nights.queries.attendance import People, Person
from tracker.nights.queries.door import AtTheDoor


class RsvpForm(forms.Form):
    """Whether somebody comes, who chooses their name or types it."""

    player = forms.TypedChoiceField(
        label=_("Your name"), coerce=int, required=False, empty_value=None
    )
    name = NameField(
        label=_("Not in the list? Type it"),
        max_length=Player.name.field.max_length,
        required=False,
    )
    answer = forms.ChoiceField(
        label=_("Are you coming?"),
        choices=[("yes", _("I'm in")), ("no", _("Can't make it"))],
        error_messages={"required": _("Tap one of the two.")},
    )

    def __init__(self, *args: Any, players: list[Person], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["player"].choices = [("", "–"), *players]  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        return _somebody(self, super().clean() or self.cleaned_data)


class DoorForm(forms.Form):
    """Who stands at the door: a name that is tapped, or a new one."""

    player = forms.TypedChoiceField(
        label=_("Your name"), coerce=int, required=False, empty_value=None
    )
    name = NameField(
        label=_("Not in the list? Type it"),
        max_length=Player.name.field.max_length,
        required=False,
    )

    def __init__(self, *args: Any, people: AtTheDoor, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.expected, self.others = people.expected, people.others
        self.fields["player"].choices = people.everybody  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        return _somebody(self, super().clean() or self.cleaned_data)


class CheckInForm(forms.Form):
    """Who has arrived: tapped, or typed when nobody knows them yet."""

    people = TapField(label=_("Who's here?"))
    typed = TapField(label=_("New people"))
    names = NewPeopleField(label=_("New names"))
    visitor_from = forms.CharField(
        label=_("Visiting from"),
        help_text=_("The new ones' home club. Leave empty for your own people."),
        max_length=Player.visitor_from.field.max_length,
        required=False,
    )
    in_season = forms.BooleanField(
        label=_("Count these visitors for the season too"),
        help_text=_("Otherwise they count tonight only."),
        required=False,
    )

    def __init__(self, *args: Any, people: People, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.expected, self.others, self.unknown = people.expected, people.others, people.typed
        self.fields["people"].choices = [*people.expected, *people.others]  # type: ignore[attr-defined]
        self.fields["typed"].choices = people.typed  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        tapped = cleaned.get("people") or cleaned.get("typed")
        if not tapped and not cleaned.get("names") and not self.errors:
            self.add_error("people", gettext("Tap or type who has arrived."))
        return cleaned

    @property
    def new_names(self) -> list[str]:
        """Return everybody who is new to the club, announced before or not."""
        known = dict(self.unknown)
        return [*(known[key] for key in self.cleaned_data["typed"]), *self.cleaned_data["names"]]

    @property
    def folded(self) -> bool:
        """Say whether somebody can be tapped, and nothing about new people was touched or is amiss."""
        known = self.expected or self.unknown or self.others
        touched = self["names"].value() or self["visitor_from"].value()
        return bool(known) and not (touched or {"names", "visitor_from"} & self.errors.keys())


def _somebody(form: forms.Form, cleaned: dict[str, Any]) -> dict[str, Any]:
    """Return what was answered, and say where nobody is named."""
    named = cleaned.get("player") is not None or cleaned.get("name")
    if not named and not {"player", "name"} & form.errors.keys():
        form.add_error("player", gettext("Choose your name, or type it."))
    return cleaned
