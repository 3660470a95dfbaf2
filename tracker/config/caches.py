"""What caches are told: every page is its reader's, and some are not kept at all."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils.cache import add_never_cache_headers, patch_cache_control

# Pages with what opens something to whoever has it: cards, codes, links, passwords.
_SECRET = {
    "account",
    "card",
    "card-code",
    "card-qr",
    "door",
    "door-qr",
    "first-owner",
    "invitation-qr",
    "join",
    "keeping",
    "member",
    "members",
    "night-calendar",
    "night-door",
    "night-rsvp",
    "password",
    "password-new",
    "player-edit",
    "player-login",
    "print-cards",
    "sign-in",
    "table",
    "table-check",
    "table-result",
}


def keep_private(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Keep pages from shared caches, and those with secrets from every cache.

    Any other page a browser may keep and has to ask about, so that a page that is polled can be
    answered 304. What says something itself is left as it is, and files never come here.
    """

    def answer(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        found = request.resolver_match
        if found is not None and found.url_name in _SECRET:
            add_never_cache_headers(response)
        elif not response.has_header("Cache-Control"):
            patch_cache_control(response, private=True, no_cache=True)
        return response

    return answer
