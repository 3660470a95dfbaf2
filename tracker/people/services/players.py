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
    """The players of a list of names, each once and in the order of the list."""

    players: tuple[Player, ...]
    known: tuple[Player, ...]  # those who were in the club before
    repeated: tuple[str, ...]  # the names that the list repeats

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
    home = clean_optional_name(visitor_from, "visitor_from")
    name_of: dict[str, str] = {}  # {name key: name}
    repeated: list[str] = []
    for written in names:
        name = clean_name(written, most=Player.name.field.max_length, question="names")
        if (key := name_key(name)) in name_of:
            repeated.append(name)
        else:
            name_of[key] = name
    # {name key: (player, whether the player is new)}; made in order of the keys: otherwise two
    # requests at once could wait for each other.
    found = {
        key: find_or_make(club_id, name_of[key], home=home, in_season=in_season)
        for key in sorted(name_of)
    }
    new = [player.pk for player, is_new in found.values() if is_new]
    if new:
        log(by, "players-added", club_id=club_id, players=new)
    players = tuple(found[key][0] for key in name_of)
    known = tuple(player for player in players if player.pk not in new)
    return Added(players=players, known=known, repeated=tuple(repeated))


def chosen_players(club_id: int, players: Sequence[int]) -> dict[int, Player]:
    """Return {key: player} of these keys; raise ``Refused`` unless all are players of the club."""
    chosen = Player.objects.present().filter(club=club_id).in_bulk(list(players))
    if len(chosen) != len(set(players)):
        template = gettext_noop("Choose only players of this club.")
        raise Refused("player-unknown", template, question="people")
    return chosen


@transaction.atomic
def add_player(*, club_id: int, name: str, visitor_from: str = "", by: Actor) -> Player:
    """Add one player, whose name must be new to the club."""
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
    player.visitor_from = clean_optional_name(visitor_from, "visitor_from")
    player.in_season = in_season
    if full_name is not None:
        player.full_name = clean_optional_name(full_name, "full_name")
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
    """Return the player with this name, and whether the player is new; *home* is the home club."""
    columns = {"name": name, "full_name": full_name, "visitor_from": home, "in_season": in_season}
    present = Player.objects.present()
    return present.get_or_create(club_id=club_id, name_key=name_key(name), defaults=columns)


def name_taken(name: str) -> Refused:
    """Return the refusal of a name that another player of the club has."""
    template = gettext_noop(
        "%(name)s is in this club already. If this is somebody else,"
        " write one letter more, such as “%(other)s”."
    )
    return Refused("name-taken", template, question="name", name=name, other=suggest_other(name))


def clean_optional_name(name: str, field: str) -> str:
    """Return the cleaned name for this field of a player; it may be empty."""
    most = getattr(Player, field).field.max_length
    return clean_name(name, most=most, question=field) if name.strip() else ""
