"""Misses: entered codes that no table has, counted across all processes of the site.

``paid_off`` is the moment when whoever missed would be forgiven: every miss puts it off by so many
seconds, and nobody is allowed one that puts it off too far.
"""

from collections.abc import Mapping

from django.db import connection

from tracker.common.rate_limit import RateLimit
from tracker.tables.sql import Statement, execute

# PostgreSQL would find the rows as they were before it waited for them: whose last miss was counted
# meanwhile would put off all the others. SQLite has the whole file already.
_LOCK = "SELECT FROM tracker_misses WHERE who IN ({those}) ORDER BY who FOR UPDATE"
# One statement, in which each row is as it is when its turn comes: processes and machines that
# count at the same moment are counted one after the other. Rows come in one order, so that nobody
# waits in a circle. Who may not miss any more puts off nobody else.
_COUNT = (
    "INSERT INTO tracker_misses (who, paid_off)"
    " SELECT who, paid_off FROM ({rows}) AS asked"
    " WHERE NOT EXISTS (SELECT 1 FROM tracker_misses spent WHERE {spent})"
    " ON CONFLICT (who) DO UPDATE SET paid_off = excluded.paid_off +"
    " CASE WHEN tracker_misses.paid_off > %s THEN tracker_misses.paid_off - %s ELSE 0 END"
    " WHERE NOT ({full}) RETURNING paid_off"
)
# Whoever just misses again is left, and not waited for: here the rows come in any order.
_FORGET = {
    "sqlite": "DELETE FROM tracker_misses WHERE paid_off < %s",
    "postgresql": (
        "DELETE FROM tracker_misses WHERE who IN"
        " (SELECT who FROM tracker_misses WHERE paid_off < %s FOR UPDATE SKIP LOCKED)"
    ),
}


def count_miss(allowed: Mapping[str, RateLimit], now: float) -> bool:
    """Count a miss for all of *allowed*, unless one has none left; return whether it counted."""
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
        # Nobody has missed for a while: who was forgiven long ago is forgotten.
        execute((_FORGET[connection.vendor], [now]))
    return True
