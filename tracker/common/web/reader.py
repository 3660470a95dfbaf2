"""The player who reads a page: the one they sign in as, or the one chosen on this phone."""

from django.http import HttpRequest

from tracker.common.web.devices import i_am
from tracker.models import Club, Player


def signed_in_player(request: HttpRequest, club: Club) -> Player | None:
    """Return the signed-in reader's own player in the club, read once a request."""
    if request.user.pk is None:
        return None
    known: dict[int, Player | None] = request.__dict__.setdefault("club_players", {})
    if club.pk not in known:
        players = Player.objects.present().filter(club=club, user_id=request.user.pk)
        known[club.pk] = players.first()
    return known[club.pk]


def player_reading(request: HttpRequest, club: Club) -> Player | None:
    """Return the player who reads the page, if the login or the phone tells."""
    player = signed_in_player(request, club)
    chosen = None if player else i_am(request)
    if chosen is None:
        return player
    return Player.objects.present().filter(club=club, pk=chosen).first()
