"""Triggers for what constraints cannot express, for SQLite and PostgreSQL.

Trap: SQLite drops the triggers of a table that a later migration rebuilds. Such a migration has
to create them again; a test looks for the triggers after all migrations.
"""

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

TABLES = {
    "report_is_never_changed": "tracker_report",
    "report_is_never_deleted": "tracker_report",
    "log_entry_is_never_changed": "tracker_logentry",
    "log_entry_reason_is_only_blackened": "tracker_logentry",
    "log_entry_is_never_deleted": "tracker_logentry",
    "seat_stints_do_not_overlap": "tracker_seat",
    "seat_stints_do_not_overlap_later": "tracker_seat",
}
SQLITE = (
    "CREATE TRIGGER report_is_never_changed BEFORE UPDATE ON tracker_report FOR EACH ROW BEGIN SELECT RAISE(ABORT, 'report_is_never_changed'); END",
    "CREATE TRIGGER report_is_never_deleted BEFORE DELETE ON tracker_report FOR EACH ROW BEGIN SELECT RAISE(ABORT, 'report_is_never_deleted'); END",
    "CREATE TRIGGER log_entry_is_never_changed BEFORE UPDATE OF id, club_id, at, user_id, device, verb, \"on\", numbers, undoes_id ON tracker_logentry FOR EACH ROW BEGIN SELECT RAISE(ABORT, 'log_entry_is_never_changed'); END",
    "CREATE TRIGGER log_entry_reason_is_only_blackened AFTER UPDATE OF reason ON tracker_logentry FOR EACH ROW WHEN NEW.reason NOT LIKE '%[…]%' BEGIN SELECT RAISE(ABORT, 'log_entry_reason_is_only_blackened'); END",
    "CREATE TRIGGER log_entry_is_never_deleted BEFORE DELETE ON tracker_logentry FOR EACH ROW BEGIN SELECT RAISE(ABORT, 'log_entry_is_never_deleted'); END",
    "CREATE TRIGGER seat_stints_do_not_overlap AFTER INSERT ON tracker_seat FOR EACH ROW WHEN EXISTS (SELECT 1 FROM tracker_seat o WHERE o.sitting_id = NEW.sitting_id AND o.place = NEW.place AND o.id <> NEW.id AND o.from_hand <= COALESCE(NEW.to_hand, 2147483647) AND NEW.from_hand <= COALESCE(o.to_hand, 2147483647) AND NEW.from_hand <= COALESCE(NEW.to_hand, 2147483647) AND o.from_hand <= COALESCE(o.to_hand, 2147483647)) BEGIN SELECT RAISE(ABORT, 'seat_stints_do_not_overlap'); END",
    "CREATE TRIGGER seat_stints_do_not_overlap_later AFTER UPDATE ON tracker_seat FOR EACH ROW WHEN EXISTS (SELECT 1 FROM tracker_seat o WHERE o.sitting_id = NEW.sitting_id AND o.place = NEW.place AND o.id <> NEW.id AND o.from_hand <= COALESCE(NEW.to_hand, 2147483647) AND NEW.from_hand <= COALESCE(o.to_hand, 2147483647) AND NEW.from_hand <= COALESCE(NEW.to_hand, 2147483647) AND o.from_hand <= COALESCE(o.to_hand, 2147483647)) BEGIN SELECT RAISE(ABORT, 'seat_stints_do_not_overlap_later'); END",
)
POSTGRESQL = (
    "CREATE OR REPLACE FUNCTION report_is_never_changed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'report_is_never_changed' USING ERRCODE = 'integrity_constraint_violation'; RETURN NULL; END $$",
    "CREATE TRIGGER report_is_never_changed BEFORE UPDATE ON tracker_report FOR EACH ROW EXECUTE FUNCTION report_is_never_changed()",
    "CREATE OR REPLACE FUNCTION report_is_never_deleted() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'report_is_never_deleted' USING ERRCODE = 'integrity_constraint_violation'; RETURN NULL; END $$",
    "CREATE TRIGGER report_is_never_deleted BEFORE DELETE ON tracker_report FOR EACH ROW EXECUTE FUNCTION report_is_never_deleted()",
    "CREATE OR REPLACE FUNCTION log_entry_is_never_changed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'log_entry_is_never_changed' USING ERRCODE = 'integrity_constraint_violation'; RETURN NULL; END $$",
    'CREATE TRIGGER log_entry_is_never_changed BEFORE UPDATE OF id, club_id, at, user_id, device, verb, "on", numbers, undoes_id ON tracker_logentry FOR EACH ROW EXECUTE FUNCTION log_entry_is_never_changed()',
    "CREATE OR REPLACE FUNCTION log_entry_reason_is_only_blackened() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF NEW.reason NOT LIKE '%[…]%' THEN RAISE EXCEPTION 'log_entry_reason_is_only_blackened' USING ERRCODE = 'integrity_constraint_violation'; END IF; RETURN NULL; END $$",
    "CREATE TRIGGER log_entry_reason_is_only_blackened AFTER UPDATE OF reason ON tracker_logentry FOR EACH ROW EXECUTE FUNCTION log_entry_reason_is_only_blackened()",
    "CREATE OR REPLACE FUNCTION log_entry_is_never_deleted() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'log_entry_is_never_deleted' USING ERRCODE = 'integrity_constraint_violation'; RETURN NULL; END $$",
    "CREATE TRIGGER log_entry_is_never_deleted BEFORE DELETE ON tracker_logentry FOR EACH ROW EXECUTE FUNCTION log_entry_is_never_deleted()",
    "CREATE OR REPLACE FUNCTION seat_stints_do_not_overlap() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF EXISTS (SELECT 1 FROM tracker_seat o WHERE o.sitting_id = NEW.sitting_id AND o.place = NEW.place AND o.id <> NEW.id AND o.from_hand <= COALESCE(NEW.to_hand, 2147483647) AND NEW.from_hand <= COALESCE(o.to_hand, 2147483647) AND NEW.from_hand <= COALESCE(NEW.to_hand, 2147483647) AND o.from_hand <= COALESCE(o.to_hand, 2147483647)) THEN RAISE EXCEPTION 'seat_stints_do_not_overlap' USING ERRCODE = 'integrity_constraint_violation'; END IF; RETURN NULL; END $$",
    "CREATE TRIGGER seat_stints_do_not_overlap AFTER INSERT ON tracker_seat FOR EACH ROW EXECUTE FUNCTION seat_stints_do_not_overlap()",
    "CREATE OR REPLACE FUNCTION seat_stints_do_not_overlap_later() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF EXISTS (SELECT 1 FROM tracker_seat o WHERE o.sitting_id = NEW.sitting_id AND o.place = NEW.place AND o.id <> NEW.id AND o.from_hand <= COALESCE(NEW.to_hand, 2147483647) AND NEW.from_hand <= COALESCE(o.to_hand, 2147483647) AND NEW.from_hand <= COALESCE(NEW.to_hand, 2147483647) AND o.from_hand <= COALESCE(o.to_hand, 2147483647)) THEN RAISE EXCEPTION 'seat_stints_do_not_overlap_later' USING ERRCODE = 'integrity_constraint_violation'; END IF; RETURN NULL; END $$",
    "CREATE TRIGGER seat_stints_do_not_overlap_later AFTER UPDATE ON tracker_seat FOR EACH ROW EXECUTE FUNCTION seat_stints_do_not_overlap_later()",
)


def install(apps: StateApps | None, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Put every trigger in place."""
    on_sqlite = schema_editor.connection.vendor == "sqlite"
    for statement in SQLITE if on_sqlite else POSTGRESQL:
        schema_editor.execute(statement, None)


def remove(apps: StateApps | None, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Take every trigger away."""
    on_sqlite = schema_editor.connection.vendor == "sqlite"
    for name, table in TABLES.items():
        on = "" if on_sqlite else f" ON {table}"
        schema_editor.execute(f"DROP TRIGGER IF EXISTS {name}{on}", None)


class Migration(migrations.Migration):
    dependencies = [("tracker", "0001_tables")]
    operations = [migrations.RunPython(install, remove)]
