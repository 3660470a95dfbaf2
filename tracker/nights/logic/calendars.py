"""An evening as a calendar file (RFC 5545), for people's own calendars."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

LASTS = timedelta(hours=4)  # what a calendar keeps free; nobody knows when the last hand is over
_LONGEST = 75  # octets in a line, without its end


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """What happens when and where; ``uid`` stays the same when anything else changes."""

    uid: str
    title: str
    starts_at: datetime
    place: str
    told: str
    address: str


def calendar_of(event: Event, *, now: datetime) -> str:
    """Return the file that holds this event alone."""
    lines = (
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Kula//Club nights//EN",
        "BEGIN:VEVENT",
        f"UID:{_text(event.uid)}",
        f"DTSTAMP:{_moment(now)}",
        f"DTSTART:{_moment(event.starts_at)}",
        f"DTEND:{_moment(event.starts_at + LASTS)}",
        f"SUMMARY:{_text(event.title)}",
        *([f"LOCATION:{_text(event.place)}"] if event.place else []),
        *([f"DESCRIPTION:{_text(event.told)}"] if event.told else []),
        f"URL:{event.address}",
        "END:VEVENT",
        "END:VCALENDAR",
    )
    return "".join(f"{part}\r\n" for line in lines for part in folded(line))


def folded(line: str) -> Iterator[str]:
    """Yield a line in pieces that are short enough; all but the first begin with a space.

    >>> [len(piece) for piece in folded("x" * 150)]
    [75, 75, 2]
    """
    piece, room = "", _LONGEST
    for sign in line:
        size = len(sign.encode())
        if size > room:
            yield piece
            piece, room = " ", _LONGEST - 1
        piece += sign
        room -= size
    yield piece


def _moment(value: datetime) -> str:
    return f"{value.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def _text(said: str) -> str:
    r"""Return text as a calendar reads it: nothing in it ends the line.

    >>> _text("Cards; tea,\r\ncake \\o/")
    'Cards\\; tea\\,\\ncake \\\\o/'
    """
    escaped = said.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,")
    return "\\n".join(escaped.splitlines())
