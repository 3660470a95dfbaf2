"""“I am Asha”: chosen once, it always shows the table where Asha sits.

Who reports for a table must have had its card in hand, so the way to the sheet is
open only to a phone that has seen a table of this club, or to whom the club knows.
To all others it shows which table it is.
"""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods
from django.views.decorators.vary import vary_on_headers

from tracker.models import Club, Player, Role
from tracker.queries.my_table import my_table, player_of, players_to_choose
from tracker.views import access
from tracker.views.devices import has_been_at, i_am, remember_me

_LONGEST = 18


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@vary_on_headers("HX-Request")
def my_table_page(request: HttpRequest, club_id: int) -> HttpResponse:
    """Lead to the table where the player who holds this phone sits, or wait for one."""
    club = access.club(request, club_id)
    if request.method == "POST":
        return _chosen(request, club)
    player = player_of(club, i_am(request) or 0)
    if player is None:
        context = access.context(request, club, players=players_to_choose(club))
        return render(request, "cards/who.html", context)
    mine = my_table(player)
    by_htmx = "HX-Request" in request.headers
    if mine.sitting is not None and _trusted(request, club, player):
        if by_htmx:
            # htmx would follow a redirect and put the table into the waiting page.
            return HttpResponse(headers={"HX-Redirect": mine.sitting.get_absolute_url()})
        return redirect(mine.sitting)
    part = "#mine" if by_htmx else ""
    context = access.context(request, club, mine=mine)
    return render(request, f"cards/my_table.html{part}", context)


def _chosen(request: HttpRequest, club: Club) -> HttpResponse:
    """Remember who holds this phone, or that it is somebody else."""
    asked = request.POST.get("player", "")
    readable = asked.isascii() and asked.isdigit() and len(asked) < _LONGEST
    player = player_of(club, int(asked)) if readable else None
    if asked and player is None:
        messages.error(request, _("Nobody of the club is meant by that. Choose again."))
    response = redirect("my-table", club.pk)
    remember_me(request, response, player.pk if player else None)
    return response


def _trusted(request: HttpRequest, club: Club, player: Player) -> bool:
    mine = request.user.pk is not None and player.user_id == request.user.pk
    return mine or access.may(request, club, Role.SCORER) or has_been_at(request, club.pk)
