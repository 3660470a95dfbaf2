"""The cards, codes and addresses of a tournament's tables: shown, renewed, withdrawn."""

from random import SystemRandom

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from tracker.common.errors import Refused
from tracker.common.refusals import sentence
from tracker.common.web import access
from tracker.common.web.parameters import key_in
from tracker.models import Role
from tracker.seating.queries.tables import TableWithSitting, tables_with_sittings
from tracker.seating.services.keys import renew_address, renew_cards, withdraw_card


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
        printed=urlencode({"table": printed}, doseq=True),
    )
    return render(request, "seating/keys.html", context)


def _act(request: HttpRequest, rows: list[TableWithSitting]) -> list[int]:
    """Do what was tapped, and return the tables whose new cards are to be printed."""
    by, rng, do = access.actor(request), SystemRandom(), request.POST.get("do", "")
    if do == "all":
        new = [row.table.pk for row in rows]
        numbers = renew_cards(tables=new, rng=rng, by=by)
        words = ngettext("%(count)d new card.", "%(count)d new cards.", len(numbers))
        messages.success(request, words % {"count": len(numbers)})
        return new
    asked = key_in(request.POST.get("table", ""))
    row = next((row for row in rows if row.table.pk == asked), None)
    if row is None:
        return []
    number = {"number": row.table.number}
    if do == "renew":
        renew_cards(tables=[row.table.pk], rng=rng, by=by)
        messages.success(request, _("Table %(number)d has a new card. Print it.") % number)
        return [row.table.pk]
    if do == "withdraw":
        withdraw_card(table_id=row.table.pk, rng=rng, by=by)
        messages.success(
            request,
            _("The card of table %(number)d no longer works. A new card brings the table back.")
            % number,
        )
    elif do == "address" and row.sitting is not None:
        try:
            renew_address(sitting_id=row.sitting.pk, by=by)
        except Refused as refused:
            messages.error(request, sentence(refused))
        else:
            words = _("Table %(number)d: its phones must scan the card again.")
            messages.success(request, words % number)
    return []
