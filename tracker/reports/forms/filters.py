"""The filters above a tournament's list of hands."""

from typing import Any, TypeAlias

import django_filters
from django.db.models import QuerySet
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tracker.models import Hand, HandKind, Player, Sitting, Tournament
from tracker.reports.queries.hands import in_conflict, played_by

Hands: TypeAlias = QuerySet[Hand]
KINDS = (
    (HandKind.COUNTED, _("By every side")),
    (HandKind.DERIVED, _("All but the last side")),
    (HandKind.BARE, _("Only who won")),
)
ONLY = (
    ("conflict", _("Two different counts")),
    ("warnings", _("Something unusual")),
    ("unconfirmed", _("Not confirmed")),
    ("struck", _("Deleted")),
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
            "round": [
                (number, str(number)) for number in sorted({round_ for round_, _table in places})
            ],
            "table": [
                (number, str(number)) for number in sorted({table for _round, table in places})
            ],
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
