"""Players of a club: add by name, find by key, rename."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import IntegrityError, transaction

from games.errors import gettext_noop
from tracker.common.actor import Actor
from tracker.common.audit_log import log
from tracker.common.errors import Refused
from tracker.common.names import clean_name, suggest_other
from tracker.models import Player, name_key

MOST_AT_ONCE = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Added:
    players: tuple[Player, ...]  # all that were named, once each, in order
    known: tuple[Player, ...]  # those in the club before
    twice: tuple[str, ...]  # names that are repeated in the list

    @property
    def new(self) -> tuple[Player, ...]:
        return tuple(player for player in self.players if player not in self.known)


@transaction.atomic
def add_players(
    *, club_id: int, names: Sequence[str], visitor_from: str = "", in_season: bool = True, by: Actor
) -> Added:
    """Add a player for each new name, and return the players of all names.

    Visitors who count for tonight only are not *in_season*. One invalid name refuses all.
    """
    if len(names) > MOST_AT_ONCE:
        template = gettext_noop("%(count)d names are a lot: please add %(most)d at most at once.")
        raise Refused("names-many", template, question="names", count=len(names), most=MOST_AT_ONCE)
    home = _optional_name(visitor_from, "visitor_from")
    called: dict[str, str] = {}  # names by name key
    twice: list[str] = []
    for written in names:
        name = clean_name(written, most=Player.name.field.max_length, question="names")
        if called.setdefault(name_key(name), name) is not name:
            twice.append(name)
    # In the order of their keys, so that two lists at once wait for each other only one way.
    players = {
        key: find_or_make(club_id, called[key], home=home, in_season=in_season)
        for key in sorted(called)
    }
    new = [player.pk for player, made in players.values() if made]
    if new:
        log(by, "players-added", club_id=club_id, players=new)
    return Added(
        players=tuple(players[key][0] for key in called),
        known=tuple(player for player, made in (players[key] for key in called) if not made),
        twice=tuple(twice),
    )


def chosen_players(club_id: int, players: Sequence[int]) -> dict[int, Player]:
    """Return these players by key, if all are of the club."""
    chosen = Player.objects.present().filter(club=club_id).in_bulk(list(players))
    if len(chosen) != len(set(players)):
        raise Refused(
            "player-unknown", gettext_noop("Choose only players of this club."), question="people"
        )
    return chosen


def add_player(*, club_id: int, name: str, visitor_from: str = "", by: Actor) -> Player:
    """Add one player, whose name must be new to the club."""
    with transaction.atomic():
        added = add_players(club_id=club_id, names=[name], visitor_from=visitor_from, by=by)
        if added.known:
            raise name_taken(added.known[0].name)
    return added.players[0]


@transaction.atomic
def rename_player(
    *,
    player_id: int,
    name: str,
    full_name: str | None = None,
    visitor_from: str = "",
    in_season: bool = True,
    by: Actor,
) -> Player:
    """Change a player's names, home club and whether they count for the season.

    Only organisers read *full_name*; ``None`` leaves it as it is.
    """
    player = Player.objects.present().select_for_update(no_key=True).get(pk=player_id)
    player.name = clean_name(name, most=Player.name.field.max_length)
    player.name_key = name_key(player.name)
    player.visitor_from = _optional_name(visitor_from, "visitor_from")
    player.in_season = in_season
    if full_name is not None:
        player.full_name = _optional_name(full_name, "full_name")
    try:
        with transaction.atomic():
            player.save()
    except IntegrityError:
        raise name_taken(player.name) from None
    log(by, "player-renamed", club_id=player.club_id, player=player.pk)
    return player


def find_or_make(
    club_id: int, name: str, *, full_name: str = "", home: str, in_season: bool
) -> tuple[Player, bool]:
    """Return the player of that name, and whether it was made now.

    It tries to insert first, as another request may be adding the same name.
    """
    key = name_key(name)
    try:
        with transaction.atomic():
            player = Player.objects.create(
                club_id=club_id,
                name=name,
                name_key=key,
                full_name=full_name,
                visitor_from=home,
                in_season=in_season,
            )
    except IntegrityError:
        return Player.objects.present().get(club_id=club_id, name_key=key), False
    return player, True


def name_taken(name: str) -> Refused:
    template = gettext_noop(
        "%(name)s is in this club already. If this is somebody else,"
        " write one letter more, such as “%(other)s”."
    )
    return Refused("name-taken", template, question="name", name=name, other=suggest_other(name))


def _optional_name(name: str, field: str) -> str:
    """Return a cleaned name, which may be empty."""
    most = getattr(Player, field).field.max_length
    return clean_name(name, most=most, question=field) if name.strip() else ""
