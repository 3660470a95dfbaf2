"""The page “my table”: a player says once who they are, and from then on sees where they sit.

A phone is led on to the table's score sheet only if it has scanned a card of the club, or if
the reader may report anyway: as the signed-in player or as a scorer. Others see which table it
is. A player who waits, or whose table has finished, sees the next seat once it is published.

In a private club a phone that scanned a table's card sees the people of that table and is led to
no other. A phone with the link of a night sees who plays tonight and where; with a table's card
scanned too it is led on like a member's.
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
from tracker.common.web.devices import INVITED, TABLES, chosen_player, remember_player, seen_tokens
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
from tracker.tables.sql import read_open_tables
from tracker.tables.table_now import TableNow

# How long after its round a table still counts as one of this evening.
_EVENING = timedelta(hours=12)
_UUID = re.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """What a reader knows of a club.

    ``of_club`` may read its pages, as everybody may in a public club; ``invited`` has the link of
    a night instead. ``sittings`` are those of which this phone has scanned the table's card.
    """

    of_club: bool
    invited: bool
    sittings: frozenset[int]

    @property
    def may_see_all(self) -> bool:
        return self.of_club or self.invited

    def knows(self, table: TableNow | None) -> bool:
        """Return whether this phone has scanned the table's card."""
        return table is not None and table.sitting_id in self.sittings

    def choices(self, club: Club) -> list[tuple[int, str]] | None:
        """Return the players the reader may choose to be; ``None`` is anybody of the club."""
        if self.of_club:
            return None
        if self.invited:
            return players_tonight(club, timezone.now())
        return players_at(self.sittings)


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@conditional_page(revisions.of_club)
def my_table_page(request: HttpRequest, club_id: int) -> HttpResponse:
    """Ask who the reader is, then lead to their table, or say where they sit next."""
    club, reader = _club_and_reader(request, club_id)
    choices = reader.choices(club)
    if request.method == "POST":
        chosen = request.POST.get("player", "")
        player = _chosen_player(club, key_in(chosen), choices)
        if chosen and player is None:
            messages.error(request, _("Nobody of the club is meant by that. Choose again."))
        response = redirect("my-table", club.pk)
        player_id = player.pk if player else None
        remember_player(request, response, player_id, path=club.get_absolute_url())
        return response
    signed_in = signed_in_player(request, club) if reader.of_club else None
    player = signed_in or _chosen_player(club, chosen_player(request), choices)
    # A reader who may read no other page of the club gets no links to any.
    context = access.context(request, club) if reader.of_club else {}
    if player is None:
        if choices is None:
            tonight = players_tonight(club, timezone.now())
            others = [each for each in players_to_choose(club) if each not in tonight]
            context |= {"tonight": tonight, "players": others}
        else:
            context["tonight"] = choices
        return render(request, "seating/draws/who.html", context)
    tables = read_open_tables(player=player.pk)
    table = next((table for table in tables if table.seat_of(player.pk)), None)
    may_see_sheet = (
        table is not None
        and not table.withdrawn
        and (
            reader.knows(table)
            or (reader.may_see_all and bool(reader.sittings))
            or (request.user.pk is not None and player.user_id == request.user.pk)
            or access.may(request, club, Role.SCORER)
        )
    )
    waits = table is None or table.finished
    if table is not None and not waits and may_see_sheet:
        return redirect(table)
    context |= {
        "player": player,
        "table": table,
        "resting": table is None and rests_of(player).exists(),
        "signed_in": signed_in is not None,
        "next_seat": next_seat(player) if waits else None,
        "may_see_sheet": may_see_sheet,
        "may_see_club": reader.of_club,
        # A phone that scanned another table's card at a private club sees the number alone.
        "may_see_names": reader.may_see_all or reader.knows(table),
        "may_see_company": reader.may_see_all,
    }
    return render(request, "seating/draws/my_table.html", context)


def _club_and_reader(request: HttpRequest, club_id: int) -> tuple[Club, Reader]:
    """Return the club and what the reader knows of it; of a private one that must be something."""
    club = access.first(request, Club.objects.filter(pk=club_id), club="")
    if club is None:
        raise Http404
    now = timezone.now()
    of_club = access.may_read(request, club)
    tokens, links = seen_tokens(request, TABLES), seen_tokens(request, INVITED)
    reader = Reader(
        of_club=of_club,
        invited=not of_club and bool(links) and is_invited(club, links, now),
        sittings=sittings_known(club, tokens, now) if tokens else frozenset(),
    )
    if not (reader.may_see_all or reader.sittings):
        raise Http404
    return club, reader


def _chosen_player(
    club: Club, player_id: int | None, choices: Sequence[tuple[int, str]] | None
) -> Player | None:
    """Return the player with this key, if it is one of *choices*."""
    player = player_of(club, player_id) if player_id else None
    if player and choices is not None and player.pk not in dict(choices):
        return None
    return player


def players_tonight(club: Club, now: datetime) -> list[tuple[int, str]]:
    """Return by name, in one query, who plays now or played this evening, or is at the night."""
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
    """Return by name the players at these tables, in one query."""
    seated = Seat.objects.running().filter(sitting__in=sittings)
    players = Player.objects.present().filter(pk__in=seated.values("player"))
    return list(players.order_by("name_key").values_list("pk", "name"))


def sittings_known(club: Club, tokens: Collection[str], now: datetime) -> frozenset[int]:
    """Return the club's sittings of this evening that these tokens open, in one query."""
    evening = Q(round__state=RoundState.OPEN) | Q(
        round__state=RoundState.CLOSED, round__closed_at__gte=now - _EVENING
    )
    sittings = Sitting.objects.filter(evening, round__tournament__club=club, token__in=tokens)
    usable = sittings.exclude(token_state=TokenState.REVOKED)
    return frozenset(usable.values_list("pk", flat=True))


def is_invited(club: Club, links: Collection[str], now: datetime) -> bool:
    """Return whether one of these links is of a night of the club about now, in one query."""
    uids = [UUID(link) for link in links if _UUID.fullmatch(link)]
    known = Q(door_token__in=links) | Q(new_link__in=uids) | Q(new_link=None, uid__in=uids)
    nights = ClubNight.objects.about_now(club.pk, now)
    return nights.filter(known).exists()


urlpatterns = [path("clubs/<int:club_id>/my-table/", my_table_page, name="my-table")]
