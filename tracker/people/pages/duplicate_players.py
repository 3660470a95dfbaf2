"""The pages of players who are in a club twice: find likely pairs, merge them, undo a merger."""

from collections import defaultdict
from typing import Any

from django import forms
from django.contrib import messages
from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.translation import gettext, gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tracker.backups.automatic import copy_before_request
from tracker.common.forms import refusals_as_messages, refusals_on
from tracker.common.names import alike
from tracker.common.web import access
from tracker.models import Club, LogEntry, Player, Role, Seat
from tracker.people.services.merging import merge_players, unmerge

PAIRS_SHOWN = 30
MERGERS_SHOWN = 10


class MergeForm(forms.Form):
    into = forms.ModelChoiceField(
        Player.objects.none(),
        label=_("Merge into"),
        help_text=_("This name stays, and everything played goes there."),
        empty_label=_("Choose…"),
        error_messages={
            "required": _("Please choose somebody."),
            "invalid_choice": _("That player is not in this club any more. Please choose again."),
        },
    )

    def __init__(self, player: Player, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        others = Player.objects.present().filter(club=player.club_id).exclude(pk=player.pk)
        self.fields["into"].queryset = others.order_by("name_key")  # type: ignore[attr-defined]


def likely_pairs(club: Club) -> list[tuple[Player, Player]]:
    """Return pairs of players with similar names who never sat in one round, in two queries.

    The first of a pair has played in fewer rounds, and is the one to merge. Each player has the
    number of tournaments entered, as ``tournaments``.
    """
    people = Player.objects.present().filter(club=club).order_by("name_key")
    players = {player.pk: player for player in people.annotate(tournaments=Count("entrants"))}
    pairs = alike({pk: player.name for pk, player in players.items()})
    rounds_of: dict[int, set[int]] = defaultdict(set)  # {key of the player: keys of rounds}
    seats = Seat.objects.filter(player__in={player for pair in pairs for player in pair})
    for player_id, round_id in seats.values_list("player", "round"):
        rounds_of[player_id].add(round_id)
    never_together = [pair for pair in pairs if not rounds_of[pair[0]] & rounds_of[pair[1]]]
    likely = []
    for pair in never_together[:PAIRS_SHOWN]:
        in_fewer, in_more = sorted(pair, key=lambda player_id: len(rounds_of[player_id]))
        likely.append((players[in_fewer], players[in_more]))
    return likely


def mergers(club: Club) -> list[tuple[LogEntry, Player, Player]]:
    """Return the latest mergers not undone: log entry, merged player, and the player who stays.

    The row of a merged player stays, without being ``present``, so that a merger can be undone.
    """
    entries = LogEntry.objects.filter(club=club, verb="players-merged", undone_by=None)
    latest = list(entries.order_by("-at", "-pk")[:MERGERS_SHOWN])
    keys = [entry.on[name] for entry in latest for name in ("player", "into")]
    players = Player.objects.in_bulk(keys)
    return [(entry, players[entry.on["player"]], players[entry.on["into"]]) for entry in latest]


@access.page
@require_safe
def duplicates(request: HttpRequest, club_id: int) -> HttpResponse:
    """Show players who may be one person, and the latest mergers."""
    club = access.club(request, club_id, Role.ORGANISER)
    context = access.context(request, club, pairs=likely_pairs(club), mergers=mergers(club))
    return render(request, "people/players/duplicates.html", context)


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
def player_merge(request: HttpRequest, player_id: int) -> HttpResponse:
    player = access.get(request, Player.objects.present(), player_id, Role.ORGANISER)
    club = player.club
    form = MergeForm(player, request.POST or None, initial={"into": request.GET.get("into")})
    if form.is_valid():
        copy_before_request(request, gettext("Before two players became one"))
        into_id, by = form.cleaned_data["into"].pk, access.actor(request)
        with refusals_on(form):
            merge_players(player_id=player.pk, into_id=into_id, by=by)
            messages.success(request, gettext("Merged. You can undo it below."))
            return redirect("duplicates", club.pk)
    return access.render(request, "people/players/merge.html", club, form=form, player=player)


@access.page
@require_POST
def merge_undo(request: HttpRequest, log_entry_id: int) -> HttpResponse:
    log_entries = LogEntry.objects.filter(verb="players-merged")
    log_entry = access.get(request, log_entries, log_entry_id, Role.ORGANISER)
    copy_before_request(request, gettext("Before one player became two again"))
    with refusals_as_messages(request):
        player = unmerge(log_entry_id=log_entry_id, by=access.actor(request))
        messages.success(request, gettext("%(name)s is a player again.") % {"name": player.name})
    return redirect("duplicates", log_entry.club_id)


urlpatterns = [
    path("clubs/<int:club_id>/players/twice/", duplicates, name="duplicates"),
    path("players/<int:player_id>/merge/", player_merge, name="player-merge"),
    path("mergers/<int:log_entry_id>/undo/", merge_undo, name="merge-undo"),
]
