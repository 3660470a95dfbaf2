"""Cache headers: pages are private to their readers, and those with secrets are not stored."""

from django.http import HttpRequest, HttpResponse
from django.utils.cache import add_never_cache_headers

from tracker.config.middleware import Answering

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


# Pages that say how things stand. Where a site can be installed, its worker keeps what a phone has
# seen of them, for when there is no network: the table's page too, which no cache should have, as
# without it a phone could not write down a hand.
_FOR_PHONES = {
    "bracket",
    "club",
    "crosstable",
    "dealers",
    "final-ranking",
    "hands",
    "home",
    "my-table",
    "night",
    "nights",
    "pair",
    "player",
    "schedule",
    "season",
    "seasons",
    "story",
    "table",
    "team",
    "tournament",
    "tournaments",
    "why",
}
_A_DAY = 86_400  # seconds


def keep_private(get_response: Answering) -> Answering:
    """Keep pages from shared caches, and those with secrets from every cache.

    Any other page a browser may keep and has to ask about, so that a page that is polled can be
    answered 304. What says something itself is left as it is, and files never come here.
    """

    def answer(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        said = response.headers.get("Cache-Control", "")
        match = request.resolver_match
        if match is not None and match.url_name in _SECRET and "no-store" not in said:
            add_never_cache_headers(response)
        elif not said:
            response.headers["Cache-Control"] = "private, no-cache"
        if match is not None and match.url_name in _FOR_PHONES and request.is_secure():
            response.headers["Kula-Keep"] = str(_A_DAY)
        return response

    return answer
