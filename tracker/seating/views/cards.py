"""The lasting card of a table."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import require_http_methods, require_safe

from tracker.common.web.addresses import reachable
from tracker.common.web.devices import tables_seen
from tracker.common.web.qr import qr
from tracker.common.web.watched import watched
from tracker.ledger import revisions
from tracker.ledger.misses import count_miss
from tracker.models import Table
from tracker.seating.forms import CodeForm
from tracker.seating.logic.guessing import counted, network_of
from tracker.seating.queries.tables import (
    sitting_there_now,
    table_of_card,
    table_of_code,
    was_a_key,
)


@require_safe
@never_cache
@watched(revisions.of_card)
def card(request: HttpRequest, card_token: str) -> HttpResponse:
    """Redirect to the sitting at the card's table now, or show a waiting page."""
    table = table_of_card(card_token)
    if table is None and was_a_key(card_token):
        return render(request, "seating/replaced.html", status=410)
    return lead(request, table)


def lead(request: HttpRequest, table: Table | None) -> HttpResponse:
    """Redirect to the sitting at a table now, or show a waiting page that looks again.

    :raises Http404: if there is no such table.
    """
    if table is None:
        raise Http404(_("This card belongs to no table here."))
    if table.withdrawn_at is not None:
        return render(request, "seating/replaced.html", status=410)
    if sitting := sitting_there_now(table):
        return redirect(sitting)
    home = table.tournament or table.night
    club = home.club if home else None
    return render(request, "seating/waiting.html", {"table": table, "club": club})


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def card_code(request: HttpRequest) -> HttpResponse:
    """Redirect to a table by the code on its card; ``guessing`` limits wrong codes."""
    form = CodeForm(request.POST or None)
    if not form.is_valid():
        return render(request, "seating/code.html", {"form": form})
    code, now = form.cleaned_data["code"], timezone.now().timestamp()
    tables = tables_seen(request)
    patience = counted(
        code,
        address=_hashed(network_of(request.META.get("REMOTE_ADDR", ""))),
        table=_hashed(tables[-1]) if tables else "",
    )
    card_token, may_know = table_of_code(code, patience, now)
    if card_token and may_know:
        return redirect("card", card_token)
    if card_token or not count_miss(patience, now):
        sentence = _("Too many codes that are not there. Scan the card, or try again in an hour.")
        page = {"form": CodeForm(), "stop": sentence}
        return render(request, "seating/code.html", page, status=429)
    form.refuse(replaced=was_a_key(code))
    return render(request, "seating/code.html", {"form": form})


def _hashed(text: str) -> str:
    return salted_hmac("tracker.misses", text).hexdigest()[:32]


@require_safe
@cache_control(private=True, max_age=3600)
def card_qr(request: HttpRequest, card_token: str) -> HttpResponse:
    """Draw the QR code of the card's address."""
    table = table_of_card(card_token)
    if table is None:
        raise Http404(_("This card belongs to no table here."))
    return qr(card_address(request, table))


def card_address(request: HttpRequest, table: Table) -> str:
    """Return the address of a table's card as phones can reach it."""
    return reachable(request, table.get_absolute_url())
