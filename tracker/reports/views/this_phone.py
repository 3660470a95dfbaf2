"""What a table's page is to this phone: for which side it speaks, what it is asked, what it may do."""

from typing import Any

from django.http import HttpRequest

from tracker.common.web.devices import device_of, knows_side, side_of
from tracker.common.web.parameters import number_in
from tracker.reports.forms.sheet import HandForm
from tracker.reports.queries.confirming import confirming
from tracker.reports.queries.table import TablePage
from tracker.reports.queries.taken_back import last_hand


def side_here(request: HttpRequest) -> int | None:
    """Return for which side this phone speaks; one without cookies says so in the address."""
    return side_of(request) if knows_side(request) else number_in(request.GET.get("side", ""))


def of_this_phone(request: HttpRequest, page: TablePage, form: HandForm) -> dict[str, Any]:
    """Return what the page shows to this phone and to no other.

    ``own_count`` is a sheet that answers another side's, ``older`` one for a hand that is not
    the last.
    """
    device, side, number = device_of(request), side_here(request), form.asked.number
    last = last_hand(page.table, page.hands, device=device, side=side)
    changing = number <= page.table.last_number
    return {
        "device": device,
        "changing": changing,
        "older": changing and number != last.number,
        "own_count": changing and ("own" in request.GET or "own" in request.POST),
        "last": last,
        "both": confirming(
            page.table,
            page.names,
            page.hands,
            page.issues,
            device=device,
            side=side,
            asked=(knows_side(request) or "side" in request.GET) and "speak" not in request.GET,
        ),
    }
