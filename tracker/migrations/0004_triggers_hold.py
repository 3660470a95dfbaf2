"""What is never changed is not replaced either, a reason is only blackened, a night is of this age.

Trap: SQLite drops the triggers of a table that a later migration rebuilds. Such a migration has
to create them again; a test looks for the triggers after all migrations.
"""

from datetime import UTC, datetime
from importlib import import_module

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

before = import_module("tracker.migrations.0002_triggers")

# REPLACE deletes without a word to the triggers, unless its connection asks for them. PostgreSQL
# has no REPLACE; there TRUNCATE is what passes by the triggers of single rows.
ONLY_HERE = {
    "sqlite": {
        "report_is_never_replaced": "tracker_report",
        "log_entry_is_never_replaced": "tracker_logentry",
    },
    "postgresql": {
        "report_is_never_emptied": "tracker_report",
        "log_entry_is_never_emptied": "tracker_logentry",
    },
}
# What is left of a reason is a pattern of what it was: each mark stands for one letter or more.
SQLITE = (
    "CREATE TRIGGER report_is_never_replaced BEFORE INSERT ON tracker_report FOR EACH ROW WHEN EXISTS (SELECT 1 FROM tracker_report o WHERE o.id = NEW.id) OR EXISTS (SELECT 1 FROM tracker_report o WHERE o.entry = NEW.entry) BEGIN SELECT RAISE(ABORT, 'report_is_never_replaced'); END",
    "CREATE TRIGGER log_entry_is_never_replaced BEFORE INSERT ON tracker_logentry FOR EACH ROW WHEN EXISTS (SELECT 1 FROM tracker_logentry o WHERE o.id = NEW.id) BEGIN SELECT RAISE(ABORT, 'log_entry_is_never_replaced'); END",
    "DROP TRIGGER IF EXISTS log_entry_is_never_changed",
    # Not of columns by name: ``rowid`` is another name of one.
    'CREATE TRIGGER log_entry_is_never_changed BEFORE UPDATE ON tracker_logentry FOR EACH ROW WHEN NEW.id IS NOT OLD.id OR NEW.club_id IS NOT OLD.club_id OR NEW.at IS NOT OLD.at OR NEW.user_id IS NOT OLD.user_id OR NEW.device IS NOT OLD.device OR NEW.verb IS NOT OLD.verb OR NEW."on" IS NOT OLD."on" OR NEW.numbers IS NOT OLD.numbers OR NEW.undoes_id IS NOT OLD.undoes_id BEGIN SELECT RAISE(ABORT, \'log_entry_is_never_changed\'); END',
    "DROP TRIGGER IF EXISTS log_entry_reason_is_only_blackened",
    "CREATE TRIGGER log_entry_reason_is_only_blackened AFTER UPDATE OF reason ON tracker_logentry FOR EACH ROW WHEN NOT OLD.reason GLOB replace(replace(replace(replace(NEW.reason, '[', '[[]'), '*', '[*]'), '?', '[?]'), '[[]…]', '?*') BEGIN SELECT RAISE(ABORT, 'log_entry_reason_is_only_blackened'); END",
)
POSTGRESQL = (
    r"CREATE OR REPLACE FUNCTION log_entry_reason_is_only_blackened() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF OLD.reason NOT LIKE replace(replace(replace(replace(NEW.reason, '\', '\\'), '%', '\%'), '_', '\_'), '[…]', '_%') THEN RAISE EXCEPTION 'log_entry_reason_is_only_blackened' USING ERRCODE = 'integrity_constraint_violation'; END IF; RETURN NULL; END $$",
    "CREATE OR REPLACE FUNCTION report_is_never_emptied() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'report_is_never_emptied' USING ERRCODE = 'integrity_constraint_violation'; RETURN NULL; END $$",
    "CREATE TRIGGER report_is_never_emptied BEFORE TRUNCATE ON tracker_report FOR EACH STATEMENT EXECUTE FUNCTION report_is_never_emptied()",
    "CREATE OR REPLACE FUNCTION log_entry_is_never_emptied() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'log_entry_is_never_emptied' USING ERRCODE = 'integrity_constraint_violation'; RETURN NULL; END $$",
    "CREATE TRIGGER log_entry_is_never_emptied BEFORE TRUNCATE ON tracker_logentry FOR EACH STATEMENT EXECUTE FUNCTION log_entry_is_never_emptied()",
)
FIRST = datetime(1900, 1, 2, tzinfo=UTC)
LAST = datetime(2199, 12, 30, tzinfo=UTC)
THIS_AGE = "Please write a year from 1900 to 2199."


def tables(vendor: str) -> dict[str, str]:
    """Return every trigger that a database has, and its table."""
    return {**before.TABLES, **ONLY_HERE[vendor]}


def install(apps: StateApps | None, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Put in place what is new here."""
    on_sqlite = schema_editor.connection.vendor == "sqlite"
    for statement in SQLITE if on_sqlite else POSTGRESQL:
        schema_editor.execute(statement, None)


def install_all(schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Put every trigger in place."""
    before.install(None, schema_editor)
    install(None, schema_editor)


def remove_all(apps: StateApps | None, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Take every trigger away."""
    vendor = schema_editor.connection.vendor
    for name, table in tables(vendor).items():
        on = "" if vendor == "sqlite" else f" ON {table}"
        schema_editor.execute(f"DROP TRIGGER IF EXISTS {name}{on}", None)


def back_to_before(apps: StateApps | None, schema_editor: BaseDatabaseSchemaEditor) -> None:
    remove_all(None, schema_editor)
    before.install(None, schema_editor)


def bring_nights_into_this_age(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    nights = apps.get_model("tracker", "ClubNight").objects
    nights.filter(starts_at__lt=FIRST).update(starts_at=FIRST)
    nights.filter(starts_at__gt=LAST).update(starts_at=LAST)


class Migration(migrations.Migration):
    dependencies = [("tracker", "0003_the_night_runs_itself")]
    operations = [
        migrations.RunPython(bring_nights_into_this_age, migrations.RunPython.noop),
        migrations.AlterField(
            model_name="clubnight",
            name="starts_at",
            field=models.DateTimeField(
                validators=[
                    MinValueValidator(FIRST, message=THIS_AGE),
                    MaxValueValidator(LAST, message=THIS_AGE),
                ],
                verbose_name="starts at",
            ),
        ),
        migrations.AddConstraint(
            model_name="clubnight",
            constraint=models.CheckConstraint(
                condition=models.Q(("starts_at__gte", FIRST), ("starts_at__lte", LAST)),
                name="night_is_of_this_age",
            ),
        ),
        migrations.RunPython(install, back_to_before),
    ]
