"""A change of the schema as an upgrade makes it, while phones report.

What is added may be empty, and an index is made beside those who write. A lock that is not to be
had at once is given up and asked for again: whoever waits for it makes all behind it wait, too.
"""

import time

import psycopg
from psycopg import sql

AT_MOST = 5  # seconds that a table waits between two hands; a third of one is its own pause
_TRIES = 100
_STEPS = (
    "ALTER TABLE tracker_report ADD COLUMN drill_note text",
    "ALTER TABLE tracker_hand ADD COLUMN drill_count integer NOT NULL DEFAULT 0",
    "CREATE INDEX CONCURRENTLY drill_index ON tracker_report (drill_note, id)",
    "DROP INDEX CONCURRENTLY drill_index",
    "ALTER TABLE tracker_hand DROP COLUMN drill_count",
    "ALTER TABLE tracker_report DROP COLUMN drill_note",
)


def change(url: str) -> None:
    """Take every step there and back, each by itself and with a limit to its wait for a lock."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("SET lock_timeout = '300ms'")
        for step in _STEPS:
            _insist(connection, step)


def _insist(connection: psycopg.Connection, step: str) -> None:
    for _ in range(_TRIES):
        try:
            connection.execute(sql.SQL(step))
        except psycopg.errors.LockNotAvailable:
            # An index that was begun and given up stays, and is of no use.
            if step.startswith("CREATE INDEX"):
                connection.execute("DROP INDEX IF EXISTS drill_index")
            time.sleep(0.1)  # let those through who wait behind us
        else:
            return
    message = f"the lock was never to be had: {step}"
    raise TimeoutError(message)
