"""Closing a round, and taking one back."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from games.errors import RuleError
from tracker.common.refusals import sentence
from tracker.common.web import access
from tracker.common.web.returning import way_back
from tracker.models import Role, Round, RoundState
from tracker.nights.services.closing import close_round
from tracker.seating.queries.rounds import missing
from tracker.seating.services.rounds import restore_round, undo_round


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
def round_close(request: HttpRequest, round_id: int) -> HttpResponse:
    """Say what a round still waits for, and close it."""
    round_ = round_of(request, round_id)
    how = request.POST.get("how", "")
    waiting = missing(round_)
    if request.method == "POST":
        try:
            closed = close_round(
                round_id=round_.pk,
                anyway=how == "anyway",
                not_played=how == "not-played",
                by=access.actor(request),
            )
        except RuleError as error:
            messages.warning(request, sentence(error))
            return redirect(request.get_full_path())
        messages.success(request, _("Round %(number)d is closed.") % {"number": closed.number})
        return redirect(way_back(request, closed))
    context = round_context(
        request, round_, waiting=waiting, short=sum(table.short for table in waiting)
    )
    return render(request, "nights/round_close.html", context)


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
def round_undo(request: HttpRequest, round_id: int) -> HttpResponse:
    """Take a round back, or bring back one that was."""
    round_ = round_of(request, round_id)
    if request.method == "POST":
        change = restore_round if round_.state == RoundState.UNDONE else undo_round
        try:
            change(round_id=round_.pk, by=access.actor(request))
        except RuleError as error:
            messages.error(request, sentence(error))
        return redirect("desk", round_.tournament_id)
    return render(request, "seating/round_undo.html", round_context(request, round_))


def round_of(request: HttpRequest, round_id: int) -> Round:
    """Return a round to whoever may organise it."""
    return access.get(request, Round.objects, round_id, Role.ORGANISER, club="tournament__club")


def round_context(request: HttpRequest, round_: Round, **more: object) -> dict[str, object]:
    """Return what every page about one round shows."""
    return access.context(
        request,
        round_.tournament.club,
        tournament=round_.tournament,
        round=round_,
        back=way_back(request, round_),
        **more,
    )
