"""What people at a table see without asking: their clock, and whether somebody comes."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from tracker.ledger.statements import read_table
from tracker.reports.queries.calls import open_call
from tracker.seating.clock_face import clock_reading


@require_safe
@never_cache
def table_clock(request: HttpRequest, token: str) -> HttpResponse:
    """Show how long the table still plays, and what becomes of its call for the organiser."""
    found = read_table(token=token)
    if found is None or found.withdrawn:
        raise Http404
    clock = clock_reading(found.round, now=timezone.now(), table=found.number)
    context = {
        "clock": None if found.finished else clock,
        "call": open_call(found.sitting_id),
        "token": token,
    }
    return render(request, "reports/table/clock.html", context)
