"""Rate limit of failed lookups: entered codes that no table has, counted for all processes.

Each key (``who``) has a moment ``paid_off`` at which its failures are forgotten. A failure moves it
later by so many seconds; a failure that would move it too far is refused.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from django.db import connection

from tracker.tables.sql import Statement, execute


@dataclass(frozen=True, slots=True)
class RateLimit:
    """Allows *burst* misses at once, and one more every so many *seconds*."""

    burst: int
    seconds: int

    def latest(self, now: float) -> float:
        """Return the latest time of forgiveness at which one more miss is allowed.

        Each miss moves that time, as in ``paid_off`` of the table of misses, *seconds* ahead.

        >>> RateLimit(burst=2, seconds=60).latest(0.0)
        60.0
        """
        return now + (self.burst - 1) * self.seconds


# Without it PostgreSQL would read rows as they were before it waited for them, and would count a
# failure for the other keys although one was used up meanwhile. SQLite has locked the whole file.
_LOCK = "SELECT FROM tracker_misses WHERE who IN ({those}) ORDER BY who FOR UPDATE"
# One statement, which sees each row as it is when it is updated: processes that count at the same
# moment are counted one after the other. Rows come in one order, so that two cannot deadlock. If one
# key is used up, nothing is counted for the others.
_COUNT = (
    "INSERT INTO tracker_misses (who, paid_off)"
    " SELECT who, paid_off FROM ({rows}) AS asked"
    " WHERE NOT EXISTS (SELECT 1 FROM tracker_misses spent WHERE {spent})"
    " ON CONFLICT (who) DO UPDATE SET paid_off = excluded.paid_off +"
    " CASE WHEN tracker_misses.paid_off > %s THEN tracker_misses.paid_off - %s ELSE 0 END"
    " WHERE NOT ({full}) RETURNING paid_off"
)
# Rows that another process is updating are skipped: here they come in any order.
_FORGET = {
    "sqlite": "DELETE FROM tracker_misses WHERE paid_off < %s",
    "postgresql": (
        "DELETE FROM tracker_misses WHERE who IN"
        " (SELECT who FROM tracker_misses WHERE paid_off < %s FOR UPDATE SKIP LOCKED)"
    ),
}


def count_failed_lookup(allowed: Mapping[str, RateLimit], now: float) -> bool:
    """Count a failure for all keys of *allowed*, unless one is used up; return whether it counted."""
    forgiven = [(who, now + each.seconds) for who, each in allowed.items()]
    latest = [(who, each.latest(now)) for who, each in allowed.items()]
    sql = _COUNT.format(
        rows=" UNION ALL ".join(["SELECT %s AS who, %s AS paid_off"] * len(forgiven)),
        spent=" OR ".join(["spent.who = %s AND spent.paid_off > %s"] * len(latest)),
        full=" OR ".join(
            ["tracker_misses.who = %s AND tracker_misses.paid_off > %s"] * len(latest)
        ),
    )
    values = [*sum(forgiven, ()), *sum(latest, ()), now, now, *sum(latest, ())]
    statements: list[Statement] = [(sql, values)]
    if connection.vendor == "postgresql":
        lock = _LOCK.format(those=", ".join(["%s"] * len(allowed)))
        statements.insert(0, (lock, [*allowed]))
    counted = execute(*statements)[-1]
    if len(counted) < len(allowed):
        return False
    if all(paid_off <= until for (paid_off,), (_, until) in zip(counted, forgiven, strict=True)):
        # None of these keys failed for a while: a good moment to delete keys that are paid off.
        execute((_FORGET[connection.vendor], [now]))
    return True
