"""All verbs of the log, grouped by the kinds that its filter offers.

A new verb is one item in ``verbs_of_play`` or ``verbs_of_clubs``. What a line of the log links to
follows from the rows that its entry names: see ``lines``.
"""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy

from games.errors import gettext_noop as _
from tracker.audit.queries import verbs_of_clubs, verbs_of_play
from tracker.audit.queries.sentences import Verb, Verbs

# Keyed by kind: the label in the filter of the log, and the verbs.
KINDS: Mapping[str, tuple[Any, Verbs]] = {
    "hands": (gettext_lazy("Corrections"), verbs_of_play.HANDS),
    "calls": (gettext_lazy("Calls for the organiser"), verbs_of_play.CALLS),
    "seats": (gettext_lazy("Who sits where"), verbs_of_play.SEATS),
    "rounds": (gettext_lazy("Rounds and clocks"), verbs_of_play.ROUNDS),
    "tournaments": (gettext_lazy("Tournaments and points"), verbs_of_clubs.TOURNAMENTS),
    "nights": (gettext_lazy("Club nights"), verbs_of_clubs.NIGHTS),
    "people": (gettext_lazy("Players and teams"), verbs_of_clubs.PEOPLE),
    "cards": (gettext_lazy("Table cards"), verbs_of_clubs.CARDS),
    "logins": (gettext_lazy("Members and roles"), verbs_of_clubs.LOGINS),
    "programs": (gettext_lazy("Other programs"), verbs_of_clubs.PROGRAMS),
}
# Verbs of entries without a club.
OF_THE_SITE: Verbs = {"copy-taken-away": Verb(_("%(who)s downloaded a copy of everything."))}
VERBS: Verbs = {
    **{name: verb for _label, verbs in KINDS.values() for name, verb in verbs.items()},
    **OF_THE_SITE,
}
UNKNOWN_VERB = Verb(_("%(who)s: %(verb)s."))  # of entries that an older or newer version wrote
