"""An evening as a calendar file (RFC 5545), for people's own calendars."""

from datetime import datetime, timedelta

KEPT_FREE = timedelta(hours=4)  # nobody knows when the last hand is over


def calendar_of(
    *,
    uid: str,
    title: str,
    starts_at: datetime,
    place: str,
    games: str,
    address: str,
    now: datetime,
) -> bytes:
    """Return the file that holds one evening; *uid* stays the same when anything else changes."""
    # Only here: few ask for it, and everything that starts would wait for it.
    from icalendar import Calendar, Event

    event = Event.new(
        uid=uid,
        stamp=now,
        start=starts_at,
        end=starts_at + KEPT_FREE,
        summary=title,
        location=place or None,
        description=games or None,
        url=address,
    )
    calendar = Calendar()  # the same file each time: a new one would have a uid of its own
    calendar.add("version", "2.0")
    calendar.add("prodid", "-//Kula//Club nights//EN")
    calendar.add_component(event)
    return bytes(calendar.to_ical())
