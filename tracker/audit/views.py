"""The log of a club, as a page."""

from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from tracker.audit.forms import LogFilter
from tracker.audit.queries.lines import lines
from tracker.audit.tables import LogTable
from tracker.common.web import access
from tracker.models import Role

A_PAGE = 30


@access.page
@require_safe
@never_cache
def club_log(request: HttpRequest, club_id: int) -> HttpResponse:
    """Tell what was done in a club, newest first, to whoever belongs to it."""
    club = access.club(request, club_id, Role.MEMBER)
    may = frozenset(role for role in Role if access.may(request, club, role))
    organises = Role.ORGANISER in may
    narrowed = LogFilter(club, request.GET or None, logins=organises)
    table = LogTable(narrowed.qs, may=may, token=get_token(request))
    table.paginate(per_page=A_PAGE)
    table.page = table.paginator.get_page(request.GET.get("page"))
    page = [row.record for row in table.paginated_rows]
    table.tell(lines(club.pk, page, organises=organises))
    context = access.context(
        request,
        club,
        filter=narrowed,
        narrowed=any(narrowed.form.data.get(name) for name in narrowed.filters),
        table=table,
        count=table.page.paginator.count,
    )
    return render(request, "audit/log.html", context)
