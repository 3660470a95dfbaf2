"""Results without the hands behind them: so many won each, a walkover, not played."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games.errors import RuleError
from tracker.backups.automatic import copy_before_request
from tracker.common.web import access
from tracker.results.forms.corrections import OF_NOT_PLAYING, ReasonForm
from tracker.results.forms.results import ResultTypeForm, WinsForm
from tracker.results.forms.sheet import questions_at
from tracker.results.forms.sheet_view import SheetView
from tracker.results.pages.responses import at_table, over_by_now, round_over
from tracker.results.pages.sitting import scored_table
from tracker.results.services.results import record_result_only, record_wins
from tracker.tables.table_now import TableNow


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@at_table
def table_result(request: HttpRequest, table: TableNow) -> HttpResponse:
    """Ask a table that wrote down nothing more how many hands each side won."""
    if over_by_now(table):
        return round_over(request, table)
    names = table.coming_names
    asked = questions_at(table, table.coming_session(), table.coming_number, names=names)
    if not asked.bare_kind.choices:
        return redirect(table)
    form = WinsForm(asked, request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            taken = record_wins(
                token=table.token,
                first=form.cleaned_data["first"],
                wins=form.wins,
                ties=form.ties,
                by=access.visitor(request),
            )
        except RuleError as refusal:
            form.refuse(refusal)
        else:
            count = len(taken.added)
            saved = ngettext("%(count)d result saved.", "%(count)d results saved.", count)
            messages.success(request, saved % {"count": count})
            return redirect(table)
    many = _(table.game.unit.many)
    context = {"table": table, "names": names, "form": form, "many": many, "club": table.club}
    return render(request, "results/table/result.html", context)


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def result_only(request: HttpRequest, sitting_id: int) -> HttpResponse:
    """Let a table's coming hands stand as a walkover, assigned, not played or void."""
    table = scored_table(request, sitting_id)
    names = table.coming_names
    asked = questions_at(table, table.coming_session(), table.coming_number, names=names)
    sent = request.POST if request.method == "POST" else None
    form = ResultTypeForm(asked, sent, many=_(table.game.unit.many))
    reason = ReasonForm(sent, offered=OF_NOT_PLAYING)
    known = [form.is_valid(), reason.is_valid()]  # each says what is wrong with it
    tournament = table.tournament
    if all(known):
        said = _("Before hands of %(tournament)s were decided without being played")
        copy_before_request(request, said % {"tournament": tournament.name})
        try:
            taken = record_result_only(
                sitting_id=table.sitting_id,
                result_type=form.kind,
                bare=form.bare,
                times=form.cleaned_data["times"],
                reason=reason.cleaned_data["reason"],
                by=access.actor(request),
                first=form.number,
            )
        except RuleError as refusal:
            form.refuse(refusal)
        else:
            count = len(taken.added)
            saved = ngettext("%(count)d result saved.", "%(count)d results saved.", count)
            if taken.same:
                messages.info(request, _("That was saved already."))
            else:
                messages.success(request, saved % {"count": count})
            return redirect("sitting", table.sitting_id)
    context = access.context(
        request,
        tournament.club,
        table=table,
        tournament=tournament,
        names=names,
        form=form,
        reason=reason,
        sheet=SheetView(form),
    )
    return render(request, "results/corrections/instead.html", context)


urlpatterns = [
    path("t/<str:token>/result/", table_result, name="table-result"),
    path("sittings/<int:sitting_id>/result/", result_only, name="result-only"),
]
