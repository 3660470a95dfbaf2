"""A club and who may do what in it: its name, roles, invitations, and which player one is."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tracker.models import Club, Player, Role
from tracker.people.services.invitations import LONGEST_DAYS

# What each may do, in the words of a page.
ROLES = (
    (Role.MEMBER, _("Member: reads everything, also in a private club")),
    (Role.SCORER, _("Scorer: settles and corrects results")),
    (Role.ORGANISER, _("Organiser: runs the nights")),
    (Role.OWNER, _("Owner: everything, members and roles too")),
)


class ClubForm(forms.ModelForm):  # type: ignore[type-arg]
    class Meta:
        model = Club
        fields = ("name", "public")
        labels = {"name": _("What is the club called?"), "public": _("Anybody may read it")}
        help_texts = {
            "public": _(
                "Standings, results and names. Without it only those you signed up see"
                " anything; tables report through their cards all the same."
            )
        }
        error_messages = {"name": {"required": _("Please write a name.")}}


class RoleForm(forms.Form):
    role = forms.TypedChoiceField(
        label=_("Role"),
        choices=ROLES,
        coerce=Role,
        initial=Role.MEMBER,
        widget=forms.RadioSelect,
    )


class InviteForm(RoleForm):
    many = forms.BooleanField(
        label=_("Anyone with the link"),
        help_text=_("For a group chat or a poster. Without it the link works once."),
        required=False,
    )
    days = forms.IntegerField(
        label=_("Valid for (days)"), min_value=1, max_value=LONGEST_DAYS, initial=14
    )


class ClaimForm(forms.Form):
    """Somebody says "this is me" of a player of the club whom nobody signs in as."""

    player = forms.ModelChoiceField(
        Player.objects.none(),
        label=_("Which of these players are you?"),
        empty_label=_("Choose…"),
        error_messages={"required": _("Please choose your name.")},
    )

    def __init__(self, club: Club, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        free = Player.objects.present().filter(club=club, user=None)
        self.fields["player"].queryset = free.order_by("name_key")  # type: ignore[attr-defined]
