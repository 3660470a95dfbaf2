"""What teams are called from now on that were called after somebody who is to be forgotten."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tracker.common.names import TEAM_NAME
from tracker.models import Team


class EraseForm(forms.Form):
    sure = forms.BooleanField(
        label=_("I know that this cannot be taken back"),
        error_messages={"required": _("Tick this if you are sure: nobody can bring a name back.")},
    )

    def __init__(self, teams: Iterable[Team], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.teams = tuple(teams)
        for team in self.teams:
            self.fields[f"team_{team.pk}"] = forms.CharField(
                label=gettext("A new name for the team “%(team)s”") % {"team": team.name},
                max_length=TEAM_NAME,
                error_messages={"required": _("Please write a name.")},
            )
        self.order_fields([*(f"team_{team.pk}" for team in self.teams), "sure"])

    @property
    def team_names(self) -> dict[int, str]:
        """Return the new names by the keys of their teams."""
        return {team.pk: self.cleaned_data[f"team_{team.pk}"] for team in self.teams}
