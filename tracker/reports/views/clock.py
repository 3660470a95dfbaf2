"""The clock that people at a table see."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from tracker.ledger.statements import read_table
from tracker.seating.clock_face import clock_reading


@require_safe
@never_cache
def table_clock(request: HttpRequest, token: str) -> HttpResponse:
    """Show how long the table still plays; nothing where no clock runs."""
    found = read_table(token=token)
    if found is None or found.withdrawn:
        raise Http404
    clock = clock_reading(found.round, now=timezone.now(), table=found.number)
    return render(request, "reports/table/clock.html", {"clock": clock, "token": token})
