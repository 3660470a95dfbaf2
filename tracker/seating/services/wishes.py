"""Seating wishes: who keeps a table, and who is kept apart from whom.

What is behind a wish is nobody's business: of two kept apart the log says that there was one,
and not whose; of a table that is kept it knows for whom, and says it to those who organise.
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
    """Promise a player the table of that number; one promised before is given up.

    :raises Refused: if the player is not of the club, or no table has the number.
    """
    Club.objects.select_for_update(no_key=True).get(pk=club_id)
    _check_players(club_id, player=player_id)
    if not 1 <= table <= HIGHEST_TABLE:
        raise Refused(
            "table-number",
            gettext_noop("Tables have numbers from 1 to %(most)d."),
            question="table",
            most=HIGHEST_TABLE,
        )
    wish = SeatingWish.objects.filter(kind=WishKind.KEEPS_TABLE, player=player_id).first()
    if wish is not None and wish.table == table:
        return wish
    if wish is not None:
        wish.delete()
    return _keep(
        SeatingWish(kind=WishKind.KEEPS_TABLE, player_id=player_id, table=table), club_id, by
    )


@transaction.atomic
def keep_apart(
    *, club_id: int, kind: WishKind, player_id: int, other_id: int, by: Actor
) -> SeatingWish:
    """Promise two players that they are never partners, or never at one table.

    :raises Refused: if one of them is not of the club, or they are one and the same.
    """
    Club.objects.select_for_update(no_key=True).get(pk=club_id)
    _check_players(club_id, player=player_id, other=other_id)
    if player_id == other_id:
        raise Refused("wish-alone", gettext_noop("Choose somebody else."), question="other")
    first, second = sorted((player_id, other_id))
    same = SeatingWish.objects.filter(kind=kind, player=first, other=second)
    return same.first() or _keep(
        SeatingWish(kind=kind, player_id=first, other_id=second), club_id, by
    )


@transaction.atomic
def drop_wish(*, wish_id: int, club_id: int, by: Actor) -> bool:
    """Take a promise of a club back, and say whether there was one."""
    wish = SeatingWish.objects.filter(pk=wish_id, club=club_id).first()
    if wish is None:
        return False
    wish.delete()
    _log(by, "wish-dropped", wish, wish_id)
    return True


def _keep(wish: SeatingWish, club_id: int, by: Actor) -> SeatingWish:
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
    """Make sure that these are players of the club, each chosen by its question.

    :raises Refused: ``player-unknown``.
    """
    there = Player.objects.present().filter(club=club_id, pk__in=chosen.values())
    known = set(there.values_list("pk", flat=True))
    for question, player in chosen.items():
        if player not in known:
            raise Refused(
                "player-unknown",
                gettext_noop("Choose only players of this club."),
                question=question,
            )
