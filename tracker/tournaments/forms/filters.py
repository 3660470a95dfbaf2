"""Narrowing long lists down."""

from collections.abc import Iterable
from typing import Any, TypeAlias

import django_filters
from django import forms
from django.db.models import QuerySet
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games import catalogue
from tracker.models import Club, Hand, HandKind, Player, Round, RoundState, Sitting, Tournament
from tracker.reports.queries.hands import in_conflict, played_by
from tracker.tournaments.services.tournaments import TOURNAMENT_NAME

Hands: TypeAlias = QuerySet[Hand]
Tournaments: TypeAlias = QuerySet[Tournament]
STATES = (
    ("playing", _("Playing now")),
    ("open", _("Not official yet")),
    ("official", _("Official")),
)
KINDS = (
    (HandKind.COUNTED, _("By every side")),
    (HandKind.DERIVED, _("All but the last side")),
    (HandKind.BARE, _("Only who won")),
)
ONLY = (
    ("conflict", _("Two different counts")),
    ("warnings", _("Something unusual")),
    ("unconfirmed", _("Not confirmed")),
    ("struck", _("Struck off")),
)


class TournamentFilter(django_filters.FilterSet):  # type: ignore[misc]
    """The tournaments of a club, by name, game, season and how far they are."""

    q = django_filters.CharFilter(
        "name",
        "icontains",
        label=_("Find a name"),
        max_length=TOURNAMENT_NAME,
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


class GameForm(forms.Form):
    """One of the games that somebody plays, or all of them."""

    def __init__(self, games: Iterable[tuple[str, str]], data: Any) -> None:
        super().__init__(data)
        self.fields["game"] = forms.ChoiceField(
            label=_("Game"), required=False, choices=[("", gettext("All games")), *games]
        )


class HandFilter(django_filters.FilterSet):  # type: ignore[misc]
    """The hands of one tournament, by where, who and how."""

    round = django_filters.ChoiceFilter("sitting__round__number", label=_("Round"))
    table = django_filters.ChoiceFilter("sitting__number", label=_("Table"))
    player = django_filters.ChoiceFilter(method="by_player", label=_("Player"))
    kind = django_filters.ChoiceFilter("kind", label=_("Counted"), choices=KINDS)
    only = django_filters.ChoiceFilter(method="by_state", label=_("Only"), choices=ONLY)

    def __init__(self, tournament: Tournament, data: Any, queryset: Hands) -> None:
        super().__init__(data, queryset)
        places = set(
            Sitting.objects.filter(round__tournament=tournament)
            .values_list("round__number", "number")
            .distinct()
        )
        people = Player.objects.filter(seats__round__tournament=tournament).distinct()
        choices = {
            "round": [(number, str(number)) for number in sorted({one for one, _table in places})],
            "table": [(number, str(number)) for number in sorted({one for _round, one in places})],
            "player": list(people.order_by("name_key").values_list("pk", "name")),
        }
        for name, known in choices.items():
            self.filters[name].extra["choices"] = known
        for field in self.filters.values():
            field.extra["empty_label"] = gettext("All")

    def by_player(self, hands: Hands, _name: str, player: str) -> Hands:
        return hands.filter(played_by(int(player)))

    def by_state(self, hands: Hands, _name: str, state: str) -> Hands:
        match state:
            case "conflict":
                return hands.filter(in_conflict())
            case "warnings":
                return hands.exclude(warnings=[])
            case "unconfirmed":
                return hands.filter(confirmed_at=None, struck_at=None)
            case _:
                return hands.exclude(struck_at=None)
