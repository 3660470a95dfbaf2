"""Kinds of acts: what belongs together when somebody reads the log."""

from collections.abc import Mapping
from types import MappingProxyType

RESULTS = "results"  # what tables reported, which is kept beside the log
LOGINS = "logins"  # who may sign in, and as whom: for those who run the club

VERBS: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "hands": frozenset(
            {
                "hand-amended",
                "hand-confirmed",
                "hands-confirmed",
                "hand-taken-back",
                "hand-brought-back",
                "hand-queried",
                "change-asked",
                "issue-settled",
                "sitting-corrected",
                "paper-written-down",
                "dealer-chosen",
                "record-attached",
                "record-removed",
                "recounted",
            }
        ),
        "calls": frozenset({"organiser-called", "call-taken", "call-ended"}),
        "seats": frozenset(
            {
                "round-drawn",
                "draw-swapped",
                "draw-table-kept",
                "draw-table-freed",
                "draw-published",
                "draw-discarded",
                "seat-taken-over",
                "seats-exchanged",
                "player-replaced",
                "wish-made",
                "wish-dropped",
            }
        ),
        "rounds": frozenset(
            {
                "round-opened",
                "tables-joined",
                "round-shortened",
                "round-undone",
                "round-restored",
                "round-closed",
                "round-reopened",
                "match-decided",
                "match-reopened",
                "clock-started",
                "minutes-given",
                "clocks-paused",
                "clocks-resumed",
                "break-taken",
                "break-ended",
            }
        ),
        "tournaments": frozenset(
            {
                "tournament-made",
                "tournament-changed",
                "ranking-changed",
                "tournament-in-season",
                "tournament-imported",
                "import-undone",
                "tournament-finished",
                "tournament-reopened",
                "standing-published",
                "tie-resolved",
                "stage-begun",
                "places-limited",
                "entered",
                "entrant-withdrew",
                "reserve-moved-up",
                "entrants-seeded",
                "award-given",
                "award-withdrawn",
                "season-made",
                "season-changed",
            }
        ),
        "nights": frozenset(
            {
                "night-announced",
                "night-changed",
                "night-link-renewed",
                "night-begun",
                "night-ended",
                "night-reopened",
                "door-opened",
                "door-renewed",
                "door-name",
                "door-waits",
                "door-declined",
                "arrived",
                "left",
                "rsvp",
            }
        ),
        "people": frozenset(
            {
                "club-made",
                "club-changed",
                "players-added",
                "players-imported",
                "player-renamed",
                "player-claimed",
                "player-claim-denied",
                "player-linked",
                "player-unlinked",
                "player-erased",
                "players-merged",
                "merge-undone",
                "team-made",
                "team-changed",
                "user-renamed",
            }
        ),
        "cards": frozenset({"cards-laid", "card-renewed", "card-withdrawn", "address-renewed"}),
        LOGINS: frozenset(
            {
                "invited",
                "invitation-withdrawn",
                "joined",
                "role-changed",
                "member-removed",
                "password-link-given",
            }
        ),
    }
)
# Whose they are is for those who organise alone, as the promises themselves.
WISHES = frozenset({"wish-made", "wish-dropped"})
