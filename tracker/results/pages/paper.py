"""Pages that record paper sheets: a table's typed into a grid, a whole night's from a file."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import path
from django.utils.translation import gettext as _, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from tracker.backups.automatic import copy_before_request
from tracker.common.web import access
from tracker.common.web.requests import number_in
from tracker.models import Role, Round, RoundState, Sitting
from tracker.results.forms import results_file
from tracker.results.forms.paper_grid import SEEN, PaperGrid
from tracker.results.forms.results_file import ResultsFile, read_file, record_file
from tracker.results.pages.table_requests import checked_table
from tracker.results.queries.hand_details import hand_details
from tracker.results.services.paper import PaperRefused, write_down
from tracker.tables.sql import read_tables
from tracker.tables.table_now import TableNow

LINES_SHOWN = 300  # of an uploaded file
ROUNDS_SHOWN = 8  # the latest ones
_ROWS_ADDED = 8  # by the button for more rows
_LONGEST_REASON = 300


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def paper(request: HttpRequest, sitting_id: int) -> HttpResponse:
    """Ask for everything on a table's paper sheet, and record it at once.

    The button "more" adds rows; "next" records, and goes on to the next table of the round.
    """
    table = checked_table(request, sitting_id, Role.SCORER)
    sittings = list(Sitting.objects.filter(round=table.round_id).order_by("number"))
    index = [sitting.pk for sitting in sittings].index(sitting_id)
    following = next(iter(sittings[index + 1 :]), None)
    # A hand beyond the last number was undone by the table: its row is empty, as for a new hand.
    hands = {hand.number: hand for hand in hand_details(table) if hand.number <= table.last_number}
    data = request.POST.copy() if request.method == "POST" else None
    rows = number_in((request.GET if data is None else request.POST).get("rows", "")) or 0
    grid = PaperGrid(table, hands, data, rows=rows)
    if data is not None and "more" in data:
        grid = PaperGrid(table, hands, data, rows=len(grid.rows) + _ROWS_ADDED)
    elif data is not None and grid.is_valid() and _record(request, grid, data):
        return redirect("paper", following.pk if following and "next" in data else sitting_id)
    return access.render(
        request,
        "results/paper/grid.html",
        table.club,
        table=table,
        tournament=table.tournament,
        grid=grid,
        previous=sittings[index - 1] if index else None,
        following=following,
        names=table.coming_names,
        # A sheet that was recorded has led to a redirect above.
        refused=data is not None and "more" not in data,
    )


def _record(request: HttpRequest, grid: PaperGrid, data: QueryDict) -> bool:
    """Record the paper sheet and return true, or show in its rows why it is refused."""
    table = grid.table
    # Trap: PostgreSQL keeps no NUL.
    reason = request.POST.get("reason", "").replace("\x00", "").strip()[:_LONGEST_REASON]
    reason, by = reason or _("Written down from paper"), access.actor(request)
    try:
        results = write_down({table.sitting_id: grid.paper()}, reason=reason, by=by)
    except PaperRefused as refused:
        rows = {row.questions.number: row for row in grid.rows}
        for number, refusal in refused.refusals[table.sitting_id].items():
            row = rows.get(number)
            if row is not None and row.written:
                row.refuse(refusal)
                # The page now shows the stored hand as it is: sent again, the row replaces it.
                data[f"h{number}-{SEEN}"] = str(row.initial[SEEN] or "")
            else:  # a stored hand that cannot follow the changes
                hand = table.numbered(number)
                messages.error(request, _("Then %(hand)s could not be.") % {"hand": hand})
        return False
    recorded = results[table.sitting_id]
    added, changed = len(recorded.added), len(recorded.changed)
    counts = []
    if added:
        counts.append(ngettext("%d new result", "%d new results", added) % added)
    if changed:
        counts.append(ngettext("%d result corrected", "%d results corrected", changed) % changed)
    sentence = _("Table %(number)d: nothing has changed.")
    if counts:
        sentence = _("Table %(number)d saved: %(what)s.")
    messages.success(request, sentence % {"number": table.number, "what": ", ".join(counts)})
    return True


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def paper_file(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """List the tables of the latest rounds; preview an uploaded file of results, then save it."""
    tournament = access.tournament(request, tournament_id, Role.SCORER)
    sent = request.method == "POST"
    form = results_file.ResultsFileForm(
        request.POST if sent else None, request.FILES if sent else None
    )
    file: ResultsFile | None = None
    if form.is_valid():
        keep = "keep" in request.POST  # else it is only tried, for the preview
        if keep:
            why = _("Before a file of results of %(tournament)s was taken in")
            copy_before_request(request, why % {"tournament": tournament.name})
        file = record_file(read_file(tournament, form.text), keep=keep, by=access.actor(request))
        if file.stored:
            sentence = ngettext("%(count)d result saved.", "%(count)d results saved.", file.new)
            messages.success(request, sentence % {"count": file.new})
            return redirect("paper-file", tournament.pk)
    seated = tournament.rounds.filter(state__in=[RoundState.OPEN, RoundState.CLOSED])
    latest = {round_.pk: round_ for round_ in seated.order_by("-number")[:ROUNDS_SHOWN]}
    tables_by_round: dict[Round, list[TableNow]] = {round_: [] for round_ in latest.values()}
    for table in read_tables(rounds=latest):
        tables_by_round[latest[table.round_id]].append(table)
    return access.render(
        request,
        "results/paper/file.html",
        tournament.club,
        tournament=tournament,
        rounds=tables_by_round,
        form=form,
        results=file,
        shown=file.lines[:LINES_SHOWN] if file else (),
        headings=results_file.headings(tournament),
    )


urlpatterns = [
    path("sittings/<int:sitting_id>/paper/", paper, name="paper"),
    path("tournaments/<int:tournament_id>/paper/", paper_file, name="paper-file"),
]
