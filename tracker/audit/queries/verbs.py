"""All verbs of the log, by kind.

A new verb is one entry in ``verbs_of_play`` or ``verbs_of_clubs``. The subject of its line follows
from the rows that its entries name: see ``lines``.
"""

from types import MappingProxyType

from django.utils.translation import gettext_lazy

from games.errors import gettext_noop as _
from tracker.audit.queries.sentences import Verb, Verbs
from tracker.audit.queries.verbs_of_clubs import CARDS, LOGINS, NIGHTS, PEOPLE, TOURNAMENTS
from tracker.audit.queries.verbs_of_play import CALLS, HANDS, ROUNDS, SEATS

# Kind: its label in the filter of the log, and its verbs.
KINDS = MappingProxyType(
    {
        "hands": (gettext_lazy("Corrections"), HANDS),
        "calls": (gettext_lazy("Calls for the organiser"), CALLS),
        "seats": (gettext_lazy("Who sits where"), SEATS),
        "rounds": (gettext_lazy("Rounds and clocks"), ROUNDS),
        "tournaments": (gettext_lazy("Tournaments and points"), TOURNAMENTS),
        "nights": (gettext_lazy("Club nights"), NIGHTS),
        "people": (gettext_lazy("Players and teams"), PEOPLE),
        "cards": (gettext_lazy("Table cards"), CARDS),
        "logins": (gettext_lazy("Members and roles"), LOGINS),
    }
)
# Not shown in any club's log.
OF_THE_SITE: Verbs = {"copy-taken-away": _("%(who)s downloaded a copy of everything.")}
VERBS = MappingProxyType(
    {
        name: Verb(verb) if isinstance(verb, str) else verb
        for verbs in (*(verbs for _label, verbs in KINDS.values()), OF_THE_SITE)
        for name, verb in verbs.items()
    }
)
# For verbs of an older or newer version.
UNKNOWN_VERB = Verb(_("%(who)s: %(verb)s."))
