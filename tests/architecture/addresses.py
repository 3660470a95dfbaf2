"""Every address of the site, and what it answers to whom: a new one without its row fails.

An answer is a status, or ``in`` for "sign in first", or ``on`` for any other redirect.
They stand in the order of ``WHO``, for a public club. In a private one whoever
is not of it finds nothing (404), except that a page for organisers first asks a
stranger to sign in, so that nobody learns that the club is there.
"""

from dataclasses import dataclass

WHO = ("stranger", "guest", "elsewhere", "member", "scorer", "organiser", "owner")


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """What one address answers; a POST is an empty form with its token."""

    get: str
    post: str
    of_club: bool = True  # so that a private club hides it

    def expected(self, method: str, *, public: bool) -> dict[str, str]:
        """Return what everybody is answered."""
        if method in {"PUT", "DELETE", "PATCH"}:
            return dict.fromkeys(WHO, "405")
        said = (self.post if method == "POST" else self.get).split()
        answers = dict(zip(WHO, said * len(WHO) if len(said) == 1 else said, strict=False))
        if self.of_club and not public:
            hidden = {
                who: "404" for who in WHO[:3] if answers[who] != "405" and answers[who] != "in"
            }
            answers |= hidden
        return answers


def site(get: str, post: str) -> Row:
    return Row(get=get, post=post, of_club=False)


def club(get: str, post: str) -> Row:
    return Row(get=get, post=post)


#                                  stranger guest elsewhere member scorer organiser owner
ADDRESSES = {
    "home": site("                200 200 on on on on on", "405"),
    "practice": site("            200", "405"),
    "rules": site("               200", "405"),
    "guide": site("               200", "405"),
    "how-to-play": site("         200", "405"),
    "referee": site("             200", "405"),
    "replay": site("              200", "200"),
    "practice-game": site("       200", "200"),
    "first-owner": site("         410", "410"),
    # What a browser reads to install the site. The tests' files have no names to be kept by.
    "manifest": site("            200", "405"),
    "worker": site("              404", "405"),
    "no-network": site("          200", "405"),
    "api-docs": site("            200", "405"),
    "sign-in": site("             200 on on on on on on", "200 on on on on on on"),
    "sign-out": site("            405", "on"),
    # For whoever keeps the site, which nobody does by owning a club.
    "keeping": site("             in 403 403 403 403 403 403", "405"),
    "club-new": site("            in 200 200 200 200 200 200", "in 200 200 200 200 200 200"),
    "card-code": site("           200", "200"),
    # All clubs' data: for whoever keeps the site, which nobody does by owning a club.
    "copies": site("              in 403 403 403 403 403 403", "in 403 403 403 403 403 403"),
    "copy": site("                in 403 403 403 403 403 403", "405"),
    "copy-file": site("           in 403 403 403 403 403 403", "405"),
    "club": club("                200", "405"),
    "search": club("              200", "405"),
    "log": club("                in 403 403 200 200 200 200", "405"),
    "club-edit": club("           in 403 403 403 403 403 200", "in 403 403 403 403 403 200"),
    "webhooks": club("            in 403 403 403 403 403 200", "in 403 403 403 403 403 200"),
    "webhook-withdraw": club("    405", "in 403 403 403 403 403 on"),
    "delivery-again": club("      405", "in 403 403 403 403 403 on"),
    "players": club("             200", "in 403 403 403 403 200 200"),
    "player": club("              200", "405"),
    "pair": club("                200", "405"),
    "player-edit": club("         in 403 403 403 403 200 200", "in 403 403 403 403 200 200"),
    "join": site("                404", "404"),
    "account": site("             in 200 200 200 200 200 200", "in 200 200 200 200 200 200"),
    "api-tokens": club("          in 403 403 200 200 200 200", "in 403 403 200 200 200 200"),
    "password": site("            in 200 200 200 200 200 200", "in 200 200 200 200 200 200"),
    "password-new": site("        404", "404"),
    "members": club("             in 403 403 403 403 403 200", "in 403 403 403 403 403 200"),
    "member": club("              in 403 403 403 403 403 200", "in 403 403 403 403 403 200"),
    "invitation-withdraw": club(" 405", "in 403 403 403 403 403 on"),
    "invitation-qr": club("       in 403 403 403 403 403 200", "405"),
    "claim": club("               in 403 403 200 200 200 200", "in 403 403 200 200 200 200"),
    "players-import": club("      in 403 403 403 403 200 200", "in 403 403 403 403 200 200"),
    "duplicates": club("          in 403 403 403 403 200 200", "405"),
    "player-login": club("        405", "in 403 403 403 403 on on"),
    "player-merge": club("        in 403 403 403 403 200 200", "in 403 403 403 403 200 200"),
    "player-erase": club("        in 403 403 403 403 403 200", "in 403 403 403 403 403 200"),
    "merge-undo": club("          405", "in 403 403 403 403 on on"),
    "wishes": club("              in 403 403 403 403 200 200", "in 403 403 403 403 200 200"),
    "teams": club("               200", "in 403 403 403 403 200 200"),
    "team": club("                200", "405"),
    "team-edit": club("           in 403 403 403 403 200 200", "in 403 403 403 403 200 200"),
    "plan": club("                in 403 403 403 403 200 200", "in 403 403 403 403 200 200"),
    "tonight": club("             in 403 403 403 403 200 200", "in 403 403 403 403 200 200"),
    "tournaments": club("         200", "405"),
    "tournament-new": club("      in 403 403 403 403 200 200", "in 403 403 403 403 200 200"),
    "seasons": club("             200", "in 403 403 403 403 200 200"),
    "season": club("              200", "405"),
    "season-edit": club("         in 403 403 403 403 200 200", "in 403 403 403 403 200 200"),
    "nights": club("              200", "405"),
    "night-new": club("           in 403 403 403 403 200 200", "in 403 403 403 403 200 200"),
    "night": club("               200", "in 403 403 403 403 on on"),
    "night-edit": club("          in 403 403 403 403 200 200", "in 403 403 403 403 200 200"),
    "night-people": club("        in 403 403 403 403 200 200", "in 403 403 403 403 200 200"),
    "night-door": club("          in 403 403 403 403 200 200", "in 403 403 403 403 on on"),
    # Whoever has the code at the door says that they are here, also in a private club.
    "door": site("                200", "200"),
    "door-qr": site("             200", "405"),
    # Whoever has the link says whether they come, also to a private club's night.
    "night-rsvp": site("        200", "200"),
    "night-calendar": site("      200", "405"),
    "club-calendar": club("       200", "405"),
    "player-calendar": club("     200", "405"),
    "tournament": club("          200", "405"),
    "dealers": club("             200", "405"),
    "crosstable": club("          200", "405"),
    "entrant": club("             200", "405"),
    # There is none of a tournament in which nobody is knocked out.
    "bracket": club("             404", "405"),
    "official": club("            in 403 403 403 403 200 200", "in 403 403 403 403 on on"),
    "prizes": club("              in 403 403 403 403 200 200", "in 403 403 403 403 200 200"),
    "tournament-display": club("     200", "405"),
    "night-display": club("          200", "405"),
    "my-table-qr": club("         200", "405"),
    "story": club("               200", "405"),
    "race": club("                200", "405"),
    "tournament-picture": club("                200", "405"),
    "season-picture": club("                200", "405"),
    "hands": club("               200", "405"),
    "tournament-file": club("     in 403 403 403 403 200 200", "405"),
    "tournament-import": club("   in 403 403 403 403 200 200", "in 403 403 403 403 200 200"),
    "import-undo": club("         405", "in 403 403 403 403 on on"),
    "tournament-look": club("     in 403 403 403 403 200 200", "in 403 403 403 403 200 200"),
    "tournament-edit": club("     in 403 403 403 403 200 200", "in 403 403 403 403 200 200"),
    "entrants": club("            200", "in 403 403 403 403 200 200"),
    "desk": club("                in 403 403 403 200 200 200", "in 403 403 403 403 on on"),
    "draw": club("                in 403 403 403 403 200 200", "in 403 403 403 403 200 200"),
    "schedule": club("            200", "405"),
    "why": club("                 200", "405"),
    "table-new": club("           in 403 403 403 403 200 200", "in 403 403 403 403 200 200"),
    "round-close": club("         in 403 403 403 403 200 200", "in 403 403 403 403 on on"),
    "round-undo": club("          in 403 403 403 403 200 200", "in 403 403 403 403 on on"),
    "round-seats": club("         in 403 403 403 403 200 200", "in 403 403 403 403 200 200"),
    "ranked-by": club("           in 403 403 403 403 200 200", "in 403 403 403 403 200 200"),
    "sitting": club("             in 403 403 403 200 200 200", "405"),
    "sitting-confirm": club("     405", "in 403 403 403 on on on"),
    "match-decide": club("        405", "in 403 403 403 403 on on"),
    "paper": club("               in 403 403 403 200 200 200", "in 403 403 403 200 200 200"),
    "table-keys": club("          in 403 403 403 403 200 200", "in 403 403 403 403 on on"),
    "print-cards": club("         in 403 403 403 200 200 200", "in 403 403 403 403 200 200"),
    "print-blank": club("         in 403 403 403 200 200 200", "405"),
    "print-sheets": club("        in 403 403 403 200 200 200", "405"),
    "print-rounds": club("        200", "405"),
    "print-seats": club("         200", "405"),
    "print-results": club("       200", "405"),
    "my-table": club("            200", "on"),
    "awards": club("              in 403 403 403 403 200 200", "in 403 403 403 403 200 200"),
    "stage-new": club("              in 403 403 403 403 200 200", "in 403 403 403 403 200 200"),
    "final-ranking": club("               200", "405"),
    "enter-result-type": club("       in 403 403 403 200 200 200", "in 403 403 403 200 200 200"),
    "paper-file": club("          in 403 403 403 200 200 200", "in 403 403 403 200 200 200"),
    "hand": club("                200", "405"),
    "hand-record": club("         200", "in 403 403 403 200 200 200"),
    "hand-correct": club("        in 403 403 403 200 200 200", "in 403 403 403 200 200 200"),
    "issue": club("              in 403 403 403 200 200 200", "in 403 403 403 200 200 200"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class TableNow:
    """What a table's address answers to everybody, by the state of its token: GET, then POST."""

    open: str
    closed: str
    revoked: str
    unknown: str

    def expected(self, state: str, method: str) -> str:
        if method in {"PUT", "DELETE", "PATCH"}:
            return "405"
        get, post = getattr(self, state).split()
        return str(post if method == "POST" else get)


AT_TABLES = {
    "table": TableNow(open="200 200", closed="200 200", revoked="410 410", unknown="404 404"),
    "table-check": TableNow(open="405 200", closed="405 200", revoked="405 410", unknown="405 404"),
    # The next round at the same table, or the page that waits for it.
    "table-next": TableNow(open="on 405", closed="200 405", revoked="410 405", unknown="404 405"),
    "enter-wins": TableNow(open="200 200", closed="200 200", revoked="410 410", unknown="404 404"),
    # These lead back to the table, which says what became of it; also that it is gone.
    "table-dealer": TableNow(open="405 on", closed="405 on", revoked="405 on", unknown="405 404"),
    "table-settle": TableNow(open="405 on", closed="405 on", revoked="405 on", unknown="405 on"),
    "table-query": TableNow(open="405 on", closed="405 on", revoked="405 on", unknown="405 404"),
    "table-side": TableNow(open="405 on", closed="405 on", revoked="405 410", unknown="405 404"),
    "table-confirm": TableNow(open="405 on", closed="405 on", revoked="405 on", unknown="405 404"),
    "table-take-back": TableNow(
        open="405 on", closed="405 on", revoked="405 on", unknown="405 404"
    ),
    "table-call": TableNow(open="405 on", closed="405 on", revoked="405 on", unknown="405 404"),
    # The card of a table: somebody sits there, the round is over, nobody may sit there, forged.
    "card": TableNow(open="on 405", closed="200 405", revoked="200 405", unknown="404 405"),
    "card-qr": TableNow(open="200 405", closed="200 405", revoked="200 405", unknown="404 405"),
}
