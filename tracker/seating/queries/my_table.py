"""Queries that find a player's table, whatever is played."""

import re
from collections.abc import Collection
from datetime import datetime, timedelta
from uuid import UUID

from django.db.models import Q, QuerySet

from tracker.models import (
    Attendance,
    Club,
    ClubNight,
    Entrant,
    Player,
    Rest,
    Round,
    RoundState,
    Seat,
    Sitting,
    TokenState,
)
from tracker.tables.statements import read_open_tables
from tracker.tables.table import TableNow

_EVENING = timedelta(hours=12)
_UID = re.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def players_to_choose(club: Club) -> list[tuple[int, str]]:
    """Return the club's players by name, in one query."""
    players = Player.objects.present().filter(club=club)
    return list(players.order_by("name_key").values_list("pk", "name"))


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


def player_of(club: Club, player_id: int) -> Player | None:
    """Return a player of the club; one who was merged is the other by now."""
    players = Player.objects.filter(club=club, erased_at=None)
    player = players.filter(pk=player_id).first()
    while player is not None and player.merged_into_id is not None:
        player = players.filter(pk=player.merged_into_id).first()
    return player


def my_table(player: Player) -> TableNow | None:
    """Return the table where a player sits now, in a fixed number of queries."""
    tables = read_open_tables(player=player.pk)
    return next((table for table in tables if table.seat_of(player.pk)), None)


def rests_of(player: Player) -> QuerySet[Rest]:
    """Return the player's rests in the open rounds."""
    rests = Rest.objects.sat_out().filter(round__state=RoundState.OPEN)
    return rests.filter(Q(entrant__player=player) | Q(entrant__team__roster=player))
