"""Erasing a person."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from tracker.common.errors import Refused
from tracker.common.refusals import refuse
from tracker.common.web import access
from tracker.models import Player, Role
from tracker.people.forms.erasing import EraseForm
from tracker.people.services.erasing import erase_player, traces


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
def player_erase(request: HttpRequest, player_id: int) -> HttpResponse:
    """Show the owner where a name stands, and forget it for good."""
    players = Player.objects.present().select_related("user")
    player = access.get(request, players, player_id, Role.OWNER)
    club = player.club
    found = traces(player)
    form = EraseForm(found.teams, request.POST or None)
    if form.is_valid():
        try:
            erase_player(
                player_id=player.pk,
                team_names=form.team_names,
                by=access.actor(request),
            )
        except Refused as refused:
            refuse(form, refused)
        else:
            messages.success(request, _("The name is gone. What was played stays."))
            return redirect("players", club.pk)
    context = access.context(request, club, form=form, player=player, traces=found)
    return render(request, "people/players/erase.html", context)
