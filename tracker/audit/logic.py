"""Log verbs: the sentence of each, by kind of act.

Whoever adds a verb to the log adds its sentence to one of the kinds here.
"""

from collections.abc import Mapping
from types import MappingProxyType

from games.errors import gettext_noop as _

RESULTS = "results"  # what tables reported, which is kept beside the log
LOGINS = "logins"  # who may sign in, and as whom: for those who run the club
# Whose they are is for those who organise alone, as the promises themselves.
WISHES = frozenset({"wish-made", "wish-dropped"})

_HANDS = {
    "hand-amended": _(
        "%(who)s corrected %(hand)s of table %(table)s: %(before)s became %(after)s."
    ),
    "hand-confirmed": _("%(who)s confirmed %(hand)s of table %(table)s."),
    "hands-confirmed": _("%(who)s confirmed %(which)s of table %(table)s."),
    "hand-taken-back": _("%(who)s undid %(hand)s of table %(table)s: %(before)s."),
    "hand-brought-back": _("%(who)s brought back %(hand)s of table %(table)s: %(after)s."),
    "hand-queried": _("%(who)s queried %(hand)s of table %(table)s."),
    "change-asked": _(
        "%(who)s asked to change %(hand)s of table %(table)s: %(before)s to %(after)s."
    ),
    "sitting-corrected": _("%(who)s corrected table %(table)s – %(hands)s."),
    "sitting-corrected, one": _(
        "%(who)s corrected %(hand)s of table %(table)s: %(before)s became %(after)s."
    ),
    "sitting-corrected, struck": _("%(who)s deleted %(hand)s of table %(table)s: %(before)s."),
    "sitting-corrected, back": _("%(who)s brought back %(hand)s of table %(table)s: %(after)s."),
    "sitting-corrected, all struck": _("%(who)s deleted %(which)s of table %(table)s."),
    "paper-written-down": _("%(who)s entered table %(table)s from paper – %(hands)s."),
    "paper-written-down, void": _("%(who)s recorded %(which)s of table %(table)s as not played."),
    "dealer-chosen": _("%(who)s chose %(dealer)s to deal next at table %(table)s."),
    "record-attached": _("%(who)s saved %(hand)s of table %(table)s card by card."),
    "record-removed": _("%(who)s deleted the card-by-card record of %(hand)s of table %(table)s."),
    "recounted": _("%(who)s recounted all of %(tournament)s."),
    "issue-settled": _("%(who)s settled a question about %(hand)s of table %(table)s."),
    "issue-settled, keep": _("%(who)s kept %(hand)s of table %(table)s as it was."),
    "issue-settled, dismiss": _("%(who)s kept %(hand)s of table %(table)s as it was."),
    "issue-settled, dismiss late": _("%(who)s left out %(hand)s of table %(table)s: it came late."),
    "issue-settled, take": _(
        "%(who)s chose the other result for %(hand)s of table %(table)s:"
        " %(before)s became %(after)s."
    ),
    "issue-settled, take late": _("%(who)s added what came late from table %(table)s – %(hands)s."),
    "issue-settled, two": _(
        "%(who)s counted the two results at table %(table)s as different hands – %(hands)s."
    ),
    "issue-settled, mended": _(
        "%(who)s entered %(hand)s of table %(table)s again: %(before)s became %(after)s."
    ),
    "issue-settled, void": _("%(who)s voided %(hand)s of table %(table)s: it counts for nothing."),
}
_CALLS = {
    "organiser-called": _("%(who)s called the organiser: %(call)s."),
    "call-taken": _("%(who)s went to table %(table)s."),
    "call-ended": _("%(who)s answered the call from table %(table)s."),
    "call-ended, withdrawn": _("%(who)s withdrew the call."),
}
_SEATS = {
    "round-drawn": _("%(who)s drew round %(round)s of %(tournament)s: %(players)s play."),
    "draw-swapped": _("%(who)s swapped %(entrants)s in the draw of round %(round)s."),
    "draw-table-kept": _("%(who)s kept table %(table)s as it is in the draw of round %(round)s."),
    "draw-table-freed": _("%(who)s released table %(table)s in the draw of round %(round)s."),
    "draw-published": _("%(who)s published the draw of round %(round)s of %(tournament)s."),
    "draw-discarded": _("%(who)s discarded the draw of %(tournament)s."),
    "seat-taken-over": _(
        "%(who)s let %(came)s substitute for %(left)s at table %(table)s, from hand %(from_hand)s on."
    ),
    "seats-exchanged": _("%(who)s swapped the seats of %(seated)s."),
    "seats-exchanged, round": _(
        "%(who)s swapped the seats of %(seated)s in round %(round)s of %(tournament)s."
    ),
    "seats-exchanged, table": _(
        "%(who)s swapped the seats of %(seated)s in round %(round)s of %(tournament)s,"
        " at table %(at_tables)s."
    ),
    "seats-exchanged, tables": _(
        "%(who)s swapped the seats of %(seated)s in round %(round)s of %(tournament)s,"
        " at tables %(at_tables)s."
    ),
    "player-replaced": _(
        "%(who)s replaced %(left)s, entered by mistake, with %(came)s"
        " in round %(round)s of %(tournament)s."
    ),
    "player-replaced, hands": _(
        "%(who)s replaced %(left)s, entered by mistake, with %(came)s"
        " at table %(table)s from hand %(from_hand)s on."
    ),
    "player-replaced, tournament": _(
        "%(who)s replaced %(left)s, entered by mistake, with %(came)s in all of %(tournament)s."
    ),
    "wish-made": _("%(who)s added a seating request."),
    "wish-made, table": _("%(who)s added a seating request: %(player)s plays at table %(keeps)s."),
    "wish-dropped": _("%(who)s removed a seating request."),
    "wish-dropped, table": _("%(who)s removed a seating request: %(player)s at table %(keeps)s."),
}
_ROUNDS = {
    "round-opened": _("%(who)s opened round %(round)s of %(tournament)s at %(tables)s tables."),
    "round-opened, alone": _("%(who)s opened round %(round)s of %(tournament)s at one table."),
    "tables-joined": _("%(who)s added a table to round %(round)s of %(tournament)s."),
    "round-shortened": _("%(who)s shortened round %(round)s of %(tournament)s to %(to)s."),
    "round-undone": _("%(who)s undid round %(round)s of %(tournament)s with its results."),
    "round-restored": _("%(who)s brought back round %(round)s of %(tournament)s with its results."),
    "round-closed": _("%(who)s closed round %(round)s of %(tournament)s."),
    "round-closed, short": _("%(who)s closed round %(round)s of %(tournament)s; %(missing)s."),
    "round-closed, short, unconfirmed": _(
        "%(who)s closed round %(round)s of %(tournament)s;"
        " %(missing)s, %(unconfirmed)s not confirmed."
    ),
    "round-closed, unconfirmed": _(
        "%(who)s closed round %(round)s of %(tournament)s; %(not_confirmed)s."
    ),
    "round-closed, not played": _(
        "%(who)s closed round %(round)s of %(tournament)s; %(not_played)s."
    ),
    "round-closed, not played, unconfirmed": _(
        "%(who)s closed round %(round)s of %(tournament)s;"
        " %(not_played)s, %(unconfirmed)s not confirmed."
    ),
    "match-decided": _("%(who)s decided the level match at table %(table)s for %(side)s."),
    "match-decided, lot": _("%(who)s drew lots at table %(table)s: %(side)s won the level match."),
    "match-reopened": _("%(who)s undid the win of %(side)s in the level match at table %(table)s."),
    "round-reopened": _("%(who)s opened round %(round)s of %(tournament)s again."),
    "clock-started": _("%(who)s started the clock of round %(round)s: %(minutes)s minutes."),
    "minutes-given": _("%(who)s gave %(minutes)s more minutes to table %(table)s."),
    "clocks-paused": _("%(who)s stopped the clock of round %(round)s."),
    "clocks-resumed": _("%(who)s started the clock of round %(round)s again."),
    "break-taken": _("%(who)s called a break of %(minutes)s minutes."),
    "break-ended": _("%(who)s ended the break."),
}
_TOURNAMENTS = {
    "tournament-made": _("%(who)s made the tournament %(tournament)s."),
    "ranking-changed": _("%(who)s ranked %(tournament)s by %(ranked_by)s, not %(ranked_before)s."),
    "tournament-changed": _("%(who)s changed the settings of %(tournament)s."),
    "tournament-changed, told": _("%(who)s changed the settings of %(tournament)s: %(settings)s."),
    "tournament-in-season": _("%(who)s added %(tournament)s to the season %(season)s."),
    "tournament-in-season, none": _("%(who)s took %(tournament)s out of its season."),
    "tournament-imported": _("%(who)s imported the tournament %(tournament)s from a file."),
    "tournament-imported, gone": _("%(who)s imported a tournament from a file."),
    "import-undone": _("%(who)s undid the import of a tournament from a file."),
    "tournament-finished": _("%(who)s made the standings of %(tournament)s official."),
    "tournament-reopened": _("%(who)s reopened %(tournament)s: its standings are not official."),
    "standing-published": _("%(who)s published the provisional standings of %(tournament)s."),
    "tie-resolved": _("%(who)s settled the tie between %(entrants)s: %(how)s."),
    "stage-begun": _("%(who)s began the stage %(tournament)s."),
    "places-limited": _("%(who)s limited %(tournament)s to %(places)s places."),
    "places-limited, no": _("%(who)s removed the limit on places in %(tournament)s."),
    "entered": _("%(who)s entered %(entrants)s in %(tournament)s."),
    "entrant-withdrew": _("%(who)s withdrew %(entrant)s from %(tournament)s."),
    "reserve-moved-up": _("%(entrants)s moved up from the reserve list of %(tournament)s."),
    "entrants-seeded": _("%(who)s changed the seeds of %(tournament)s."),
    "award-given": _("%(who)s gave %(entrant)s %(award)s in %(tournament)s."),
    "award-withdrawn": _("%(who)s removed an award of %(entrant)s in %(tournament)s: %(award)s."),
    "season-made": _("%(who)s began the season %(season)s."),
    "season-changed": _("%(who)s changed the season %(season)s."),
}
_NIGHTS = {
    "night-announced": _("%(who)s announced the club night of %(night)s."),
    "night-changed": _("%(who)s changed when or where the club night of %(night)s is."),
    "night-changed, told": _("%(who)s changed the club night of %(night)s: %(settings)s."),
    "night-link-renewed": _("%(who)s made a new reply link for %(night)s."),
    "night-begun": _("%(who)s began the club night of %(night)s."),
    "night-ended": _("%(who)s ended the club night of %(night)s."),
    "night-reopened": _("%(who)s reopened the club night of %(night)s."),
    "door-opened": _("%(who)s opened check-in at the door for %(night)s."),
    "door-renewed": _("%(who)s made a new door code for %(night)s."),
    "door-name": _("%(player)s checked in at the door."),
    "door-waits": _("%(whom)s checked in at the door of %(night)s under a new name, and waits."),
    "door-declined": _("%(who)s declined new names at the door of %(night)s."),
    "arrived": _("%(who)s checked in %(people)s."),
    "arrived, alone": _("%(people)s came to the club night of %(night)s."),
    "left": _("%(who)s checked out %(people)s."),
    "left, alone": _("%(people)s went home."),
    "rsvp": _("%(whom)s is coming on %(night)s."),
    "rsvp, no": _("%(whom)s can’t make it on %(night)s."),
}
_PEOPLE = {
    "club-made": _("%(who)s made this club."),
    "club-changed": _("%(who)s changed the club: only members may read its pages."),
    "club-changed, told": _("%(who)s changed the club: %(settings)s."),
    "club-changed, public": _("%(who)s changed the club: everybody may read its pages."),
    "players-added": _("%(who)s added %(people)s to the players."),
    "players-imported": _("%(who)s imported players: %(people)s."),
    "player-renamed": _("%(who)s renamed %(player)s."),
    "player-claimed": _("%(who)s asked to be linked to %(player)s."),
    "player-claim-denied": _("%(who)s declined a request to be linked to %(player)s."),
    "player-linked": _("%(who)s linked a login to %(player)s."),
    "player-unlinked": _("%(who)s unlinked the login of %(player)s."),
    "player-erased": _("%(who)s erased the name of a person; the results stay."),
    "players-merged": _("%(who)s merged %(gone)s into %(into)s."),
    "merge-undone": _("%(who)s separated %(gone)s and %(from_player)s again."),
    "team-made": _("%(who)s made the team %(team)s: %(people)s."),
    "team-changed": _("%(who)s changed the team %(team)s: %(people)s."),
    "user-renamed": _("%(who)s changed their own name."),
}
_CARDS = {
    "cards-laid": _("%(who)s made table cards for %(tournament)s."),
    "card-renewed": _("%(who)s made a new card for table %(table)s; the old one no longer works."),
    "card-withdrawn": _("%(who)s withdrew the card of table %(table)s: it no longer works."),
    "address-renewed": _("%(who)s signed out the phones at table %(table)s: they must scan again."),
}
_LOGINS = {
    "invited": _("%(who)s made an invitation for one person, as %(a_role)s."),
    "invited, many": _("%(who)s made an invitation for anyone with the link, as %(a_role)s."),
    "invitation-withdrawn": _("%(who)s withdrew an invitation for %(a_role)s."),
    "joined": _("%(who)s joined the club by invitation, as %(a_role)s."),
    "role-changed": _("%(who)s gave %(member)s the role: %(role)s."),
    "member-removed": _("%(who)s removed %(member)s from the members."),
    "password-link-given": _("%(who)s gave %(member)s a link to set a new password."),
}
# Of no club, and so in no club's log.
OF_THE_SITE = {"copy-taken-away": _("%(who)s downloaded a copy of everything.")}

_BY_KIND = {
    "hands": _HANDS,
    "calls": _CALLS,
    "seats": _SEATS,
    "rounds": _ROUNDS,
    "tournaments": _TOURNAMENTS,
    "nights": _NIGHTS,
    "people": _PEOPLE,
    "cards": _CARDS,
    LOGINS: _LOGINS,
}
VERBS: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        kind: frozenset(act.partition(",")[0] for act in sentences)
        for kind, sentences in _BY_KIND.items()
    }
)
SENTENCES: Mapping[str, str] = MappingProxyType(
    {
        act: sentence
        for sentences in (*_BY_KIND.values(), OF_THE_SITE)
        for act, sentence in sentences.items()
    }
)
# What a phone of the table does, which says at which table already.
BY_PHONE: Mapping[str, str] = MappingProxyType(
    {
        "hand-amended": _("%(who)s changed %(hand)s: %(before)s became %(after)s."),
        "hand-confirmed": _("%(who)s confirmed %(hand)s."),
        "hand-taken-back": _("%(who)s undid %(hand)s: %(before)s."),
        "hand-brought-back": _("%(who)s brought back %(hand)s: %(after)s."),
        "hand-queried": _("%(who)s queried %(hand)s."),
        "change-asked": _("%(who)s asked to change %(hand)s: %(before)s to %(after)s."),
        "paper-written-down": _("%(who)s wrote down who won – %(hands)s."),
        "dealer-chosen": _("%(who)s chose %(dealer)s to deal next."),
        "issue-settled, keep": _("%(who)s kept %(hand)s as it was."),
        "issue-settled, take": _(
            "%(who)s chose the other result for %(hand)s: %(before)s became %(after)s."
        ),
        "issue-settled, two": _("%(who)s counted the two results as different hands – %(hands)s."),
        "call-ended, withdrawn": _("%(who)s withdrew the call."),
    }
)
# What is said of a verb that only an older or a newer version knows.
OTHERWISE = _("%(who)s: %(verb)s.")
