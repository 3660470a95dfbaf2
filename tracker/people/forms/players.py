"""The players of a club: added by name, changed, looked for, and forgotten."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tracker.common.fields import AS_TYPED, NamesField
from tracker.models import Player, Team


class AddPlayersForm(forms.Form):
    names = NamesField(
        label=_("Who is new?"),
        help_text=_("One name, or many: one a line, or with commas between."),
        error_messages={"required": _("Please write at least one name.")},
        rows=4,
    )
    visitor_from = forms.CharField(
        label=_("Visiting from"),
        help_text=_("Their home club; leave it empty for your own people."),
        max_length=Player.visitor_from.field.max_length,
        required=False,
    )
    in_season = forms.BooleanField(
        label=_("They count for the season too"),
        help_text=_("Otherwise it counts for the night alone."),
        required=False,
    )

    def clean(self) -> dict[str, Any]:
        """Let your own people count, whatever is ticked about visitors."""
        given = self.cleaned_data
        given["in_season"] = bool(given.get("in_season") or not given.get("visitor_from"))
        return given


class PlayerForm(forms.ModelForm):  # type: ignore[type-arg]
    class Meta:
        model = Player
        fields = ("name", "full_name", "visitor_from", "in_season")
        labels = {
            "name": _("Name"),
            "full_name": _("Full name"),
            "visitor_from": _("Visiting from"),
            "in_season": _("Counts for the season"),
        }
        help_texts = {
            "name": _("What everybody reads. A nickname is fine."),
            "full_name": _("The name behind a nickname. Only organisers see it."),
            "visitor_from": _("The home club of a visitor; empty for your own people."),
            "in_season": _("Without this it counts for the night alone, as for visitors."),
        }
        error_messages = {"name": {"required": _("Please write a name.")}}
        widgets = {
            "name": forms.TextInput(attrs=AS_TYPED),
            "full_name": forms.TextInput(attrs=AS_TYPED),
        }


class SearchForm(forms.Form):
    q = forms.CharField(
        label=_("Find a name"),
        max_length=Player.name.field.max_length,
        required=False,
        widget=forms.TextInput(
            attrs={"type": "search", "autocomplete": "off", "placeholder": _("Find a name")}
        ),
    )


class EraseForm(forms.Form):
    """Asks what teams are called from now on that were called after a forgotten player."""

    sure = forms.BooleanField(
        label=_("I know that this cannot be undone"),
        error_messages={"required": _("Tick this if you are sure: it cannot be undone.")},
    )

    def __init__(self, teams: Iterable[Team], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.teams = tuple(teams)
        for team in self.teams:
            self.fields[f"team_{team.pk}"] = forms.CharField(
                label=gettext("A new name for the team “%(team)s”") % {"team": team.name},
                max_length=Team.name.field.max_length,
                error_messages={"required": _("Please write a name.")},
            )
        self.order_fields([*(f"team_{team.pk}" for team in self.teams), "sure"])

    @property
    def team_names(self) -> dict[int, str]:
        """Return the new names by the keys of their teams."""
        return {team.pk: self.cleaned_data[f"team_{team.pk}"] for team in self.teams}
