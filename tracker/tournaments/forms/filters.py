"""The filters above a club's list of tournaments."""

from typing import Any, TypeAlias

import django_filters
from django import forms
from django.db.models import QuerySet
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games import catalogue
from tracker.models import Club, Round, RoundState, Tournament

Tournaments: TypeAlias = QuerySet[Tournament]
STATES = (
    ("playing", _("Playing now")),
    ("open", _("Not official yet")),
    ("official", _("Official")),
)


class TournamentFilter(django_filters.FilterSet):  # type: ignore[misc]
    """The tournaments of a club, by name, game, season and how far they are."""

    q = django_filters.CharFilter(
        "name",
        "icontains",
        label=_("Find a name"),
        max_length=Tournament.name.field.max_length,
        widget=forms.TextInput(attrs={"type": "search", "autocomplete": "off"}),
    )
    game = django_filters.ChoiceFilter("game", label=_("Game"), empty_label=_("All"))
    season = django_filters.ChoiceFilter("season", label=_("Season"), empty_label=_("All"))
    state = django_filters.ChoiceFilter(
        method="by_state", label=_("Only"), choices=STATES, empty_label=_("All")
    )

    def __init__(self, club: Club, data: Any, queryset: Tournaments) -> None:
        super().__init__(data, queryset)
        self.seasons = list(club.seasons.order_by("-pk").values_list("pk", "name"))
        games = [(slug, gettext(game.name)) for slug, game in catalogue.GAMES.items()]
        self.filters["game"].extra["choices"] = games
        self.filters["season"].extra["choices"] = self.seasons
        if not self.seasons:
            del self.filters["season"]

    def by_state(self, tournaments: Tournaments, _name: str, state: str) -> Tournaments:
        match state:
            case "playing":
                running = Round.objects.filter(state=RoundState.OPEN)
                return tournaments.filter(pk__in=running.values("tournament"))
            case "open":
                return tournaments.filter(official_at=None)
            case _:
                return tournaments.exclude(official_at=None)
