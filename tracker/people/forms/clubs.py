"""A club: its name, and who may read it."""

from django import forms
from django.utils.translation import gettext_lazy as _

from tracker.common.names import CLUB_NAME


class ClubForm(forms.Form):
    name = forms.CharField(
        label=_("What is the club called?"),
        max_length=CLUB_NAME,
        error_messages={"required": _("Please write a name.")},
    )
    public = forms.BooleanField(
        label=_("Everybody may read"),
        help_text=_(
            "Standings, results and names. Without it only those you signed up see"
            " anything; tables report through their cards all the same."
        ),
        required=False,
        initial=True,
    )
