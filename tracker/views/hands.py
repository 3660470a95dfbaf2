"""All hands of a tournament."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext
from django.views.decorators.http import require_safe
from django_tables2 import RequestConfig

from tracker.forms.filters import HandFilter
from tracker.models import Role
from tracker.queries.hands import hand_rows, hands_of
from tracker.tables.hands import HandsTable
from tracker.views import access

A_PAGE = 25


@access.page
@require_safe
def tournament_hands(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """List every hand, to be narrowed down, sorted and paged."""
    cup = access.tournament(request, tournament_id)
    narrowed = HandFilter(cup, request.GET or None, hands_of(cup))
    table = HandsTable(narrowed.qs, cup, may_score=access.may(request, cup.club, Role.SCORER))
    RequestConfig(request, paginate={"per_page": A_PAGE}).configure(table)
    table.tell(hand_rows(cup, table.hands))
    context = access.context(
        request,
        cup.club,
        tournament=cup,
        units=gettext(cup.rules.unit.many),
        filter=narrowed,
        narrowed=any(narrowed.form.data.get(name) for name in narrowed.filters),
        table=table,
        count=table.page.paginator.count,
    )
    return render(request, "hands/hands.html", context)
