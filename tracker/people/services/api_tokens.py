"""Tokens by which programs use the API for a user: made, and withdrawn."""

import secrets

from django.db import transaction

from games.errors import gettext_noop
from tracker.common.actor import Actor
from tracker.common.audit_log import log
from tracker.common.errors import Refused
from tracker.models import ApiToken, Membership, Role, TokenScope

MOST_TOKENS = 20  # of a user in a club, without those withdrawn


@transaction.atomic
def make_token(*, club_id: int, name: str, scope: TokenScope, by: Actor) -> str:
    """Make a token for the user who acts, and return its text, which is not stored.

    :raises Refused: ``token-scope`` if their role in the club allows less, ``tokens-full`` if they
        have too many.
    """
    memberships = Membership.objects.select_for_update()
    membership = memberships.filter(club=club_id, user=by.signed_in()).first()
    if membership is None or Role(membership.role).rank > scope.role.rank:
        template = gettext_noop("Your role in this club allows less than that: choose less.")
        raise Refused("token-scope", template, question="scope")
    valid = ApiToken.objects.filter(club=club_id, user=by.user_id, withdrawn_at=None)
    if valid.count() >= MOST_TOKENS:
        template = gettext_noop("You have %(most)d tokens for this club: withdraw one first.")
        raise Refused("tokens-full", template, most=MOST_TOKENS)
    text = f"kula_{secrets.token_urlsafe(32)}"
    token = ApiToken.objects.create(
        user_id=by.signed_in(),
        club_id=club_id,
        name=name,
        scope=scope,
        digest=ApiToken.digest_of(text),
        made_at=by.at,
    )
    _log(by, "token-made", token)
    return text


@transaction.atomic
def withdraw_token(*, token_id: int, by: Actor) -> None:
    """Withdraw a token of the user who acts; requests with it are refused from now on."""
    tokens = ApiToken.objects.filter(pk=token_id, user=by.signed_in(), withdrawn_at=None)
    for token in tokens.select_for_update():
        token.withdrawn_at = by.at
        token.save(update_fields=["withdrawn_at"])
        _log(by, "token-withdrawn", token)


def _log(by: Actor, verb: str, token: ApiToken) -> None:
    log(by, verb, club_id=token.club_id, token=token.pk, numbers={"scope": token.scope})
