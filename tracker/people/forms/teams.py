"""A team: its name, and who is in it."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tracker.common.names import TEAM_NAME
from tracker.models import Club, Player


class TeamForm(forms.Form):
    name = forms.CharField(
        label=_("Name of the team"),
        help_text=_("Left empty, it is called after its people: “Asha & Juma”."),
        max_length=TEAM_NAME,
        required=False,
    )
    roster = forms.TypedMultipleChoiceField(
        label=_("Who is in it?"),
        coerce=int,
        error_messages={
            "required": _("Tap the people of this team, two or more."),
            "invalid_choice": _(
                "Somebody you chose is not in this club any more. Please choose again."
            ),
        },
        widget=forms.CheckboxSelectMultiple,
    )

    def __init__(self, club: Club, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        people = Player.objects.present().filter(club=club).order_by("name_key")
        self.people = dict(people.values_list("pk", "name"))
        roster = self.fields["roster"]
        assert isinstance(roster, forms.ChoiceField)  # noqa: S101  # for the type checker
        roster.choices = list(self.people.items())

    def clean(self) -> dict[str, Any]:
        given = self.cleaned_data
        if given.get("roster") and not given.get("name"):
            given["name"] = " & ".join(self.people[player] for player in given["roster"])
        return given
