"""For how long nothing was heard of a table, no closer than anybody wants to know."""

from django.utils.translation import gettext, ngettext

_HOUR, _DAY = 60, 24 * 60


def quiet_for(minutes: int) -> str:
    """Say for how many minutes, hours or days there was no result.

    >>> quiet_for(12), quiet_for(60), quiet_for(5477)
    ('no result for 12 min', 'no result for an hour', 'no result for 3 days')
    """
    if minutes >= _DAY:
        days = minutes // _DAY
        said = ngettext("no result for a day", "no result for %(days)d days", days)
        return said % {"days": days}
    if minutes >= _HOUR:
        hours = minutes // _HOUR
        said = ngettext("no result for an hour", "no result for %(hours)d hours", hours)
        return said % {"hours": hours}
    return gettext("no result for %(minutes)d min") % {"minutes": minutes}
