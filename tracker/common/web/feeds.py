"""Addresses of calendar feeds: for a private club with a key, as calendar programs cannot sign in.

The key is of a user and a club. It opens the feeds of the club while the user is a member of it, and
until their password changes.
"""

from typing import cast

from django.core.signing import Signer
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.cache import add_never_cache_headers
from django.utils.crypto import constant_time_compare

from tracker.common.web import access
from tracker.common.web.addresses import full_address
from tracker.common.web.requests import key_in
from tracker.models import Club, User


def feed_address(request: HttpRequest, club: Club, url_name: str, row_id: int) -> str:
    """Return the whole address of a feed of *club*, with the reader's key if the club is private."""
    # Only members read the pages of a private club.
    query = {} if club.public else {"for": _key(cast("User", request.user), club)}
    return full_address(request, reverse(url_name, args=[row_id], query=query))


def store_nowhere(response: HttpResponse, club: Club) -> HttpResponse:
    """Let no browser, nor an installed site, store a page with a key, as private clubs have."""
    if not club.public:
        add_never_cache_headers(response)
        response.headers["Kula-Keep"] = "0"
    return response


def check_feed(request: HttpRequest, club: Club) -> Club:
    """Return *club* if the reader may see it or the address has a valid key; else raise 404."""
    if not (access.may_read(request, club) or _has_key(request, club)):
        raise Http404
    return club


def _has_key(request: HttpRequest, club: Club) -> bool:
    key = request.GET.get("for", "")
    members = User.objects.filter(memberships__club=club, is_active=True)
    user = members.filter(pk=key_in(key.partition(":")[0])).first()
    return user is not None and constant_time_compare(key, _key(user, club))


def _key(user: User, club: Club) -> str:
    """Return the key of the user and the signature, as ``17:…``."""
    return Signer(salt=f"tracker.feed.{club.pk}.{user.password}").sign(str(user.pk))
