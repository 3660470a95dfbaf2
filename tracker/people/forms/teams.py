"""A team: its name, and who is in it."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tracker.models import Club, Player, Team


class TeamForm(forms.ModelForm):  # type: ignore[type-arg]
    # Trap: a ModelMultipleChoiceField falls over a key that no database can hold.
    roster = forms.TypedMultipleChoiceField(
        label=_("Who is in it?"),
        coerce=int,
        error_messages={
            "required": _("Tap the people of this team, two or more."),
            "invalid_choice": _("Somebody you chose has left this club. Please choose again."),
        },
        widget=forms.CheckboxSelectMultiple,
    )

    class Meta:
        model = Team
        fields = ("name",)
        labels = {"name": _("Name of the team")}
        help_texts = {"name": _("Left empty, it is called after its people: “Asha & Juma”.")}

    def __init__(self, club: Club, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        people = Player.objects.present().filter(club=club).order_by("name_key")
        self.people = dict(people.values_list("pk", "name"))
        self.fields["roster"].choices = list(self.people.items())  # type: ignore[attr-defined]
        self.fields["name"].required = False
        if self.instance.pk is not None:
            self.initial["roster"] = list(self.instance.roster.values_list("pk", flat=True))

    def answers(self) -> dict[str, Any]:
        """Return what the team is called, by default after its people, and who they are."""
        players = self.cleaned_data["roster"]
        after_people = " & ".join(self.people[player] for player in players)
        return {"name": self.cleaned_data["name"] or after_people, "players": players}
