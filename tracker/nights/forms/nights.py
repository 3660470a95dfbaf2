"""A night: when and where it is, and what is played."""

from django import forms
from django.utils.translation import gettext_lazy as _

from tracker.models import ClubNight


class NightForm(forms.ModelForm):  # type: ignore[type-arg]  # not a generic at run time
    """When and where, and what is played."""

    class Meta:
        model = ClubNight
        fields = ("starts_at", "place", "games")
        labels = {
            "starts_at": _("When?"),
            "place": _("Where?"),
            "games": _("What do you play?"),
        }
        help_texts = {
            "games": _("In your own words: “Albastini first, then Dalmuti for whoever stays”."),
        }
        error_messages = {
            "starts_at": {
                "required": _("Please say when it begins."),
                "invalid": _("Please write a day and a time, such as 2026-11-27 19:30."),
            },
        }
        widgets = {
            "starts_at": forms.DateTimeInput(
                attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"
            ),
        }
