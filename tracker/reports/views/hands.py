"""All hands of a tournament."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from tracker.common.web import access, exports
from tracker.models import Role
from tracker.reports.forms.filters import HandFilter
from tracker.reports.queries.hands import hand_rows, hands_of
from tracker.reports.tables import HandsTable

A_PAGE = 25


@access.page
@require_safe
def tournament_hands(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """List every hand, to be narrowed down, sorted and paged."""
    tournament = access.tournament(request, tournament_id)
    narrowed = HandFilter(tournament, request.GET or None, hands_of(tournament))
    table = HandsTable(
        narrowed.qs, tournament, may_score=access.may(request, tournament.club, Role.SCORER)
    )
    form = exports.lay_out(request, table, a_page=A_PAGE)
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
    return render(request, "reports/hands.html", context)
