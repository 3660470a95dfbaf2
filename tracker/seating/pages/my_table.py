"""“I am Asha”: chosen once, it always shows the table where Asha sits.

Who reports for a table must have had its card in hand, so the way to the sheet is
open only to a phone that has seen a table of this club, or to whom the club knows.
To all others it shows which table it is.

Who waits, and who has played all at their table, reads where they sit next as soon as that
is drawn for everybody to see.

A private club answers its own people. A phone that has seen a table of it reads who sits at
that table, and is led to no other; one with the link of a night reads who plays tonight, and
where, and with a table's card in hand too it is led like those of the club.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.contrib import messages
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from tracker.common.web import access
from tracker.common.web.access import signed_in_player
from tracker.common.web.devices import chosen_player, links_seen, remember_player, tables_seen
from tracker.common.web.polling import conditional_page
from tracker.common.web.requests import key_in
from tracker.models import (
    Attendance,
    Club,
    ClubNight,
    Entrant,
    Player,
    Role,
    Round,
    RoundState,
    Seat,
    Sitting,
    TokenState,
)
from tracker.seating.queries.players import player_of, players_to_choose, rests_of
from tracker.seating.queries.schedule import next_seat
from tracker.tables import revisions
from tracker.tables.reading import read_open_tables
from tracker.tables.table_now import TableNow

_EVENING = timedelta(hours=12)
_UID = re.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


@dataclass(frozen=True, slots=True, kw_only=True)
class TableReader:
    """Who asks: of the club or not, with the link of a night, with cards of tables in hand."""

    of_club: bool  # or anybody, of a public one
    invited: bool
    tables: frozenset[int]  # sittings

    @property
    def may_see_all(self) -> bool:
        return self.of_club or self.invited

    def knows(self, table: TableNow | None) -> bool:
        """Say whether the table is one whose card this phone had in hand."""
        return table is not None and table.sitting_id in self.tables


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@conditional_page(revisions.of_club)
def my_table_page(request: HttpRequest, club_id: int) -> HttpResponse:
    """Lead to the table where the player who holds this phone sits, or wait for one."""
    club, reader = _reader(request, club_id)
    players = None  # whom the reader may choose to be: anybody of the club
    if reader.invited:
        players = players_tonight(club, timezone.now())
    elif not reader.of_club:
        players = players_at(reader.tables)
    if request.method == "POST":
        asked = request.POST.get("player", "")
        player = _player(club, key_in(asked), players)
        if asked and player is None:
            messages.error(request, _("Nobody of the club is meant by that. Choose again."))
        response = redirect("my-table", club.pk)
        # The club's front page knows it too.
        remember_player(
            request, response, player.pk if player else None, path=club.get_absolute_url()
        )
        return response
    # Whoever signs in as a player is never asked who they are.
    known = signed_in_player(request, club) if reader.of_club else None
    player = known or _player(club, chosen_player(request), players)
    # Whoever may read no other page of the club is led to none.
    context = access.context(request, club) if reader.of_club else {}
    if player is None:
        context["tonight"] = players_tonight(club, timezone.now()) if players is None else players
        if players is None:
            others = players_to_choose(club)
            context["players"] = [each for each in others if each not in context["tonight"]]
        return render(request, "seating/draws/who.html", context)
    table = my_table(player)
    waits = table is None or table.finished
    # The reader is led to the sheet of the table while that has an address.
    trusted = (table is not None and not table.withdrawn) and (
        reader.knows(table)
        or (reader.may_see_all and bool(reader.tables))
        or (request.user.pk is not None and player.user_id == request.user.pk)
        or access.may(request, club, Role.SCORER)
    )
    if table is not None and not waits and trusted:
        return redirect(table)
    context |= {
        "player": player,
        "table": table,
        "resting": table is None and rests_of(player).exists(),
        "known": known is not None,
        "coming": next_seat(player) if waits else None,
        "trusted": trusted,
        "reader": reader.of_club,
        # Of another table than its own a phone at a private club learns the number alone.
        "named": reader.may_see_all or reader.knows(table),
        "company": reader.may_see_all,
    }
    return render(request, "seating/draws/my_table.html", context)


def _reader(request: HttpRequest, club_id: int) -> tuple[Club, TableReader]:
    """Return the club, also a private one to a phone that knows a table or a night of it.

    :raises Http404: if there is none, or it is private and the reader a stranger.
    """
    club = access.first(request, Club.objects.filter(pk=club_id), club="")
    if club is None:
        raise Http404
    now = timezone.now()
    of_club = access.may_read(request, club)
    tokens, links = tables_seen(request), links_seen(request)
    reader = TableReader(
        of_club=of_club,
        invited=not of_club and bool(links) and is_invited(club, links, now),
        tables=tables_known(club, tokens, now) if tokens else frozenset(),
    )
    if not (reader.may_see_all or reader.tables):
        raise Http404
    return club, reader


def _player(
    club: Club, player_id: int | None, players: Sequence[tuple[int, str]] | None
) -> Player | None:
    """Return who is meant; where only some *players* may be read, one of these."""
    player = player_of(club, player_id) if player_id else None
    if player and players is not None and player.pk not in dict(players):
        return None
    return player


def players_tonight(club: Club, now: datetime) -> list[tuple[int, str]]:
    """Return by name who plays now, or did a few hours ago and may go on, or is here tonight.

    It takes one query.
    """
    rounds = Round.objects.filter(tournament__club=club).filter(
        Q(state=RoundState.OPEN) | Q(state=RoundState.CLOSED, closed_at__gte=now - _EVENING)
    )
    playing = Entrant.objects.playing().filter(tournament__in=rounds.values("tournament"))
    playing = playing.order_by()
    nights = ClubNight.objects.about_now(club.pk, now)
    here = Attendance.objects.filter(night__in=nights.order_by().values("pk"), until=None)
    players = Player.objects.present().filter(
        Q(pk__in=playing.exclude(player=None).values("player"))
        | Q(teams__in=playing.exclude(team=None).values("team"))
        | Q(pk__in=here.values("player"))
    )
    return list(players.order_by("name_key").distinct().values_list("pk", "name"))


def players_at(sittings: Collection[int]) -> list[tuple[int, str]]:
    """Return by name who sits at these tables, in one query."""
    seated = Seat.objects.running().filter(sitting__in=sittings)
    players = Player.objects.present().filter(pk__in=seated.values("player"))
    return list(players.order_by("name_key").values_list("pk", "name"))


def tables_known(club: Club, tokens: Collection[str], now: datetime) -> frozenset[int]:
    """Return which of a club's sittings these open still, or did this evening, in one query."""
    evening = Q(round__state=RoundState.OPEN) | Q(
        round__state=RoundState.CLOSED, round__closed_at__gte=now - _EVENING
    )
    sittings = Sitting.objects.filter(evening, round__tournament__club=club, token__in=tokens)
    good = sittings.exclude(token_state=TokenState.REVOKED)
    return frozenset(good.values_list("pk", flat=True))


def is_invited(club: Club, links: Collection[str], now: datetime) -> bool:
    """Say whether one of these leads to a night of the club that goes on, in one query."""
    uids = [UUID(link) for link in links if _UID.fullmatch(link)]
    known = Q(door_token__in=links) | Q(new_link__in=uids) | Q(new_link=None, uid__in=uids)
    nights = ClubNight.objects.about_now(club.pk, now)
    return nights.filter(known).exists()


def my_table(player: Player) -> TableNow | None:
    """Return the table where a player sits now, in a fixed number of queries."""
    tables = read_open_tables(player=player.pk)
    return next((table for table in tables if table.seat_of(player.pk)), None)


urlpatterns = [
    path("clubs/<int:club_id>/my-table/", my_table_page, name="my-table"),
]
