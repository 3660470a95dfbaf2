"""Who is one and the same person."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tracker.models import Player


class MergeForm(forms.Form):
    into = forms.ModelChoiceField(
        Player.objects.none(),
        label=_("Merge into"),
        help_text=_("This name stays, and everything played goes there."),
        empty_label=_("Choose…"),
        error_messages={
            "required": _("Please choose somebody."),
            "invalid_choice": _("That player is not in this club any more. Please choose again."),
        },
    )

    def __init__(self, player: Player, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        others = Player.objects.present().filter(club=player.club_id).exclude(pk=player.pk)
        self.fields["into"].queryset = others.order_by("name_key")  # type: ignore[attr-defined]
