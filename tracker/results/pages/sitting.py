"""A table with every hand, for scorers, and a round undone with every hand that goes or comes."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from tracker.backups.automatic import copy_before_request
from tracker.common.forms import refusals_as_messages
from tracker.common.web import access
from tracker.models import Role, Round, RoundState
from tracker.results.queries.hand_details import HandDetails, details_by_table, hand_details
from tracker.results.queries.issues import issue_details, open_issues
from tracker.results.queries.table import unconfirmed_among
from tracker.seating.pages.rounds import round_context, round_of
from tracker.seating.services.rounds import restore_round, undo_round
from tracker.tables.reading import read_table, read_tables
from tracker.tables.table_now import TableNow


@access.page
@require_safe
@never_cache
def sitting(request: HttpRequest, sitting_id: int) -> HttpResponse:
    """Show every hand of a table, with everything that is known of it."""
    table = scored_table(request, sitting_id)
    hands = hand_details(table)
    issues = issue_details(table, hands, open_issues(table))
    known = {hand.number for hand in hands}
    context = access.context(
        request,
        table.club,
        table=table,
        tournament=table.tournament,
        hands=[
            (hand, [issue for issue in issues if issue.row.number == hand.number]) for hand in hands
        ],
        late=[issue for issue in issues if issue.row.number not in known],  # about no hand
        unconfirmed=unconfirmed_among(table, hands, issues),
    )
    return render(request, "results/corrections/sitting.html", context)


def scored_table(request: HttpRequest, sitting_id: int) -> TableNow:
    """Return a table that the reader may correct.

    :raises SignInNeeded, PermissionDenied, Http404: as ``access.get``.
    """
    table = read_table(sitting_id=sitting_id)
    access.check(request, table.club if table else None, Role.SCORER)
    if table is None:  # ``check`` has raised already; this tells the type checker
        raise Http404
    return table


def gone(table: TableNow, hand: HandDetails) -> str:
    """Say which hand no longer counts and what it was, with the way to bring it back."""
    return format_html(
        '{} <a href="{}?change=restore">{}</a>',
        _("Table %(table)d, %(hand)s no longer counts: %(result)s.")
        % {"table": table.number, "hand": hand.called, "result": hand.result},
        reverse("hand-correct", args=[table.sitting_id, hand.number]),
        _("Bring it back"),
    )


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
def round_undo(request: HttpRequest, round_id: int) -> HttpResponse:
    """Name the hands that go out with a round, and take it back; or bring it back with them."""
    round_ = round_of(request, round_id)
    read = read_tables(rounds=[round_.pk])
    details = details_by_table(read)
    standing = [
        (table, [hand for hand in details[table.sitting_id] if not hand.struck]) for table in read
    ]
    tables = [(table, hands) for table, hands in standing if hands]
    count = sum(len(hands) for _table, hands in tables)
    if request.method == "POST":
        back = round_.state == RoundState.UNDONE
        change = restore_round if back else undo_round
        said = (
            _("Before round %(number)d of %(tournament)s came back")
            if back
            else _("Before round %(number)d of %(tournament)s was undone")
        )
        copy_before_request(
            request, said % {"number": round_.number, "tournament": round_.tournament.name}
        )
        with refusals_as_messages(request):
            change(round_id=round_.pk, by=access.actor(request))
            messages.success(request, _back(round_, count) if back else _gone(round_, count))
        return redirect("desk", round_.tournament_id)
    context = round_context(request, round_, tables=tables, hands=count)
    return render(request, "results/round_undo.html", context)


def _gone(round_: Round, hands: int) -> str:
    """Say what went out, with the way to see which hands, and to bring them back."""
    if hands:
        words = ngettext(
            "Round %(number)d is undone: %(hands)d result no longer counts.",
            "Round %(number)d is undone: %(hands)d results no longer count.",
            hands,
        )
    else:
        words = _("Round %(number)d is undone; it had no results.")
    return format_html(
        '{} <a href="{}">{}</a>',
        words % {"number": round_.number, "hands": hands},
        reverse("round-undo", args=[round_.pk]),
        _("See which, or bring it back") if hands else _("Bring it back"),
    )


def _back(round_: Round, hands: int) -> str:
    if not hands:
        return _("Round %(number)d is back.") % {"number": round_.number}
    return ngettext(
        "Round %(number)d is back: %(hands)d result counts again.",
        "Round %(number)d is back: %(hands)d results count again.",
        hands,
    ) % {"number": round_.number, "hands": hands}


urlpatterns = [
    path("rounds/<int:round_id>/undo/", round_undo, name="round-undo"),
    path("sittings/<int:sitting_id>/", sitting, name="sitting"),
]
