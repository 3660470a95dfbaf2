"""Sentences and undo buttons of the verbs about tournaments, nights, people, cards and logins.

A ``Verb`` has its usual sentence, variants of it by name, and the function that returns the name
for an act. What ``act[…]``, ``act.value``, ``act.key`` and ``act.row`` read: see ``Act``.
"""

from collections.abc import Callable
from typing import Any

from games.errors import gettext_noop as _
from tracker.audit.queries.sentences import UNKNOWN, Act, UndoButton, Verb, Verbs, variant_if


def _settings_variant(act: Act) -> str:
    """Return "settings" if there are phrases for the settings that were changed."""
    return "" if act["settings"] == UNKNOWN else "settings"


def _undo(
    label: str, page: str, column: str, undoable: Callable[[Any], Any], *, at_once: bool = False
) -> UndoButton:
    """Return a button that is shown while a row that the act names exists and is *undoable*.

    *column* says what the URL has: for "award.tournament_id" the ``tournament_id`` of row "award".
    """
    row_name, attribute = column.split(".")

    def url_arguments(act: Act) -> list[int]:
        row = act.row(row_name)
        return [getattr(row, attribute)] if row and undoable(row) else []

    return UndoButton(label, page, url_arguments, at_once=at_once)


# Tournaments and seasons --------------------------------------------------------------------------


def _if_still_ranked(act: Act) -> list[int]:
    """Return the URL's argument, the tournament, if it is still ranked as the act says."""
    tournament = act.tournament
    return [tournament.pk] if tournament and tournament.ranked_by == act.value("after") else []


TOURNAMENTS: Verbs = {
    "tournament-made": _("%(who)s made the tournament %(tournament)s."),
    "ranking-changed": Verb(
        _("%(who)s ranked %(tournament)s by %(ranked_by)s, not %(ranked_before)s."),
        undo=UndoButton(
            _("Rank as before"),
            page="ranked-by",
            keys=_if_still_ranked,
            query=lambda act: f"?ranked_by={act.value('before')}",
        ),
    ),
    "tournament-changed": Verb(
        _("%(who)s changed the settings of %(tournament)s."),
        {"settings": _("%(who)s changed the settings of %(tournament)s: %(settings)s.")},
        _settings_variant,
        name_only={"name": _("its name"), "tie_breaks": _("its tie-breaks")},
    ),
    "tournament-in-season": Verb(
        _("%(who)s added %(tournament)s to the season %(season)s."),
        {"none": _("%(who)s took %(tournament)s out of its season.")},
        lambda act: "" if act.key("season") else "none",
    ),
    "tournament-imported": Verb(
        _("%(who)s imported the tournament %(tournament)s from a file."),
        {"gone": _("%(who)s imported a tournament from a file.")},
        lambda act: "" if act.tournament else "gone",
        undo=_undo(_("Undo the import"), "import-undo", "tournament.pk", bool, at_once=True),
    ),
    "import-undone": _("%(who)s undid the import of a tournament from a file."),
    "tournament-finished": Verb(
        _("%(who)s made the standings of %(tournament)s official."),
        undo=_undo(
            _("Reopen the tournament"), "desk", "tournament.pk", lambda row: row.official_at
        ),
    ),
    "tournament-reopened": _("%(who)s reopened %(tournament)s: its standings are not official."),
    "standing-published": _("%(who)s published the provisional standings of %(tournament)s."),
    "tie-resolved": _("%(who)s settled the tie between %(entrants)s: %(how)s."),
    "stage-begun": _("%(who)s began the stage %(tournament)s."),
    "places-limited": Verb(
        _("%(who)s limited %(tournament)s to %(places)s places."),
        {"no": _("%(who)s removed the limit on places in %(tournament)s.")},
        variant_if("no", places=None),
    ),
    "entered": _("%(who)s entered %(entrants)s in %(tournament)s."),
    "entrant-withdrew": Verb(
        _("%(who)s withdrew %(entrant)s from %(tournament)s."),
        undo=_undo(
            _("Let them play"), "entrants", "entrant.tournament_id", lambda row: row.withdrawn_at
        ),
    ),
    "reserve-moved-up": _("%(entrants)s moved up from the reserve list of %(tournament)s."),
    "entrants-seeded": _("%(who)s changed the seeds of %(tournament)s."),
    "award-given": Verb(
        _("%(who)s gave %(entrant)s %(award)s in %(tournament)s."),
        undo=_undo(
            _("Take the points back"),
            "awards",
            "award.tournament_id",
            lambda row: not row.withdrawn_at,
        ),
    ),
    "award-withdrawn": _("%(who)s removed an award of %(entrant)s in %(tournament)s: %(award)s."),
    "season-made": _("%(who)s began the season %(season)s."),
    "season-changed": _("%(who)s changed the season %(season)s."),
}

# Nights -------------------------------------------------------------------------------------------


def _checked_in_alone(act: Act) -> str:
    """Return "alone" if the people used their own phones at the door, without a login."""
    return "alone" if act.entry.user_id is None else ""


NIGHTS: Verbs = {
    "night-announced": _("%(who)s announced the club night of %(night)s."),
    "night-changed": Verb(
        _("%(who)s changed when or where the club night of %(night)s is."),
        {"settings": _("%(who)s changed the club night of %(night)s: %(settings)s.")},
        _settings_variant,
        name_only={
            "starts_at": _("when it begins"),
            "place": _("where it is"),
            "games": _("what is played"),
        },
    ),
    "night-link-renewed": Verb(_("%(who)s made a new reply link for %(night)s."), hide_reason=True),
    "night-begun": _("%(who)s began the club night of %(night)s."),
    "night-ended": Verb(
        _("%(who)s ended the club night of %(night)s."),
        undo=_undo(_("Reopen the night"), "night", "night.pk", lambda row: row.ended_at),
    ),
    "night-reopened": _("%(who)s reopened the club night of %(night)s."),
    "door-opened": _("%(who)s opened check-in at the door for %(night)s."),
    "door-renewed": _("%(who)s made a new door code for %(night)s."),
    "door-name": _("%(player)s checked in at the door."),
    "door-waits": _("%(whom)s checked in at the door of %(night)s under a new name, and waits."),
    "door-declined": _("%(who)s declined new names at the door of %(night)s."),
    "arrived": Verb(
        _("%(who)s checked in %(people)s."),
        {"alone": _("%(people)s came to the club night of %(night)s.")},
        _checked_in_alone,
    ),
    "left": Verb(
        _("%(who)s checked out %(people)s."),
        {"alone": _("%(people)s went home.")},
        _checked_in_alone,
    ),
    "rsvp": Verb(
        _("%(whom)s is coming on %(night)s."),
        {"no": _("%(whom)s can’t make it on %(night)s.")},
        variant_if("no", yes=0),
    ),
}

# People, cards and logins -------------------------------------------------------------------------


def _if_still_merged(act: Act) -> list[int]:
    """Return the URL's argument, the log entry of a merge, if the players are still merged."""
    player = act.row("player")
    merged = player and player.merged_into_id == act.key("into") and not player.erased_at
    return [act.entry.pk] if merged else []


PEOPLE: Verbs = {
    "club-made": _("%(who)s made this club."),
    "club-changed": Verb(
        # Entries of older versions have ``public``, 0 (the usual sentence) or 1, and no settings.
        _("%(who)s changed the club: only members may read its pages."),
        {
            "settings": _("%(who)s changed the club: %(settings)s."),
            "public": _("%(who)s changed the club: everybody may read its pages."),
        },
        lambda act: _settings_variant(act) or ("public" if act.value("public") == 1 else ""),
        name_only={"name": _("its name")},
    ),
    "players-added": _("%(who)s added %(people)s to the players."),
    "players-imported": _("%(who)s imported players: %(people)s."),
    "player-renamed": _("%(who)s renamed %(player)s."),
    "player-claimed": _("%(who)s asked to be linked to %(player)s."),
    "player-claim-denied": _("%(who)s declined a request to be linked to %(player)s."),
    "player-linked": Verb(
        _("%(who)s linked a login to %(player)s."),
        undo=_undo(
            _("Undo the sign-in"),
            "player-edit",
            "player.pk",
            lambda row: row.user_id and not (row.merged_into_id or row.erased_at),
        ),
    ),
    "player-unlinked": _("%(who)s unlinked the login of %(player)s."),
    "player-erased": _("%(who)s erased the name of a person; the results stay."),
    "players-merged": Verb(
        _("%(who)s merged %(gone)s into %(into)s."),
        undo=UndoButton(_("Separate them"), page="merge-undo", keys=_if_still_merged, at_once=True),
    ),
    "merge-undone": _("%(who)s separated %(gone)s and %(from_player)s again."),
    "team-made": _("%(who)s made the team %(team)s: %(people)s."),
    "team-changed": _("%(who)s changed the team %(team)s: %(people)s."),
    "user-renamed": _("%(who)s changed their own name."),
}
CARDS: Verbs = {
    "cards-laid": _("%(who)s made table cards for %(tournament)s."),
    "card-renewed": Verb(
        _("%(who)s made a new card for table %(table)s; the old one no longer works."),
        hide_reason=True,
    ),
    "card-withdrawn": Verb(
        _("%(who)s withdrew the card of table %(table)s: it no longer works."),
        undo=_undo(
            _("Make a new card"), "table-keys", "table.tournament_id", lambda row: row.withdrawn_at
        ),
        hide_reason=True,
    ),
    "address-renewed": Verb(
        _("%(who)s signed out the phones at table %(table)s: they must scan again."),
        hide_reason=True,
    ),
}
LOGINS: Verbs = {
    "invited": Verb(
        _("%(who)s made an invitation for one person, as %(a_role)s."),
        {"many": _("%(who)s made an invitation for anyone with the link, as %(a_role)s.")},
        variant_if("many", many=1),
    ),
    "invitation-withdrawn": _("%(who)s withdrew an invitation for %(a_role)s."),
    "joined": _("%(who)s joined the club by invitation, as %(a_role)s."),
    "role-changed": _("%(who)s gave %(member)s the role: %(role)s."),
    "member-removed": _("%(who)s removed %(member)s from the members."),
    "password-link-given": _("%(who)s gave %(member)s a link to set a new password."),
}
