"""How a hand of a table was played, card by card: shown to all, kept by scorers."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games.errors import RuleError
from tracker.common.web import access
from tracker.common.web.parameters import number_in
from tracker.common.wording import Names, say
from tracker.ledger.statements import read_table
from tracker.ledger.table import TableNow
from tracker.models import Hand, Role
from tracker.practice.forms.replay import RecordForm
from tracker.practice.queries.records import record_page
from tracker.practice.services.records import attach_record, detach_record


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def hand_record(request: HttpRequest, sitting_id: int, number: int) -> HttpResponse:
    """Show the record of a hand, and take one in."""
    table, hand = _hand(request, sitting_id, number)
    names = table.names_at(number)
    form = RecordForm()
    if request.method == "POST":
        form = RecordForm(request.POST, request.FILES)
        if _changed(request, table, hand, names, form):
            return redirect("hand-record", sitting_id, number)
    return _page(request, table, hand, names, form)


def _hand(request: HttpRequest, sitting_id: int, number: int) -> tuple[TableNow, Hand]:
    """Return a hand that the reader may see, or, to change something, may keep.

    :raises SignInNeeded, PermissionDenied, Http404: as ``access.get``.
    """
    table = read_table(sitting_id=sitting_id)
    role = Role.SCORER if request.method == "POST" else None
    access.check(request, table.club if table else None, role)
    hand = Hand.objects.filter(sitting=sitting_id, number=number).first()
    if table is None or hand is None:
        raise Http404
    return table, hand


def _changed(
    request: HttpRequest, table: TableNow, hand: Hand, names: Names, form: RecordForm
) -> bool:
    """Keep or take away what was sent, and say whether that was done."""
    sitting_id, number, by = table.sitting_id, hand.number, access.actor(request)
    if "remove" in request.POST:
        detach_record(sitting_id=sitting_id, number=number, by=by)
        messages.success(request, _("The record was taken away."))
        return True
    if not form.is_valid():
        return False
    try:
        attach_record(sitting_id=sitting_id, number=number, text=form.text_sent(), by=by)
    except RuleError as refusal:
        form.add_error("text", say(refusal, names))
        return False
    messages.success(request, _("The record is kept: it agrees with the sheet."))
    return True


def _page(
    request: HttpRequest, table: TableNow, hand: Hand, names: Names, form: RecordForm
) -> HttpResponse:
    tournament = table.tournament
    kept = record_page(hand, names, number_in(request.GET.get("step", "")) or 0)
    context = access.context(
        request,
        tournament.club,
        table=table,
        tournament=tournament,
        called=table.numbered(hand.number),
        kept=kept,
        page=kept.page if kept else None,
        form=form,
        may_score=access.may(request, tournament.club, Role.SCORER),
    )
    return render(request, "practice/replay/kept.html", context)
