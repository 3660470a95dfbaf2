"""The players of a club: added by name, and called something else."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db import IntegrityError, transaction

from games.errors import gettext_noop
from tracker.common.actor import Actor
from tracker.common.audit_log import log
from tracker.common.errors import Refused
from tracker.common.names import CLUB_NAME, FULL_NAME, PLAYER_NAME, clean_name, taken
from tracker.models import Player, name_key

MOST_AT_ONCE = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Added:
    """What came of adding players by name."""

    players: tuple[Player, ...]  # everybody who was named, once, in that order
    known: tuple[Player, ...]  # those of them who were in the club before
    twice: tuple[str, ...]  # names that stand more than once in the list

    @property
    def new(self) -> tuple[Player, ...]:
        return tuple(player for player in self.players if player not in self.known)


@transaction.atomic
def add_players(
    *, club_id: int, names: Sequence[str], visitor_from: str = "", in_season: bool = True, by: Actor
) -> Added:
    """Add everybody in *names* who is not in the club yet, and return all of them.

    Visitors may count for tonight alone: then they are not *in_season*.

    :raises Refused: if a name cannot be kept, or there are too many; then nobody is added.
    """
    _check_not_too_many(names)
    home = _clean_home(visitor_from)
    called, twice = _by_key(names)
    # In the order of their keys, so that two lists at once wait for each other only one way.
    found = {
        key: find_or_make(club_id, called[key], home=home, in_season=in_season)
        for key in sorted(called)
    }
    new = [player.pk for player, made in found.values() if made]
    if new:
        log(by, "players-added", club_id=club_id, players=new)
    return Added(
        players=tuple(found[key][0] for key in called),
        known=tuple(player for player, made in (found[key] for key in called) if not made),
        twice=tuple(twice),
    )


def chosen_players(club_id: int, players: Sequence[int]) -> dict[int, Player]:
    """Return the players of a club who were chosen, by their keys.

    :raises Refused: ``player-unknown`` if one of them is none of its players.
    """
    found = Player.objects.present().filter(club=club_id).in_bulk(list(players))
    if len(found) != len(set(players)):
        raise Refused(
            "player-unknown",
            gettext_noop("Somebody you chose is not a player of this club."),
            question="people",
        )
    return found


def add_player(*, club_id: int, name: str, visitor_from: str = "", by: Actor) -> Player:
    """Add one player.

    :raises Refused: if somebody in the club has that name, or it cannot be kept.
    """
    with transaction.atomic():
        added = add_players(club_id=club_id, names=[name], visitor_from=visitor_from, by=by)
        if added.known:
            raise taken(added.known[0].name)
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
    """Call a player something else, and say where a visitor comes from.

    Everybody reads *name*; a *full_name* behind it only those who run the club. Without
    one it stays as it is.

    :raises Refused: if somebody else in the club has that name, or it cannot be kept.
    """
    player = Player.objects.present().select_for_update().get(pk=player_id)
    player.name = clean_name(name, most=PLAYER_NAME)
    player.name_key = name_key(player.name)
    player.visitor_from = _clean_home(visitor_from)
    player.in_season = in_season
    if full_name is not None:
        player.full_name = _clean_full_name(full_name)
    _save(player)
    log(by, "player-renamed", club_id=player.club_id, player=player.pk)
    return player


def find_or_make(
    club_id: int, name: str, *, full_name: str = "", home: str, in_season: bool
) -> tuple[Player, bool]:
    """Return the player of that name, and whether there was none before.

    Only the database can tell: somebody else may be adding the same name.
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


def _check_not_too_many(names: Sequence[str]) -> None:
    if len(names) > MOST_AT_ONCE:
        raise Refused(
            "names-many",
            gettext_noop("%(count)d names are a lot: please add %(most)d at most at once."),
            question="names",
            count=len(names),
            most=MOST_AT_ONCE,
        )


def _by_key(names: Iterable[str]) -> tuple[dict[str, str], list[str]]:
    """Return the names as they are kept, each once, and those that are there again."""
    called: dict[str, str] = {}
    twice: list[str] = []
    for written in names:
        name = clean_name(written, most=PLAYER_NAME, question="names")
        if called.setdefault(name_key(name), name) is not name:
            twice.append(name)
    return called, twice


def _clean_home(visitor_from: str) -> str:
    """Return a visitor's home club as it is kept; nothing for a player of the house."""
    if not visitor_from.strip():
        return ""
    return clean_name(visitor_from, most=CLUB_NAME, question="visitor_from")


def _clean_full_name(full_name: str) -> str:
    """Return the name behind a nickname as it is kept; nothing if there is none."""
    return clean_name(full_name, most=FULL_NAME, question="full_name") if full_name.strip() else ""


def _save(player: Player) -> None:
    try:
        with transaction.atomic():
            player.save()
    except IntegrityError:
        raise taken(player.name) from None
