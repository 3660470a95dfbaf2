"""Tokens by which programs use the API for a user: made, and withdrawn."""

import secrets

from django.db import transaction

from games.errors import gettext_noop
from tracker.common.actor import Actor
from tracker.common.audit_log import log
from tracker.common.errors import Refused
from tracker.models import ApiToken, Membership, Role, TokenScope

MOST_TOKENS = 20  # of a member


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
    if membership.api_tokens.count() >= MOST_TOKENS:
        template = gettext_noop("You have %(most)d tokens for this club: withdraw one first.")
        raise Refused("tokens-full", template, most=MOST_TOKENS)
    text = f"kula_{secrets.token_urlsafe(32)}"
    token = membership.api_tokens.create(
        name=name, scope=scope, digest=ApiToken.digest_of(text), made_at=by.at
    )
    log(by, "token-made", club_id=club_id, token=token.pk, numbers={"scope": scope.value})
    return text


@transaction.atomic
def withdraw_token(*, token_id: int, by: Actor) -> None:
    """Withdraw a token of the user who acts; requests with it are refused from now on."""
    tokens = ApiToken.objects.filter(pk=token_id, membership__user=by.signed_in())
    if token := tokens.select_related("membership").first():
        token.delete()
        log(by, "token-withdrawn", club_id=token.membership.club_id, token=token_id)
