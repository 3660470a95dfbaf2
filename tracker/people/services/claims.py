"""Links between users and players: claims, their answers, linking and unlinking.

A user who *claims* a player says to be that person; if an organiser confirms it, the two are
*linked*: the user is the player's login.
"""

from django.db import transaction
from django.db.models import Q

from games.errors import gettext_noop
from tracker.common.actor import Actor
from tracker.common.audit_log import log
from tracker.common.errors import Refused
from tracker.models import Membership, Player


@transaction.atomic
def claim_player(*, player_id: int, by: Actor) -> Player:
    """Store the signed-in user's claim to be this player, until an organiser answers it.

    :raises Refused: if the player has a login, or another user claims the player; or if the user
        is another player of the club, or is not a member.
    """
    user_id = by.signed_in()
    # A player claimed by the user before is locked too; in order of keys, as everywhere.
    players = Player.objects.select_for_update(no_key=True)
    list(players.filter(Q(pk=player_id) | Q(claimed_by=user_id)).order_by("pk"))  # runs the query
    player = Player.objects.present().get(pk=player_id)
    if not Membership.objects.filter(club=player.club_id, user=user_id).exists():
        raise Refused("claim-stranger", gettext_noop("Only members of this club can say so."))
    _check_no_other_player(player, user_id)
    if player.user_id is not None or player.claimed_by_id not in {None, user_id}:
        text = gettext_noop("Somebody else has said to be %(name)s. Ask an organiser to settle it.")
        raise Refused("claim-taken", text, question="player", name=player.name)
    # A user has one claim in a club: a new one replaces it.
    Player.objects.filter(club=player.club_id, claimed_by=user_id).update(claimed_by=None)
    player.claimed_by_id = user_id
    player.save(update_fields=["claimed_by"])
    log(by, "player-claimed", club_id=player.club_id, player=player.pk)
    return player


@transaction.atomic
def answer_claim(*, player_id: int, yes: bool, by: Actor) -> Player:
    """Confirm or deny the claim to a player, if there is one."""
    player = Player.objects.present().select_for_update(no_key=True).get(pk=player_id)
    user_id = player.claimed_by_id
    if user_id is None:
        return player
    if yes:
        return link_player(player_id=player_id, user_id=user_id, by=by)
    player.claimed_by = None
    player.save(update_fields=["claimed_by"])
    log(by, "player-claim-denied", club_id=player.club_id, player=player.pk)
    return player


@transaction.atomic
def link_player(*, player_id: int, user_id: int, by: Actor) -> Player:
    """Link a user to a player, unless the user is linked to another player of the club."""
    player = Player.objects.present().select_for_update(no_key=True).get(pk=player_id)
    _check_no_other_player(player, user_id)
    player.user_id, player.claimed_by = user_id, None
    player.save(update_fields=["user", "claimed_by"])
    log(by, "player-linked", club_id=player.club_id, player=player.pk)
    return player


@transaction.atomic
def unlink_player(*, player_id: int, by: Actor) -> Player:
    player = Player.objects.select_for_update(no_key=True).get(pk=player_id)
    if player.user_id is not None:
        player.user = None
        player.save(update_fields=["user"])
        log(by, "player-unlinked", club_id=player.club_id, player=player.pk)
    return player


def _check_no_other_player(player: Player, user_id: int) -> None:
    linked = Player.objects.present().filter(club=player.club_id, user=user_id)
    if other := linked.exclude(pk=player.pk).first():
        text = gettext_noop("This login is %(name)s already. If they are one person, merge them.")
        raise Refused("claim-second", text, question="player", name=other.name)
