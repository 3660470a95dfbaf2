"""Rate limit of failed lookups: entered codes that no table has, counted for all processes.

A row of ``tracker_misses`` has a rate-limit key (``who``, for example a device) and the moment
``paid_off`` at which the failures of that key are forgotten, in seconds as ``time.time`` counts. A
failure sets ``paid_off`` to ``max(paid_off, now) + RateLimit.seconds``. While ``paid_off`` is later
than ``RateLimit.latest(now)``, the key is *used up*: further failures are refused, and not counted.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from django.db import connection

from tracker.tables.sql import Statement, execute


@dataclass(frozen=True, slots=True)
class RateLimit:
    """Allows *burst* failures at once, and one more after each *seconds*."""

    burst: int
    seconds: int

    def latest(self, now: float) -> float:
        """Return the latest ``paid_off`` with which one more failure is allowed.

        >>> RateLimit(burst=2, seconds=60).latest(0.0)
        60.0
        """
        return now + (self.burst - 1) * self.seconds


# Without this lock PostgreSQL would read rows as they were before it waited for them, and would
# count a failure for the other keys although one was used up meanwhile. SQLite locks the whole file.
_LOCK = "SELECT FROM tracker_misses WHERE who IN ({keys}) ORDER BY who FOR UPDATE"
# Counts a failure for all keys, or for none if one of them is used up.
_COUNT = (
    # For each key a new row, with ``paid_off`` as for a first failure: now + seconds.
    "INSERT INTO tracker_misses (who, paid_off) SELECT who, paid_off FROM ({rows}) AS failed"
    " WHERE NOT EXISTS (SELECT 1 FROM tracker_misses used_up WHERE {used_up})"
    # Where the key has a row: the new one (``excluded``), and what the old one has left beyond now.
    " ON CONFLICT (who) DO UPDATE SET paid_off = excluded.paid_off +"
    " CASE WHEN tracker_misses.paid_off > %s THEN tracker_misses.paid_off - %s ELSE 0 END"
    # That row is seen as it is now: another process may have changed it since the SELECT.
    " WHERE NOT ({used_up_meanwhile}) RETURNING paid_off"
)
# Deletes keys without failures. Rows that another process is updating are skipped: waiting for them,
# in any order, could deadlock.
_FORGET = {
    "sqlite": "DELETE FROM tracker_misses WHERE paid_off < %s",
    "postgresql": (
        "DELETE FROM tracker_misses WHERE who IN"
        " (SELECT who FROM tracker_misses WHERE paid_off < %s FOR UPDATE SKIP LOCKED)"
    ),
}


def count_failed_lookup(limits: Mapping[str, RateLimit], now: float) -> bool:
    """Count a failure for all keys of *limits* unless one is used up; return whether it counted."""
    # For each key its ``paid_off`` after a first failure, and the latest that is not used up.
    first_failures = [(key, now + limit.seconds) for key, limit in limits.items()]
    latest = [(key, limit.latest(now)) for key, limit in limits.items()]
    used_up = ["{row}.who = %s AND {row}.paid_off > %s"] * len(limits)
    sql = _COUNT.format(
        rows=" UNION ALL ".join(["SELECT %s AS who, %s AS paid_off"] * len(limits)),
        used_up=" OR ".join(used_up).format(row="used_up"),
        used_up_meanwhile=" OR ".join(used_up).format(row="tracker_misses"),
    )
    # For each %s in order: of the rows, of ``used_up``, of the CASE, of ``used_up_meanwhile``.
    values = [*sum(first_failures, ()), *sum(latest, ()), now, now, *sum(latest, ())]
    statements: list[Statement] = [(sql, values)]
    if connection.vendor == "postgresql":
        lock = _LOCK.format(keys=", ".join(["%s"] * len(limits)))
        statements.insert(0, (lock, [*limits]))
    counted = execute(*statements)[-1]
    if len(counted) < len(limits):  # one of them is used up
        return False
    if all(paid <= first for (paid,), (_, first) in zip(counted, first_failures, strict=True)):
        # None of these keys failed for a while: a good moment to delete the rows of such keys.
        execute((_FORGET[connection.vendor], [now]))
    return True
