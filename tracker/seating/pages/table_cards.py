"""Pages of table cards: what their QR codes and typed codes open, and replacing cards.

A *table card* is printed for one table of the hall and has a QR code and a short code to type. Both
lead to the *sitting*, the people around that table in the round that is played now.
"""

from collections.abc import Sequence
from ipaddress import IPv6Address, ip_address
from random import SystemRandom

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.http import urlencode
from django.utils.translation import gettext as _, gettext_lazy, ngettext
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import require_http_methods, require_safe

from tracker.common.forms import refusals_as_messages
from tracker.common.web import access
from tracker.common.web.addresses import full_address, qr_response
from tracker.common.web.devices import TABLES, seen_tokens
from tracker.common.web.polling import conditional_page
from tracker.common.web.requests import key_in
from tracker.models import Role, Sitting, Table
from tracker.seating.pages.rounds import lead_to_table
from tracker.seating.queries.table_cards import (
    is_withdrawn_key,
    table_of_code,
    table_with_club,
    tables_with_sittings,
)
from tracker.seating.services.table_cards import renew_address, renew_cards, withdraw_card
from tracker.tables import revisions
from tracker.tables.failed_lookups import RateLimit, count_failed_lookup

# Limits on guessing codes. ``RateLimit(burst, seconds)`` lets *burst* wrong codes pass at once, and
# one more every *seconds*. A wrong code counts against two limits: that of the network address it
# comes from, and that of all strangers together. From a phone that has been at a table today it
# counts against the limit of the phones of that table and that of all such phones instead, so that
# strangers cannot lock out a hall.
#
# A code has 6 of 31 signs: 887,503,681 codes. All strangers together may miss 500 times, then 4,320
# times a day, from however many addresses. Where 60 tables have cards, they hit one within
# 31**6 / (4320 * 60) days, which is 9 years; within a month with a chance of 1 in 110.
#
# Older cards, until renewed, have codes of 4 signs: 923,521, limited separately to 100 misses, then
# 96 a day. 60 such tables hold for 160 days on average; within a month the chance is 1 in 6.
#
# An address, like the phones of one table, may miss 30 times, then 72 times a day: less than what
# all strangers get back in that time, so that one address alone never uses up the limit of all. 60
# addresses can keep it used up. Then strangers have to scan a card; phones that have been at a table
# today can still type.
OLD_LENGTH = 4  # signs of an older card's code
ONE_SOURCE = RateLimit(burst=30, seconds=1200)
ALL_SOURCES = RateLimit(burst=500, seconds=20)
ALL_SOURCES_AT_OLD_CODES = RateLimit(burst=100, seconds=900)


class CodeForm(forms.Form):
    code = forms.CharField(
        label=gettext_lazy("Table code"),
        help_text=gettext_lazy("It is on the card. Capitals and spaces do not matter."),
        max_length=12,
        widget=forms.TextInput(
            attrs={
                "autocomplete": "off",
                "autocapitalize": "characters",
                "spellcheck": "false",
                "size": 8,
            }
        ),
    )

    def clean_code(self) -> str:
        """Return the code as it is stored: in capitals, without spaces."""
        return "".join(self.cleaned_data["code"].split()).upper()


@require_safe
@never_cache
@conditional_page(revisions.of_card)
def card(request: HttpRequest, card_token: str) -> HttpResponse:
    """Redirect to the sitting at the table of a card, or show a page that waits for one."""
    table = table_with_club(card_token=card_token)
    if table is None and is_withdrawn_key(card_token):
        return render(request, "seating/replaced.html", status=410)
    return lead_to_table(request, table)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def card_code(request: HttpRequest) -> HttpResponse:
    """Ask for the code on a table card, and redirect to its table; limit the wrong codes."""
    form = CodeForm(request.POST or None)
    if not form.is_valid():
        return render(request, "seating/code.html", {"form": form})
    code, now = form.cleaned_data["code"], timezone.now().timestamp()
    table_tokens = seen_tokens(request, TABLES)  # tables that this phone has been at today
    limits = limits_for(
        code,
        address=_hashed(network_of(request.META.get("REMOTE_ADDR", ""))),
        table=_hashed(table_tokens[-1]) if table_tokens else "",
    )
    card_token, within_limits = table_of_code(code, limits, now)
    if card_token and within_limits:
        return redirect("card", card_token)
    # Past the limits a right code is refused like a wrong one; otherwise a wrong one is counted.
    if card_token or not count_failed_lookup(limits, now):
        stop = _("Too many codes that are not there. Scan the card, or try again in an hour.")
        return render(request, "seating/code.html", {"form": CodeForm(), "stop": stop}, status=429)
    if is_withdrawn_key(code):
        form.add_error("code", _("This card was replaced. Ask the organiser for the new one."))
    else:
        typed = {"code": form.data["code"].strip().upper()}
        form.add_error("code", _("No table has the code %(code)s. Check the card again.") % typed)
    return render(request, "seating/code.html", {"form": form})


def limits_for(code: str, *, address: str, table: str) -> dict[str, RateLimit]:
    """Return the limits that a wrong code counts against, keyed by their source, narrowest first.

    *address* is the network that the code comes from, and *table* the table that the phone was at
    last, or empty; both may be hashed.

    >>> list(limits_for("K7MXQ2", address="192.0.2.7", table=""))
    ['address 192.0.2.7', 'strangers']
    >>> list(limits_for("K7MX", address="192.0.2.7", table="x7"))
    ['table x7', 'players at old codes']
    """
    source, group = (f"table {table}", "players") if table else (f"address {address}", "strangers")
    if len(code) <= OLD_LENGTH:
        return {source: ONE_SOURCE, f"{group} at old codes": ALL_SOURCES_AT_OLD_CODES}
    return {source: ONE_SOURCE, group: ALL_SOURCES}


def network_of(address: str) -> str:
    """Return the part of an IP address that is one person's: of IPv6 the first 64 bits.

    >>> network_of("192.0.2.7"), network_of("2001:db8:0:1:a:b:c:d"), network_of("")
    ('192.0.2.7', '2001:db8:0:1::', '')
    """
    try:
        parsed = ip_address(address)
    except ValueError:
        return address
    if isinstance(parsed, IPv6Address):
        return str(parsed.ipv4_mapped or IPv6Address(int(parsed) >> 64 << 64))
    return str(parsed)


def _hashed(text: str) -> str:
    return salted_hmac("tracker.misses", text).hexdigest()[:32]


@require_safe
@cache_control(private=True, max_age=3600)
def card_qr(request: HttpRequest, card_token: str) -> HttpResponse:
    """Return the image of a table card's QR code, which holds the URL of ``card``."""
    table = table_with_club(card_token=card_token)
    if table is None:
        raise Http404(_("This card belongs to no table here."))
    return qr_response(card_url(request, table))


def card_url(request: HttpRequest, table: Table) -> str:
    return full_address(request, table.get_absolute_url())


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def keys(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """List the table cards for the organiser, who may renew or withdraw them."""
    tournament = access.tournament(request, tournament_id, Role.ORGANISER)
    rows = tables_with_sittings(tournament)
    if request.method == "POST":
        renewed = _change_cards(request, rows)
        query = f"?{urlencode({'table': renewed}, doseq=True)}" if renewed else ""
        return redirect(reverse("table-keys", args=[tournament.pk]) + query)
    to_print = [key for text in request.GET.getlist("table") if (key := key_in(text))]
    printed = urlencode({"table": to_print}, doseq=True)
    values = {"tournament": tournament, "rows": rows, "old_length": OLD_LENGTH, "printed": printed}
    return render(request, "seating/keys.html", access.context(request, tournament.club, **values))


def _change_cards(request: HttpRequest, rows: Sequence[tuple[Table, Sitting | None]]) -> list[int]:
    """Do what the pressed button says, and return the keys of the tables with new cards to print.

    ``do`` is ``all`` or ``renew`` for new cards of all tables or of one, ``withdraw`` for a card
    that opens nothing any more, ``address`` for a new URL of the table's sitting.
    """
    by, rng, do = access.actor(request), SystemRandom(), request.POST.get("do", "")
    if do == "all":
        table_ids = [table.pk for table, _sitting in rows]
        numbers = renew_cards(tables=table_ids, rng=rng, by=by)
        template = ngettext("%(count)d new card.", "%(count)d new cards.", len(numbers))
        messages.success(request, template % {"count": len(numbers)})
        return table_ids
    chosen = key_in(request.POST.get("table", ""))
    table, sitting = next((row for row in rows if row[0].pk == chosen), (None, None))
    if table is None:
        return []
    params = {"number": table.number}
    if do == "renew":
        renew_cards(tables=[table.pk], rng=rng, by=by)
        messages.success(request, _("Table %(number)d has a new card. Print it.") % params)
        return [table.pk]
    if do == "withdraw":
        withdraw_card(table_id=table.pk, rng=rng, by=by)
        template = _(
            "The card of table %(number)d no longer works. A new card brings the table back."
        )
        messages.success(request, template % params)
    elif do == "address" and sitting is not None:
        with refusals_as_messages(request):
            renew_address(sitting_id=sitting.pk, by=by)
            template = _("Table %(number)d: its phones must scan the card again.")
            messages.success(request, template % params)
    return []


urlpatterns = [
    path("tournaments/<int:tournament_id>/keys/", keys, name="table-keys"),
    path("c/<str:card_token>/", card, name="card"),
    path("c/<str:card_token>/qr.svg", card_qr, name="card-qr"),
    path("card/", card_code, name="card-code"),
]
