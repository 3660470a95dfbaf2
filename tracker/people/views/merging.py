"""Players who are one person: found, merged, and taken apart again."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tracker.common.errors import Refused
from tracker.common.refusals import refusing, sentence
from tracker.common.web import access
from tracker.copies.before import keep_copy
from tracker.models import LogEntry, Player, Role
from tracker.people import queries
from tracker.people.forms.merging import MergeForm
from tracker.people.services.merging import merge_players
from tracker.people.services.unmerging import unmerge


@access.page
@require_safe
def duplicates(request: HttpRequest, club_id: int) -> HttpResponse:
    """Show who may be in the club twice, and what was merged lately."""
    club = access.club(request, club_id, Role.ORGANISER)
    context = access.context(
        request, club, pairs=queries.likely_pairs(club), mergers=queries.mergers(club)
    )
    return render(request, "people/players/duplicates.html", context)


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
def player_merge(request: HttpRequest, player_id: int) -> HttpResponse:
    """Say who a player really is."""
    player = access.get(request, Player.objects.present(), player_id, Role.ORGANISER)
    club = player.club
    form = MergeForm(player, request.POST or None, initial={"into": request.GET.get("into")})
    if form.is_valid():
        keep_copy(request, _("Before two players became one"))
        with refusing(form):
            merge_players(
                player_id=player.pk,
                into_id=form.cleaned_data["into"].pk,
                by=access.actor(request),
            )
            messages.success(request, _("Merged. You can undo it below."))
            return redirect("duplicates", club.pk)
    context = access.context(request, club, form=form, player=player)
    return render(request, "people/players/merge.html", context)


@access.page
@require_POST
def merge_undo(request: HttpRequest, log_entry_id: int) -> HttpResponse:
    """Make two players of one again."""
    mergers = LogEntry.objects.filter(verb="players-merged")
    log_entry = access.get(request, mergers, log_entry_id, Role.ORGANISER)
    keep_copy(request, _("Before one player became two again"))
    try:
        player = unmerge(log_entry_id=log_entry_id, by=access.actor(request))
    except Refused as refused:
        messages.error(request, sentence(refused))
    else:
        messages.success(request, _("%(name)s is a player again.") % {"name": player.name})
    return redirect("duplicates", log_entry.club_id)
