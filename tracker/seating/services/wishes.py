"""Seating wishes: a player always sits at one table, or two players are kept apart.

They are private: the log does not say which two players are kept apart. It has the player who is
promised a table, but only organisers are shown the name. ``question`` of a refusal is a form field.
"""

from django.db import transaction

from games.errors import gettext_noop
from tracker.common.actor import Actor
from tracker.common.audit_log import log
from tracker.common.errors import Refused
from tracker.models import Club, Player, SeatingWish, WishKind

HIGHEST_TABLE = 999


@transaction.atomic
def keep_table(*, club_id: int, player_id: int, table: int, by: Actor) -> SeatingWish:
    """Promise a player a table, in place of a table promised before."""
    Club.objects.select_for_update(no_key=True).get(pk=club_id)
    _check_players(club_id, player=player_id)
    if not 1 <= table <= HIGHEST_TABLE:
        template = gettext_noop("Tables have numbers from 1 to %(most)d.")
        raise Refused("table-number", template, question="table", most=HIGHEST_TABLE)
    earlier = SeatingWish.objects.filter(kind=WishKind.KEEPS_TABLE, player=player_id).first()
    if earlier is not None and earlier.table == table:
        return earlier
    if earlier is not None:
        earlier.delete()
    wish = SeatingWish(kind=WishKind.KEEPS_TABLE, player_id=player_id, table=table)
    return _save(wish, club_id, by)


@transaction.atomic
def keep_apart(
    *, club_id: int, kind: WishKind, player_id: int, other_id: int, by: Actor
) -> SeatingWish:
    """Keep two players apart: never partners, or never at one table."""
    Club.objects.select_for_update(no_key=True).get(pk=club_id)
    _check_players(club_id, player=player_id, other=other_id)
    if player_id == other_id:
        raise Refused("wish-alone", gettext_noop("Choose somebody else."), question="other")
    first, second = sorted((player_id, other_id))  # so that each pair is stored in one order
    same = SeatingWish.objects.filter(kind=kind, player=first, other=second).first()
    return same or _save(SeatingWish(kind=kind, player_id=first, other_id=second), club_id, by)


@transaction.atomic
def drop_wish(*, wish_id: int, club_id: int, by: Actor) -> bool:
    """Delete a wish of a club, and return whether there was one."""
    wish = SeatingWish.objects.filter(pk=wish_id, club=club_id).first()
    if wish is None:
        return False
    wish.delete()
    _log(by, "wish-dropped", wish, wish_id)  # the deleted wish has no key any more
    return True


def _save(wish: SeatingWish, club_id: int, by: Actor) -> SeatingWish:
    wish.club_id = club_id
    wish.save()
    _log(by, "wish-made", wish, wish.pk)
    return wish


def _log(by: Actor, verb: str, wish: SeatingWish, key: int) -> None:
    if wish.kind == WishKind.KEEPS_TABLE:
        numbers = {"keeps": wish.table}
        log(by, verb, club_id=wish.club_id, wish=key, player=wish.player_id, numbers=numbers)
    else:
        log(by, verb, club_id=wish.club_id, wish=key)


def _check_players(club_id: int, **chosen: int) -> None:
    """Refuse a key that is no player of the club; *chosen* maps form fields to keys."""
    players = Player.objects.present().filter(club=club_id, pk__in=chosen.values())
    of_club = set(players.values_list("pk", flat=True))
    for question, player in chosen.items():
        if player not in of_club:
            template = gettext_noop("Choose only players of this club.")
            raise Refused("player-unknown", template, question=question)
