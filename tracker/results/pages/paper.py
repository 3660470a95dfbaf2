"""Typing in paper sheets: a table's on a grid, a whole night's from a file."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from tracker.backups.automatic import copy_before_request
from tracker.common.web import access
from tracker.common.web.requests import number_in
from tracker.models import Role
from tracker.results.forms.paper import SEEN, Grid
from tracker.results.forms.results_import import ResultsFileForm, headings, read_file
from tracker.results.pages.sitting import scored_table
from tracker.results.queries.paper import OnPaper, on_paper, rounds_on_paper, tables_on_file
from tracker.results.services.paper import ImportedFile, PaperRefused, take_in, write_down

LINES_SHOWN = 300


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def paper(request: HttpRequest, sitting_id: int) -> HttpResponse:
    """Ask for everything on a table's paper, and record it at once."""
    table = scored_table(request, sitting_id)
    paper = on_paper(table)
    asked = request.POST if request.method == "POST" else request.GET
    rows = number_in(asked.get("rows", ""))
    data = request.POST.copy() if request.method == "POST" else None
    grid = Grid(paper, data, rows=rows)
    if data is not None and "more" in data:
        grid = Grid(paper, data, rows=len(grid.rows) + 8)
    elif data is not None and grid.is_valid() and _written_down(request, paper, grid, data):
        following = paper.next if "next" in data else None
        return redirect("paper", following.pk if following else table.sitting_id)
    tournament = table.tournament
    context = access.context(
        request,
        tournament.club,
        table=table,
        tournament=tournament,
        paper=paper,
        grid=grid,
        names=table.coming_names,
        refused=data is not None and "more" not in data,
    )
    return render(request, "results/paper/grid.html", context)


def _written_down(request: HttpRequest, paper: OnPaper, grid: Grid, data: QueryDict) -> bool:
    """Write the grid down, or put beside its lines why not."""
    sitting_id = paper.table.sitting_id
    written = grid.paper_written()
    # Trap: PostgreSQL keeps no NUL.
    said = request.POST.get("reason", "").replace("\x00", "").strip()
    try:
        taken = write_down(
            {sitting_id: written},
            reason=said[:300] or _("Written down from paper"),
            by=access.actor(request),
        )[sitting_id]
    except PaperRefused as refused:
        for number, refusal in refused.of(sitting_id).items():
            row = grid.row(number)
            if row is not None and row.written:
                row.refuse(refusal)
                # Whoever sends it again has seen what stands there.
                data[f"h{number}-{SEEN}"] = str(row.initial[SEEN] or "")
            else:
                unit = paper.table.numbered(number)
                messages.error(request, _("Then %(hand)s could not be.") % {"hand": unit})
        return False
    added, changed = len(taken.added), len(taken.changed)
    new = ngettext("%d new result", "%d new results", added) % added
    corrected = ngettext("%d result corrected", "%d results corrected", changed) % changed
    what = ", ".join([new] * bool(added) + [corrected] * bool(changed))
    nothing = _("Table %(number)d: nothing has changed.")
    sentence = _("Table %(number)d saved: %(what)s.") if what else nothing
    messages.success(request, sentence % {"number": paper.table.number, "what": what})
    return True


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def paper_file(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """Choose a table's paper, or upload a file of results: it is read first, then saved."""
    tournament = access.tournament(request, tournament_id, Role.SCORER)
    sent = request.method == "POST"
    form = ResultsFileForm(request.POST if sent else None, request.FILES if sent else None)
    file: ImportedFile | None = None
    if form.is_valid():
        if "keep" in request.POST:
            said = _("Before a file of results of %(tournament)s was taken in")
            copy_before_request(request, said % {"tournament": tournament.name})
        file = take_in(
            read_file(tables_on_file(tournament), form.text),
            keep="keep" in request.POST,
            by=access.actor(request),
        )
        if file.stored:
            words = ngettext("%(count)d result saved.", "%(count)d results saved.", file.new)
            messages.success(request, words % {"count": file.new})
            return redirect("paper-file", tournament.pk)
    context: dict[str, Any] = access.context(
        request,
        tournament.club,
        tournament=tournament,
        rounds=rounds_on_paper(tournament),
        form=form,
        results=file,
        shown=file.lines[:LINES_SHOWN] if file else (),
        headings=headings(tournament),
    )
    return render(request, "results/paper/file.html", context)


urlpatterns = [
    path("sittings/<int:sitting_id>/paper/", paper, name="paper"),
    path("tournaments/<int:tournament_id>/paper/", paper_file, name="paper-file"),
]
