"""“I am Asha”: chosen once, it always shows the table where Asha sits.

Who reports for a table must have had its card in hand, so the way to the sheet is
open only to a phone that has seen a table of this club, or to whom the club knows.
To all others it shows which table it is.

Who waits, and who has played all at their table, reads where they sit next as soon as that
is drawn for everybody to see.

A private club answers its own people, and phones that have seen a table or the link of
a night of it; these read only who plays tonight.
"""

from collections.abc import Sequence

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods
from django.views.decorators.vary import vary_on_headers

from tracker.common.web import access
from tracker.common.web.devices import has_been_at, i_am, is_invited, remember_me
from tracker.common.web.htmx import HtmxHttpRequest
from tracker.common.web.parameters import key_in
from tracker.draws.queries.published import next_seat
from tracker.models import Club, Player, Role
from tracker.seating.queries.my_table import my_table, player_of, players_to_choose, players_tonight


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@vary_on_headers("HX-Request")
def my_table_page(request: HtmxHttpRequest, club_id: int) -> HttpResponse:
    """Lead to the table where the player who holds this phone sits, or wait for one."""
    club = _club(request, club_id)
    reader = access.may_read(request, club)
    players = None if reader else players_tonight(club, timezone.now())
    if request.method == "POST":
        return _chosen(request, club, players)
    player = _player(club, i_am(request), players)
    # Whoever may read no other page of the club is led to none.
    context = access.context(request, club) if reader else {}
    if player is None:
        return render(request, "draws/who.html", {**context, **_to_choose(club, players)})
    mine = my_table(player)
    waits = mine.table is None or mine.table.finished
    by_htmx = bool(request.htmx)
    if mine.table is not None and not waits and _trusted(request, club, player):
        if by_htmx:
            # htmx would follow a redirect and put the table into the waiting page.
            return HttpResponse(headers={"HX-Redirect": mine.table.get_absolute_url()})
        return redirect(mine.table)
    context |= {
        "mine": mine,
        "coming": next_seat(player) if waits else None,
        "trusted": mine.table is not None and _trusted(request, club, player),
        "reader": reader,
    }
    part = "#mine" if by_htmx else ""
    return render(request, f"draws/my_table.html{part}", context)


def _club(request: HttpRequest, club_id: int) -> Club:
    """Return the club, also a private one to a phone that knows a table or a night of it.

    :raises Http404: if there is none, or it is private and the reader a stranger.
    """
    club = access.first(request, Club.objects.filter(pk=club_id), club="")
    if club and (has_been_at(request, club.pk) or is_invited(request, club.pk)):
        return club
    return access.check(request, club)


def _to_choose(
    club: Club, only: Sequence[tuple[int, str]] | None
) -> dict[str, Sequence[tuple[int, str]]]:
    """Return who plays tonight, and who else there is; or *only* the first."""
    if only is not None:
        return {"tonight": only}
    tonight = players_tonight(club, timezone.now())
    others = [player for player in players_to_choose(club) if player not in tonight]
    return {"tonight": tonight, "players": others}


def _player(
    club: Club, player_id: int | None, players: Sequence[tuple[int, str]] | None
) -> Player | None:
    """Return who is meant; where only some *players* may be read, one of these."""
    player = player_of(club, player_id) if player_id else None
    if player and players is not None and player.pk not in dict(players):
        return None
    return player


def _chosen(
    request: HttpRequest, club: Club, players: Sequence[tuple[int, str]] | None
) -> HttpResponse:
    """Remember who holds this phone, or that it is somebody else."""
    asked = request.POST.get("player", "")
    player = _player(club, key_in(asked), players)
    if asked and player is None:
        messages.error(request, _("Nobody of the club is meant by that. Choose again."))
    response = redirect("my-table", club.pk)
    remember_me(request, response, player.pk if player else None)
    return response


def _trusted(request: HttpRequest, club: Club, player: Player) -> bool:
    mine = request.user.pk is not None and player.user_id == request.user.pk
    return mine or access.may(request, club, Role.SCORER) or has_been_at(request, club.pk)
