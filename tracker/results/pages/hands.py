"""All hands of a tournament, and one of them with its history."""

from typing import Any, TypeAlias

import django_filters
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.http import require_safe

from tracker.audit.queries.lines import hand_history
from tracker.common.web import access, exports
from tracker.models import Hand, HandKind, Player, Role, Sitting, Tournament
from tracker.results.columns import HandsTable
from tracker.results.queries.hand_details import hand_details
from tracker.results.queries.hands import hand_rows, hands_of, in_conflict, played_by
from tracker.tables.reading import read_table

Hands: TypeAlias = QuerySet[Hand]
KINDS = (
    (HandKind.COUNTED, gettext_lazy("By every side")),
    (HandKind.DERIVED, gettext_lazy("All but the last side")),
    (HandKind.BARE, gettext_lazy("Only who won")),
)
ONLY = (
    ("conflict", gettext_lazy("Two different counts")),
    ("warnings", gettext_lazy("Something unusual")),
    ("unconfirmed", gettext_lazy("Not confirmed")),
    ("struck", gettext_lazy("Deleted")),
)


class HandFilter(django_filters.FilterSet):  # type: ignore[misc]
    """The hands of one tournament, by where, who and how."""

    round = django_filters.ChoiceFilter("sitting__round__number", label=gettext_lazy("Round"))
    table = django_filters.ChoiceFilter("sitting__number", label=gettext_lazy("Table"))
    player = django_filters.ChoiceFilter(method="by_player", label=gettext_lazy("Player"))
    kind = django_filters.ChoiceFilter("kind", label=gettext_lazy("Counted"), choices=KINDS)
    only = django_filters.ChoiceFilter(method="by_state", label=gettext_lazy("Only"), choices=ONLY)

    def __init__(self, tournament: Tournament, data: Any, queryset: Hands) -> None:
        super().__init__(data, queryset)
        sittings = Sitting.objects.filter(round__tournament=tournament)
        places = list(sittings.values_list("round__number", "number").distinct())
        for at, name in enumerate(("round", "table")):
            numbers = sorted({place[at] for place in places})
            self.filters[name].extra["choices"] = [(number, str(number)) for number in numbers]
        people = Player.objects.filter(seats__round__tournament=tournament).distinct()
        named = people.order_by("name_key").values_list("pk", "name")
        self.filters["player"].extra["choices"] = list(named)
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


@access.page
@require_safe
def tournament_hands(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """List every hand, to be narrowed down, sorted and paged."""
    tournament = access.tournament(request, tournament_id)
    narrowed = HandFilter(tournament, request.GET or None, hands_of(tournament))
    table = HandsTable(
        narrowed.qs, tournament, may_score=access.may(request, tournament.club, Role.SCORER)
    )
    form = exports.lay_out(request, table)
    table.tell(hand_rows(tournament, table.hands))
    if form:
        return exports.file_of(table, form, tournament.name, table.title)
    context = access.context(
        request,
        tournament.club,
        tournament=tournament,
        units=gettext(tournament.rules.unit.many),
        filter=narrowed,
        narrowed=any(narrowed.form.data.get(name) for name in narrowed.filters),
        table=table,
        count=table.page.paginator.count,
    )
    return render(request, "results/hands.html", context)


@access.page
@require_safe
def hand(request: HttpRequest, sitting_id: int, number: int) -> HttpResponse:
    """Show a hand, and its history since it was written down."""
    table = read_table(sitting_id=sitting_id)
    club = access.check(request, table.club if table else None)
    if table is None:  # ``check`` has raised already; this tells the type checker
        raise Http404
    details = next((each for each in hand_details(table) if each.number == number), None)
    if details is None:
        raise Http404
    member = access.may(request, club, Role.MEMBER)
    context = access.context(
        request,
        club,
        tournament=table.tournament,
        table=table,
        hand=details,
        history=hand_history(table, number, member=member),
        member=member,
        may_score=access.may(request, club, Role.SCORER),
    )
    return render(request, "results/hand.html", context)


urlpatterns = [
    path("tournaments/<int:tournament_id>/hands/", tournament_hands, name="hands"),
    path("sittings/<int:sitting_id>/hands/<int:number>/history/", hand, name="hand"),
]
