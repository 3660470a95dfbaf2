"""View of a table with every hand, for scorers."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from tracker.common.web import access
from tracker.ledger.statements import read_table
from tracker.ledger.table import TableNow
from tracker.models import Role
from tracker.reports.queries.hand_details import HandDetails, hand_details
from tracker.reports.queries.issues import issue_details, open_issues
from tracker.reports.queries.table import unconfirmed_among


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
            (hand, [issue for issue in issues if issue.number == hand.number]) for hand in hands
        ],
        late=[issue for issue in issues if issue.number not in known],  # about no hand
        unconfirmed=unconfirmed_among(table, hands, issues),
    )
    return render(request, "reports/corrections/sitting.html", context)


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
