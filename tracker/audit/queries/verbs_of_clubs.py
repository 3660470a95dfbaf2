"""Sentences and undo buttons of the verbs about tournaments, nights, people, cards and logins.

A ``Verb`` has its usual sentence, variants of it by key, and a function that returns the key for an
act, "" for the usual one. What ``act[…]``, ``act.value``, ``act.row`` and so on read: see ``Act``.
"""

from collections.abc import Callable
from typing import Any

from django.urls import reverse

from games.errors import gettext_noop as _
from tracker.audit.queries.sentences import UNKNOWN, Act, UndoButton, Verb, Verbs, variant_if
from tracker.criteria.ranking_criteria import criteria_of


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

    def url(act: Act) -> str:
        row = act.row(row_name)
        return reverse(page, args=[getattr(row, attribute)]) if row and undoable(row) else ""

    return UndoButton(label, url, at_once=at_once)


# Tournaments and seasons --------------------------------------------------------------------------


def _rank_as_before_url(act: Act) -> str:
    """Return the URL that ranks the tournament as before the act; "" if that is changed since."""
    tournament, before, after = act.tournament, act.criteria("before"), act.criteria("after")
    if tournament is None or tournament.ranked_by != act.value("after"):
        return ""
    url = f"{reverse('ranked-by', args=[tournament.pk])}?ranked_by={act.value('before')}"
    if not after:  # an early version did not change tie-breaks
        return url
    if criteria_of(tournament) != after:
        return ""
    return f"{url}&tie_breaks={','.join(each.key for each in before[1:])}"


_LET_THEM_PLAY = _undo(
    _("Let them play"), "entrants", "entrant.tournament_id", lambda row: row.withdrawn_at
)
TOURNAMENTS: Verbs = {
    "tournament-made": Verb(_("%(who)s made the tournament %(tournament)s.")),
    "ranking-changed": Verb(
        _("%(who)s ranked %(tournament)s by %(ranked_by)s, not %(ranked_before)s."),
        {
            "criteria": _(
                "%(who)s ranked %(tournament)s by %(criteria)s; before: %(criteria_before)s."
            )
        },
        lambda act: "criteria" if act.criteria("after") else "",
        undo=UndoButton(_("Rank as before"), _rank_as_before_url),
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
    "import-undone": Verb(_("%(who)s undid the import of a tournament from a file.")),
    "tournament-finished": Verb(
        _("%(who)s made the standings of %(tournament)s official."),
        undo=_undo(
            _("Reopen the tournament"), "desk", "tournament.pk", lambda row: row.official_at
        ),
    ),
    "tournament-reopened": Verb(
        _("%(who)s reopened %(tournament)s: its standings are not official.")
    ),
    "standing-published": Verb(_("%(who)s published the provisional standings of %(tournament)s.")),
    "tie-resolved": Verb(_("%(who)s settled the tie between %(entrants)s: %(how)s.")),
    "stage-begun": Verb(_("%(who)s began the stage %(tournament)s.")),
    "places-limited": Verb(
        _("%(who)s limited %(tournament)s to %(places)s places."),
        {"no": _("%(who)s removed the limit on places in %(tournament)s.")},
        variant_if("no", places=None),
    ),
    "entered": Verb(_("%(who)s entered %(entrants)s in %(tournament)s.")),
    "entrant-withdrew": Verb(
        _("%(who)s withdrew %(entrant)s from %(tournament)s."),
        undo=_LET_THEM_PLAY,
    ),
    "entrant-expelled": Verb(
        _("%(who)s expelled %(entrant)s from %(tournament)s."), undo=_LET_THEM_PLAY
    ),
    "reserve-moved-up": Verb(_("%(entrants)s moved up from the reserve list of %(tournament)s.")),
    "entrants-seeded": Verb(_("%(who)s changed the seeds of %(tournament)s.")),
    "award-given": Verb(
        _("%(who)s gave %(entrant)s %(award)s in %(tournament)s."),
        undo=_undo(
            _("Take the points back"),
            "awards",
            "award.tournament_id",
            lambda row: not row.withdrawn_at,
        ),
    ),
    "award-withdrawn": Verb(
        _("%(who)s removed an award of %(entrant)s in %(tournament)s: %(award)s.")
    ),
    "season-made": Verb(_("%(who)s began the season %(season)s.")),
    "season-changed": Verb(_("%(who)s changed the season %(season)s.")),
}

# Nights -------------------------------------------------------------------------------------------


def _checked_in_alone(act: Act) -> str:
    """Return "alone" if the people used their own phones at the door, without a login."""
    return "alone" if act.entry.user_id is None else ""


NIGHTS: Verbs = {
    "night-announced": Verb(_("%(who)s announced the club night of %(night)s.")),
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
    "night-begun": Verb(_("%(who)s began the club night of %(night)s.")),
    "night-ended": Verb(
        _("%(who)s ended the club night of %(night)s."),
        undo=_undo(_("Reopen the night"), "night", "night.pk", lambda row: row.ended_at),
    ),
    "night-reopened": Verb(_("%(who)s reopened the club night of %(night)s.")),
    "door-opened": Verb(_("%(who)s opened check-in at the door for %(night)s.")),
    "door-renewed": Verb(_("%(who)s made a new door code for %(night)s.")),
    "door-name": Verb(_("%(player)s checked in at the door.")),
    "door-waits": Verb(
        _("%(whom)s checked in at the door of %(night)s under a new name, and waits.")
    ),
    "door-declined": Verb(_("%(who)s declined new names at the door of %(night)s.")),
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


def _separate_url(act: Act) -> str:
    """Return the URL that separates merged players; "" if they are not merged any more."""
    player = act.row("player")
    merged = player and player.merged_into_id == act.key("into") and not player.erased_at
    return reverse("merge-undo", args=[act.entry.pk]) if merged else ""


PEOPLE: Verbs = {
    "club-made": Verb(_("%(who)s made this club.")),
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
    "players-added": Verb(_("%(who)s added %(people)s to the players.")),
    "players-imported": Verb(_("%(who)s imported players: %(people)s.")),
    "player-renamed": Verb(_("%(who)s renamed %(player)s.")),
    "player-claimed": Verb(_("%(who)s asked to be linked to %(player)s.")),
    "player-claim-denied": Verb(_("%(who)s declined a request to be linked to %(player)s.")),
    "player-linked": Verb(
        _("%(who)s linked a login to %(player)s."),
        undo=_undo(
            _("Undo the sign-in"),
            "player-edit",
            "player.pk",
            lambda row: row.user_id and not (row.merged_into_id or row.erased_at),
        ),
    ),
    "player-unlinked": Verb(_("%(who)s unlinked the login of %(player)s.")),
    "player-erased": Verb(_("%(who)s erased the name of a person; the results stay.")),
    "players-merged": Verb(
        _("%(who)s merged %(gone)s into %(into)s."),
        undo=UndoButton(_("Separate them"), _separate_url, at_once=True),
    ),
    "merge-undone": Verb(_("%(who)s separated %(gone)s and %(from_player)s again.")),
    "team-made": Verb(_("%(who)s made the team %(team)s: %(people)s.")),
    "team-changed": Verb(_("%(who)s changed the team %(team)s: %(people)s.")),
    "user-renamed": Verb(_("%(who)s changed their own name.")),
}
CARDS: Verbs = {
    "cards-laid": Verb(_("%(who)s made table cards for %(tournament)s.")),
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
    "invitation-withdrawn": Verb(_("%(who)s withdrew an invitation for %(a_role)s.")),
    "joined": Verb(_("%(who)s joined the club by invitation, as %(a_role)s.")),
    "role-changed": Verb(_("%(who)s gave %(member)s the role: %(role)s.")),
    "member-removed": Verb(_("%(who)s removed %(member)s from the members.")),
    "password-link-given": Verb(_("%(who)s gave %(member)s a link to set a new password.")),
}
PROGRAMS: Verbs = {
    "token-made": Verb(
        _("%(who)s let a program read for them."),
        {
            "report": _("%(who)s let a program read and report hands for them."),
            "organise": _("%(who)s let a program run nights for them."),
        },
        lambda act: act.value("scope"),
    ),
    "token-withdrawn": Verb(_("%(who)s withdrew the access of a program.")),
    "webhook-added": Verb(_("%(who)s added a webhook, which is told what happens here.")),
    "webhook-withdrawn": Verb(_("%(who)s withdrew a webhook.")),
    "delivery-repeated": Verb(_("%(who)s sent a message about %(tournament)s to a webhook again.")),
}
