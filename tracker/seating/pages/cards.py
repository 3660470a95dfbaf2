"""The cards, codes and addresses of tables: followed, shown, renewed, withdrawn."""

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
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import require_http_methods, require_safe

from tracker.common.forms import refusals_as_messages
from tracker.common.rate_limit import RateLimit
from tracker.common.web import access
from tracker.common.web.addresses import full_address, qr_response
from tracker.common.web.devices import tables_seen
from tracker.common.web.polling import conditional_page
from tracker.common.web.requests import key_in
from tracker.models import Role, Sitting, Table
from tracker.seating.queries.cards import (
    sitting_there_now,
    table_of_card,
    table_of_code,
    tables_with_sittings,
    was_a_key,
)
from tracker.seating.services.cards import renew_address, renew_cards, withdraw_card
from tracker.tables import revisions
from tracker.tables.failed_lookups import count_miss

OLD_LENGTH = 4
ONE = RateLimit(burst=30, seconds=1200)  # an address, or the phones of a table
ALL = RateLimit(burst=500, seconds=20)
ALL_AT_OLD_CODES = RateLimit(burst=100, seconds=900)


class CodeForm(forms.Form):
    """The code printed on a table's card."""

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

    def refuse(self, *, replaced: bool) -> None:
        """Say beside the field that no table has this code, or no more."""
        self.add_error(
            "code",
            forms.ValidationError(
                gettext_lazy("This card was replaced. Ask the organiser for the new one.")
                if replaced
                else gettext_lazy("No table has the code %(code)s. Check the card again."),
                code="code-replaced" if replaced else "code-unknown",
                params={"code": self.data["code"].strip().upper()},
            ),
        )


@require_safe
@never_cache
@conditional_page(revisions.of_card)
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


def counted(code: str, *, address: str, table: str) -> dict[str, RateLimit]:
    """Return the limits a wrong code counts against, the narrowest first; *table* may be empty.

    >>> list(counted("K7MXQ2", address="192.0.2.7", table=""))
    ['address 192.0.2.7', 'strangers']
    >>> list(counted("K7MX", address="192.0.2.7", table="x7"))
    ['table x7', 'players at old codes']
    """
    nearest, everybody = (
        (f"table {table}", "players") if table else (f"address {address}", "strangers")
    )
    if len(code) <= OLD_LENGTH:
        return {nearest: ONE, f"{everybody} at old codes": ALL_AT_OLD_CODES}
    return {nearest: ONE, everybody: ALL}


def network_of(address: str) -> str:
    """Return what one person may have many addresses of: in IPv6 the half that is given out.

    >>> network_of("192.0.2.7"), network_of("2001:db8:0:1:a:b:c:d"), network_of("")
    ('192.0.2.7', '2001:db8:0:1::', '')
    """
    try:
        known = ip_address(address)
    except ValueError:
        return address
    if isinstance(known, IPv6Address):
        if known.ipv4_mapped:
            return str(known.ipv4_mapped)
        return str(IPv6Address(int(known) >> 64 << 64))
    return str(known)


def _hashed(text: str) -> str:
    return salted_hmac("tracker.misses", text).hexdigest()[:32]


@require_safe
@cache_control(private=True, max_age=3600)
def card_qr(request: HttpRequest, card_token: str) -> HttpResponse:
    """Draw the QR code of the card's address."""
    table = table_of_card(card_token)
    if table is None:
        raise Http404(_("This card belongs to no table here."))
    return qr_response(card_address(request, table))


def card_address(request: HttpRequest, table: Table) -> str:
    """Return the address of a table's card as phones can reach it."""
    return full_address(request, table.get_absolute_url())


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def keys(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """Show which card opens which table, and let the organiser change that."""
    tournament = access.tournament(request, tournament_id, Role.ORGANISER)
    rows = tables_with_sittings(tournament)
    if request.method == "POST":
        new = _act(request, rows)
        asked = f"?{urlencode({'table': new}, doseq=True)}" if new else ""
        return redirect(reverse("table-keys", args=[tournament.pk]) + asked)
    printed = [key for text in request.GET.getlist("table") if (key := key_in(text))]
    context = access.context(
        request,
        tournament.club,
        tournament=tournament,
        rows=rows,
        old_length=OLD_LENGTH,
        printed=urlencode({"table": printed}, doseq=True),
    )
    return render(request, "seating/keys.html", context)


def _act(request: HttpRequest, rows: Sequence[tuple[Table, Sitting | None]]) -> list[int]:
    """Do what was tapped, and return the tables whose new cards are to be printed."""
    by, rng, do = access.actor(request), SystemRandom(), request.POST.get("do", "")
    if do == "all":
        new = [table.pk for table, _sitting in rows]
        numbers = renew_cards(tables=new, rng=rng, by=by)
        words = ngettext("%(count)d new card.", "%(count)d new cards.", len(numbers))
        messages.success(request, words % {"count": len(numbers)})
        return new
    asked = key_in(request.POST.get("table", ""))
    row = next((row for row in rows if row[0].pk == asked), None)
    if row is None:
        return []
    table, sitting = row
    number = {"number": table.number}
    if do == "renew":
        renew_cards(tables=[table.pk], rng=rng, by=by)
        messages.success(request, _("Table %(number)d has a new card. Print it.") % number)
        return [table.pk]
    if do == "withdraw":
        withdraw_card(table_id=table.pk, rng=rng, by=by)
        messages.success(
            request,
            _("The card of table %(number)d no longer works. A new card brings the table back.")
            % number,
        )
    elif do == "address" and sitting is not None:
        with refusals_as_messages(request):
            renew_address(sitting_id=sitting.pk, by=by)
            words = _("Table %(number)d: its phones must scan the card again.")
            messages.success(request, words % number)
    return []


urlpatterns = [
    path("tournaments/<int:tournament_id>/keys/", keys, name="table-keys"),
    path("c/<str:card_token>/", card, name="card"),
    path("c/<str:card_token>/qr.svg", card_qr, name="card-qr"),
    path("card/", card_code, name="card-code"),
]
