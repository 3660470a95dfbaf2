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


# Without this lock the statement below would look for used-up keys first, and then wait for rows
# that another process changes: it would count some keys although another was used up meanwhile.
# SQLite needs no lock, as it has one writer at a time.
_LOCK = "SELECT FROM tracker_misses WHERE who IN ({keys}) ORDER BY who FOR UPDATE"
# Counts a failure for all keys, or for none if one of them is used up when the statement begins.
_COUNT = (
    # For each key a new row, with ``paid_off`` as for a first failure: now + seconds.
    "INSERT INTO tracker_misses (who, paid_off) SELECT who, paid_off FROM ({rows}) AS failed"
    " WHERE NOT EXISTS (SELECT 1 FROM tracker_misses existing WHERE {used_up})"
    # Where the key has a row: the new one (``excluded``), and what the old one has left beyond now.
    " ON CONFLICT (who) DO UPDATE SET paid_off = excluded.paid_off +"
    " CASE WHEN tracker_misses.paid_off > %s THEN tracker_misses.paid_off - %s ELSE 0 END"
    # Another process may have added a row since the lock, and used up its key. Then that key is not
    # counted and returns no row, but the others are counted.
    " WHERE NOT ({used_up_meanwhile}) RETURNING who, paid_off"
)
# Deletes the rows whose failures are all forgotten. Rows that another process is updating are
# skipped: waiting for them could deadlock.
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
    first_paid_off = [(key, now + limit.seconds) for key, limit in limits.items()]
    latest_paid_off = [(key, limit.latest(now)) for key, limit in limits.items()]
    sql = _COUNT.format(
        rows=" UNION ALL ".join(["SELECT %s AS who, %s AS paid_off"] * len(limits)),
        used_up=_used_up("existing", len(limits)),
        used_up_meanwhile=_used_up("tracker_misses", len(limits)),
    )
    # For each %s in order: of the rows, of ``used_up``, of the CASE, of ``used_up_meanwhile``.
    pairs = [*first_paid_off, *latest_paid_off, (now, now), *latest_paid_off]
    values = [value for pair in pairs for value in pair]
    statements: list[Statement] = [(sql, values)]
    if connection.vendor == "postgresql":
        lock = _LOCK.format(keys=", ".join(["%s"] * len(limits)))
        statements.insert(0, (lock, [*limits]))
    counted = execute(*statements)[-1]
    if len(counted) < len(limits):  # one of the keys is used up
        return False
    # If nothing is left of earlier failures of these keys, failures are rare now: a good moment to
    # delete the rows of other keys whose failures are forgotten.
    new_paid_off: dict[str, float] = dict(counted)
    if all(new_paid_off[key] <= first for key, first in first_paid_off):
        execute((_FORGET[connection.vendor], [now]))
    return True


def _used_up(alias: str, n: int) -> str:
    """Return the SQL condition that a row has one of *n* keys and its ``paid_off`` is too late."""
    return " OR ".join([f"{alias}.who = %s AND {alias}.paid_off > %s"] * n)
