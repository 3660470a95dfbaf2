"""What a constraint cannot say, said by triggers, for SQLite and PostgreSQL.

Trap: SQLite drops the triggers of a table that a migration rebuilds. Such a
migration must call ``install`` again; a test looks for the triggers after all.
"""

from collections.abc import Iterator

from django.db.backends.base.schema import BaseDatabaseSchemaEditor

# name, table, what it stops, when (None: always)
_OVERLAP = (
    "EXISTS (SELECT 1 FROM tracker_seat o WHERE o.sitting_id = NEW.sitting_id"
    " AND o.place = NEW.place AND o.id <> NEW.id"
    " AND o.from_hand <= COALESCE(NEW.to_hand, 2147483647)"
    " AND NEW.from_hand <= COALESCE(o.to_hand, 2147483647)"
    " AND NEW.from_hand <= COALESCE(NEW.to_hand, 2147483647)"
    " AND o.from_hand <= COALESCE(o.to_hand, 2147483647))"
)
# Only somebody's name may be struck out of a reason, when that person is erased.
BLACKENED = "[…]"
_REST_OF_LOG_ENTRY = 'id, club_id, at, user_id, device, verb, "on", numbers, undoes_id'
TRIGGERS: tuple[tuple[str, str, str, str | None], ...] = (
    ("report_is_never_changed", "tracker_report", "BEFORE UPDATE", None),
    ("report_is_never_deleted", "tracker_report", "BEFORE DELETE", None),
    (
        "log_entry_is_never_changed",
        "tracker_logentry",
        f"BEFORE UPDATE OF {_REST_OF_LOG_ENTRY}",
        None,
    ),
    (
        "log_entry_reason_is_only_blackened",
        "tracker_logentry",
        "AFTER UPDATE OF reason",
        f"NEW.reason NOT LIKE '%{BLACKENED}%'",
    ),
    ("log_entry_is_never_deleted", "tracker_logentry", "BEFORE DELETE", None),
    ("seat_stints_do_not_overlap", "tracker_seat", "AFTER INSERT", _OVERLAP),
    ("seat_stints_do_not_overlap_later", "tracker_seat", "AFTER UPDATE", _OVERLAP),
)


def install(schema: BaseDatabaseSchemaEditor) -> None:
    """Put every trigger in place, anew where it stood already."""
    remove(schema)
    for statement in _statements(schema.connection.vendor):
        schema.execute(statement, None)


def remove(schema: BaseDatabaseSchemaEditor) -> None:
    """Take every trigger away."""
    for name, table, _, _ in TRIGGERS:
        on = f" ON {table}" if schema.connection.vendor == "postgresql" else ""
        schema.execute(f"DROP TRIGGER IF EXISTS {name}{on}", None)


def _statements(vendor: str) -> Iterator[str]:
    for name, table, event, when in TRIGGERS:
        if vendor == "sqlite":
            guard = f" WHEN {when}" if when else ""
            yield (
                f"CREATE TRIGGER {name} {event} ON {table} FOR EACH ROW{guard}"
                f" BEGIN SELECT RAISE(ABORT, '{name}'); END"
            )
        else:
            # A trigger's own WHEN may not look into a table on PostgreSQL; its function may.
            stop = f"RAISE EXCEPTION '{name}' USING ERRCODE = 'integrity_constraint_violation';"
            body = f"IF {when} THEN {stop} END IF;" if when else stop
            yield (
                f"CREATE OR REPLACE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS"
                f" $$ BEGIN {body} RETURN NULL; END $$"
            )
            yield (
                f"CREATE TRIGGER {name} {event} ON {table} FOR EACH ROW EXECUTE FUNCTION {name}()"
            )
