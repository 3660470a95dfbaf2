"""Who may do what in a club, and the links by which people come in."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tracker.models import Club, Player, Role
from tracker.people.services.invitations import LONGEST_DAYS

# What each may do, in the words of a page.
ROLES = (
    (Role.MEMBER, _("Member: reads along, also where the club is private")),
    (Role.SCORER, _("Scorer: settles and corrects results")),
    (Role.ORGANISER, _("Organiser: runs the evenings")),
    (Role.OWNER, _("Owner: all of it, and who may do what")),
)


class RoleForm(forms.Form):
    role = forms.TypedChoiceField(
        label=_("What may they do?"), choices=ROLES, coerce=Role, widget=forms.RadioSelect
    )


class InviteForm(forms.Form):
    role = forms.TypedChoiceField(
        label=_("What may they do?"),
        choices=ROLES,
        coerce=Role,
        initial=Role.MEMBER,
        widget=forms.RadioSelect,
    )
    many = forms.BooleanField(
        label=_("For more than one person"),
        help_text=_("For a group chat, or the wall of the club. Otherwise the link works once."),
        required=False,
    )
    days = forms.IntegerField(
        label=_("Good for how many days?"), min_value=1, max_value=LONGEST_DAYS, initial=14
    )


class ClaimForm(forms.Form):
    """Somebody says "this is me" of a player of the club whom nobody signs in as."""

    player = forms.TypedChoiceField(
        label=_("Which of these players are you?"),
        coerce=int,
        error_messages={"required": _("Please choose your name.")},
    )

    def __init__(self, club: Club, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        free = Player.objects.present().filter(club=club, user=None).order_by("name_key")
        player = self.fields["player"]
        assert isinstance(player, forms.ChoiceField)  # noqa: S101  # for the type checker
        player.choices = [("", _("Choose…")), *free.values_list("pk", "name")]


class AccountForm(forms.Form):
    name = forms.CharField(
        label=_("What are you called?"),
        help_text=_("Those who run your clubs see it beside what you did."),
        max_length=60,
        error_messages={"required": _("Tell us your name.")},
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
    )
