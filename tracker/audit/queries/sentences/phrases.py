"""Phrases of several words that stand in sentences of the log."""

from collections.abc import Sequence

from django.utils.translation import gettext, ngettext, pgettext

from tracker.ledger.table import TableNow

MOST_NAMES = 4


def phone_at(table: TableNow, number: int, side: int | None) -> str:
    """Return the phone of a table, with those of the side for whom it spoke, where that is known."""
    who = gettext("the phone at table %(number)d") % {"number": table.number}
    names = table.names_at(number)
    if side is None or side >= len(names.sides):
        return who
    return gettext("%(who)s (%(side)s)") % {"who": who, "side": names.of(side)}


def listed(names: Sequence[str]) -> str:
    """Return names in a phrase, the first of many and how many more.

    >>> listed(["Asha"]), listed(["Asha", "Juma"]), listed(["A", "B", "C", "D", "E", "F"])
    ('Asha', 'Asha and Juma', 'A, B, C, D and 2 more')
    """
    names = [*dict.fromkeys(names)]
    if not names:
        return ""
    more = len(names) - MOST_NAMES
    if more > 0:
        last = ngettext("%(more)d more", "%(more)d more", more) % {"more": more}
        shown = names[:MOST_NAMES]
    else:
        *shown, last = names
    if not shown:
        return last
    separator = pgettext("between the names of several people", ", ")
    return gettext("%(others)s and %(last)s") % {"others": separator.join(shown), "last": last}
