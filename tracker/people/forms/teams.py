"""A team: its name, and who is in it."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tracker.models import Club, Player, Team

_GONE = _("Somebody you chose is not in this club any more. Please choose again.")


class TeamForm(forms.ModelForm):  # type: ignore[type-arg]
    class Meta:
        model = Team
        fields = ("name", "roster")
        labels = {"name": _("Name of the team"), "roster": _("Who is in it?")}
        help_texts = {"name": _("Left empty, it is called after its people: “Asha & Juma”.")}
        error_messages = {
            "roster": {
                "required": _("Tap the people of this team, two or more."),
                "invalid_choice": _GONE,
                "invalid_pk_value": _GONE,
            }
        }
        widgets = {"roster": forms.CheckboxSelectMultiple}

    def __init__(self, club: Club, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        people = Player.objects.present().filter(club=club).order_by("name_key")
        self.fields["roster"].queryset = people  # type: ignore[attr-defined]
        self.fields["name"].required = False

    def answers(self) -> dict[str, Any]:
        """Return what the team is called, by default after its people, and who they are."""
        people = self.cleaned_data["roster"]
        return {
            "name": self.cleaned_data["name"] or " & ".join(person.name for person in people),
            "players": [person.pk for person in people],
        }
