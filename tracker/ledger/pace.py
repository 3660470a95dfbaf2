"""Pace: how fast hands may come from a table whose round has no length.

A round of so many hands is full when they are in, and takes them as fast as they come. A round
without a length would take in whatever a phone sends; there a table may be ``AT_ONCE`` hands
ahead of one that writes a hand every ``SECONDS_A_HAND`` without a pause. Shuffling and dealing
alone take longer than that, and a whole evening typed from paper is fewer hands than that.
"""

from datetime import datetime

from games.errors import gettext_noop
from tracker.common.errors import Refused
from tracker.ledger.table import TableNow

AT_ONCE = 60
SECONDS_A_HAND = 20


def paced_until(table: TableNow, at: datetime, *, hands: int = 1) -> float | None:
    """Return until when so many more hands keep the table; ``None`` where its round has a length.

    :raises Refused: ``too-many-reports``.
    """
    if table.hands is not None:
        return None
    now = at.timestamp()
    until = max(table.paced_until or now, now) + hands * SECONDS_A_HAND
    if until > now + AT_ONCE * SECONDS_A_HAND:
        raise too_many_reports()
    return until


def too_many_reports() -> Refused:
    """Return the refusal of what no table of people would send."""
    return Refused(
        "too-many-reports",
        gettext_noop("That was a lot at once. Wait a minute, then send it again."),
    )
