"""A program that asks the site in this process, as ``tests.api_client`` does over the network."""

from collections.abc import Mapping

from django.test import Client

from tests import make
from tests.api_client import Kula
from tracker.models import Club, Role, TokenScope, User
from tracker.people.services.api_tokens import make_token


def in_process(
    method: str, path: str, headers: Mapping[str, str], body: bytes | None
) -> tuple[int, Mapping[str, str], bytes]:
    """Send a request to the site in this process."""
    answer = Client().generic(method, path, body or b"", "application/json", headers=headers)
    return answer.status_code, answer.headers, answer.content


def program(
    club: Club, scope: TokenScope = TokenScope.ORGANISE, *, user: User | None = None
) -> Kula:
    """Return a program with a token of this scope, of an owner of the club or of *user*."""
    by = make.actor(user or make.user(role=Role.OWNER, club=club))
    token = make_token(club_id=club.pk, name="Hall", scope=scope, by=by)
    return Kula(in_process, token)
