"""The page “my table”: a player says once who they are, and from then on sees where they sit.

A player at a table is redirected to its score sheet, if the reader may see that, or else sees the
table's number. A player who waits, or whose table has finished, sees the next seat once it is
published. Each table has a *table card* with a QR code, each night a link. Readers see:

- who may read the club's pages (everybody, in a public club): tonight's people and their tables;
- a phone with the link of a night of a private club: the same, but no links to other pages;
- a phone with only a table card of a private club: the people of that table;
- anybody else: nothing, as if the club did not exist.

The score sheet of a table is for phones that scanned its card, or any card of the club if they
belong to the first two kinds; and for the signed-in player and scorers.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.contrib import messages
from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from tracker.common.web import access, devices
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

# How long after it was closed a round still counts as one of this evening.
_EVENING = timedelta(hours=12)
_UUID = re.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """What a reader may see of a club.

    ``has_night_link`` is true only for a reader who may not read the club's pages, and whose phone
    has opened the link of a night. A *sitting* is one table in one round: ``sittings`` are the keys
    of those of this evening that this phone has opened, by a table card or another link.
    """

    may_read_club: bool
    has_night_link: bool
    sittings: frozenset[int]

    @property
    def may_see_others(self) -> bool:
        """Return whether the reader may see tonight's people at all tables."""
        return self.may_read_club or self.has_night_link

    def has_opened(self, table: TableNow | None) -> bool:
        """Return whether this phone has opened the table's sitting, mostly by the table card."""
        return table is not None and table.sitting_id in self.sittings

    def choices(self, club: Club) -> list[tuple[int, str]] | None:
        """Return keys and names of the players the reader may claim to be; ``None`` means all."""
        if self.may_read_club:
            return None
        if self.has_night_link:
            return players_tonight(club, timezone.now())
        seated = Seat.objects.running().filter(sitting__in=self.sittings)
        players = Player.objects.present().filter(pk__in=seated.values("player"))
        return list(players.order_by("name_key").values_list("pk", "name"))


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@conditional_page(revisions.of_club)
def my_table_page(request: HttpRequest, club_id: int) -> HttpResponse:
    """Ask who the reader is, then redirect to their table, or say where they sit next."""
    club, reader = _club_and_reader(request, club_id)
    choices = reader.choices(club)
    if request.method == "POST":
        return _remember_choice(request, club, choices)
    signed_in = access.signed_in_player(request, club) if reader.may_read_club else None
    player = signed_in or _allowed_player(club, devices.chosen_player(request), choices)
    # A reader who may read no other page of the club gets no links to any.
    context = access.context(request, club) if reader.may_read_club else {}
    if player is None:
        # A reader who may be any player of the club finds those of tonight first.
        tonight = players_tonight(club, timezone.now()) if choices is None else choices
        context["tonight"] = tonight
        if choices is None:
            context["players"] = [each for each in players_to_choose(club) if each not in tonight]
        return render(request, "seating/draws/who.html", context)
    tables = read_open_tables(player=player.pk)
    table = next((each for each in tables if each.present_stint(player.pk)), None)
    may_see_sheet = (
        table is not None
        and not table.withdrawn
        and (
            reader.has_opened(table)
            or (reader.may_see_others and bool(reader.sittings))
            or (request.user.pk is not None and player.user_id == request.user.pk)
            or access.may(request, club, Role.SCORER)
        )
    )
    waits = table is None or table.finished  # for the next round
    if table is not None and not waits and may_see_sheet:
        return redirect(table)
    context |= {
        "player": player,
        "table": table,
        "resting": table is None and rests_of(player).exists(),
        "signed_in": signed_in is not None,
        "next_seat": next_seat(player) if waits else None,
        "may_see_sheet": may_see_sheet,
        "may_see_club": reader.may_read_club,
        # A phone that scanned another table's card at a private club sees only the table's number;
        # one that scanned this table's card, the names at this table, but no others.
        "may_see_names": reader.may_see_others or reader.has_opened(table),
        "may_see_others": reader.may_see_others,
    }
    return render(request, "seating/draws/my_table.html", context)


def _remember_choice(
    request: HttpRequest, club: Club, choices: Sequence[tuple[int, str]] | None
) -> HttpResponse:
    """Store the chosen player in a cookie for all pages of the club; without one, delete it."""
    chosen = request.POST.get("player", "")
    player = _allowed_player(club, key_in(chosen), choices)
    if chosen and player is None:
        messages.error(request, _("Nobody of the club is meant by that. Choose again."))
    response = redirect("my-table", club.pk)
    player_id, club_url = player.pk if player else None, club.get_absolute_url()
    devices.remember_player(request, response, player_id, path=club_url)
    return response


def _club_and_reader(request: HttpRequest, club_id: int) -> tuple[Club, Reader]:
    """Return the club and what the reader may see of it; raise ``Http404`` if that is nothing."""
    club = access.first(request, Club.objects.filter(pk=club_id), club_path="")  # the row itself
    if club is None:
        raise Http404
    now = timezone.now()
    may_read_club = access.may_read(request, club)
    # The tokens in the URLs that this phone has opened: of nights, and of sittings.
    night_tokens = devices.seen_tokens(request, devices.INVITED)
    tokens = devices.seen_tokens(request, devices.TABLES)
    sittings = Sitting.objects.filter(round__in=rounds_of_evening(club, now), token__in=tokens)
    sittings = sittings.exclude(token_state=TokenState.REVOKED)
    invited = not may_read_club and bool(night_tokens) and is_invited(club, night_tokens, now)
    reader = Reader(
        may_read_club=may_read_club,
        has_night_link=invited,
        sittings=frozenset(sittings.values_list("pk", flat=True)),
    )
    if not (reader.may_see_others or reader.sittings):
        raise Http404
    return club, reader


def _allowed_player(
    club: Club, player_id: int | None, choices: Sequence[tuple[int, str]] | None
) -> Player | None:
    """Return the player with this key, if it is one of *choices*, or these are ``None`` (all)."""
    player = player_of(club, player_id) if player_id else None
    allowed = player and (choices is None or player.pk in dict(choices))
    return player if allowed else None


def rounds_of_evening(club: Club, now: datetime) -> QuerySet[Round]:
    """Return the club's rounds that are open, or were closed this evening."""
    recent = Q(state=RoundState.OPEN) | Q(state=RoundState.CLOSED, closed_at__gte=now - _EVENING)
    return Round.objects.filter(recent, tournament__club=club)


def players_tonight(club: Club, now: datetime) -> list[tuple[int, str]]:
    """Return keys and names of players who play this evening or attend it, in order of name."""
    tournaments = rounds_of_evening(club, now).values("tournament")
    # Without an order, as these are only subqueries.
    playing = Entrant.objects.playing().filter(tournament__in=tournaments).order_by()
    nights = ClubNight.objects.about_now(club.pk, now).order_by()
    attending = Attendance.objects.filter(night__in=nights.values("pk"), until=None)
    players = Player.objects.present().filter(
        Q(pk__in=playing.exclude(player=None).values("player"))
        | Q(teams__in=playing.exclude(team=None).values("team"))
        | Q(pk__in=attending.values("player"))
    )
    return list(players.order_by("name_key").distinct().values_list("pk", "name"))


def is_invited(club: Club, tokens: Collection[str], now: datetime) -> bool:
    """Return whether one of these tokens is of a night of the club about now, in one query."""
    uids = [UUID(token) for token in tokens if _UUID.fullmatch(token)]
    at_door = Q(door_token__in=tokens)  # the QR code at the door
    # The link sent ahead, for replies, has the night's ``uid``, until ``new_link`` replaces that.
    reply_page = Q(new_link=None, uid__in=uids)
    renewed_reply_page = Q(new_link__in=uids)
    nights = ClubNight.objects.about_now(club.pk, now)
    return nights.filter(at_door | reply_page | renewed_reply_page).exists()


urlpatterns = [path("clubs/<int:club_id>/my-table/", my_table_page, name="my-table")]
