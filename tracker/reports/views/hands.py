"""All hands of a tournament, and one of them with its history."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from tracker.audit.queries.lines import hand_history
from tracker.common.sheet_lines import lines
from tracker.common.web import access, exports
from tracker.ledger.statements import read_table
from tracker.models import Role
from tracker.reports.forms.filters import HandFilter
from tracker.reports.queries.hand_details import hand_details
from tracker.reports.queries.hands import hand_rows, hands_of
from tracker.reports.queries.sitting import mark_lines
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


@access.page
@require_safe
def hand(request: HttpRequest, sitting_id: int, number: int) -> HttpResponse:
    """Show a hand as it stands, and what became of it since it was written down."""
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
        lines=lines(table.game, details.before, details.sheet, details.names),
        marks=mark_lines(table, details),
        history=hand_history(table, number, member=member),
        member=member,
        may_score=access.may(request, club, Role.SCORER),
    )
    return render(request, "reports/hand.html", context)
