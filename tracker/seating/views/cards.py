"""The lasting card of a table."""

from django.core.cache import cache
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import require_http_methods, require_safe

from tracker.common.web.addresses import reachable
from tracker.common.web.htmx import HtmxHttpRequest
from tracker.common.web.qr import qr
from tracker.models import Table
from tracker.seating.forms import CodeForm
from tracker.seating.queries.tables import sitting_there_now, table_of_card

MISSES_A_MINUTE = 30


@require_safe
@never_cache
def card(request: HtmxHttpRequest, card_token: str) -> HttpResponse:
    """Lead to whoever sits at the table now, or wait for somebody."""
    table = _table(card_token)
    if sitting := sitting_there_now(table):
        if request.htmx:
            # htmx would follow a redirect and put the table into the waiting page.
            return HttpResponse(headers={"HX-Redirect": sitting.get_absolute_url()})
        return redirect(sitting)
    if request.htmx:
        return HttpResponse(status=204)
    return render(request, "seating/waiting.html", {"table": table, "club": _club(table)})


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def card_code(request: HttpRequest) -> HttpResponse:
    """Lead to a table by the four characters on its card."""
    form = CodeForm(request.POST or None)
    # Only unknown codes are counted: a hall is one address, and its tables are known.
    misses = _Misses(request.META.get("REMOTE_ADDR", ""))
    if request.method == "POST" and misses.too_many():
        form = CodeForm()
        sentence = _("Too many codes that are not there. Wait a minute, or scan the card.")
        return render(request, "seating/code.html", {"form": form, "stop": sentence}, status=429)
    if form.is_valid() and form.table is not None:
        return redirect(form.table)
    if form.has_error("code", "code-unknown"):
        misses.add()
    return render(request, "seating/code.html", {"form": form})


@require_safe
@cache_control(private=True, max_age=3600)
def card_qr(request: HttpRequest, card_token: str) -> HttpResponse:
    """Draw the QR code of the card's address."""
    return qr(card_address(request, _table(card_token)))


def card_address(request: HttpRequest, table: Table) -> str:
    """Return the address of a table's card as phones can reach it."""
    return reachable(request, table.get_absolute_url())


class _Misses:
    """How many unknown codes one address has tried in the last minute."""

    def __init__(self, address: str) -> None:
        self.key = f"card-code-misses:{address}"

    def too_many(self) -> bool:
        return int(cache.get(self.key, 0)) >= MISSES_A_MINUTE

    def add(self) -> None:
        cache.add(self.key, 0, timeout=60)
        cache.incr(self.key)


def _table(card_token: str) -> Table:
    table = table_of_card(card_token)
    if table is None:
        raise Http404(_("This card belongs to no table here."))
    return table


def _club(table: Table) -> object:
    home = table.tournament or table.night
    return home.club if home else None
