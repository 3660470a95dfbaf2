"""Page that undoes a round, or restores it, with the hands that go or come back."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _, ngettext
from django.views.decorators.http import require_http_methods

from tracker.backups.automatic import copy_before_request
from tracker.common.forms import refusals_as_messages
from tracker.common.web import access
from tracker.models import Round, RoundState
from tracker.results.queries.hand_details import details_by_table
from tracker.seating.pages.rounds import round_context, round_of
from tracker.seating.services.rounds import restore_round, undo_round
from tracker.tables.sql import read_tables


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
def round_undo(request: HttpRequest, round_id: int) -> HttpResponse:
    """Show the hands of a round, and undo the round with them; or restore an undone round."""
    round_ = round_of(request, round_id)
    tables = read_tables(rounds=[round_.pk])
    details = details_by_table(tables)
    # Each table with the hands that go or come back; those undone or deleted (struck) do neither.
    tables_with_hands = [
        (table, [hand for hand in details[table.sitting_id] if not hand.struck]) for table in tables
    ]
    count = sum(len(hands) for _table, hands in tables_with_hands)
    if request.method == "POST":
        comes_back = round_.state == RoundState.UNDONE
        change = restore_round if comes_back else undo_round
        why = _("Before round %(number)d of %(tournament)s was undone")
        if comes_back:
            why = _("Before round %(number)d of %(tournament)s came back")
        params = {"number": round_.number, "tournament": round_.tournament.name}
        copy_before_request(request, why % params)
        with refusals_as_messages(request):
            change(round_id=round_.pk, by=access.actor(request))
            message = _restored_message if comes_back else _undone_message
            messages.success(request, message(round_, count))
        return redirect("desk", round_.tournament_id)
    shown = [(table, hands) for table, hands in tables_with_hands if hands]
    context = round_context(request, round_, tables=shown, hands=count)
    return render(request, "results/round_undo.html", context)


def _restored_message(round_: Round, count: int) -> str:
    sentence = _("Round %(number)d is back.")
    if count:
        sentence = ngettext(
            "Round %(number)d is back: %(hands)d result counts again.",
            "Round %(number)d is back: %(hands)d results count again.",
            count,
        )
    return sentence % {"number": round_.number, "hands": count}


def _undone_message(round_: Round, count: int) -> str:
    sentence, link = _("Round %(number)d is undone; it had no results."), _("Bring it back")
    if count:
        link = _("See which, or bring it back")
        sentence = ngettext(
            "Round %(number)d is undone: %(hands)d result no longer counts.",
            "Round %(number)d is undone: %(hands)d results no longer count.",
            count,
        )
    sentence %= {"number": round_.number, "hands": count}
    url = reverse("round-undo", args=[round_.pk])
    return format_html('{} <a href="{}">{}</a>', sentence, url, link)


urlpatterns = [path("rounds/<int:round_id>/undo/", round_undo, name="round-undo")]
