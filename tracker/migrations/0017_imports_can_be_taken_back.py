"""Reports that came in a file may be deleted, as an import can be taken back; all others never."""

from importlib import import_module

import django.db.models.deletion
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

# Trap: a migration that builds ``tracker_importedtable`` anew takes this trigger away first.
_SENT_HERE = "NOT EXISTS (SELECT 1 FROM tracker_importedtable t WHERE t.sitting_id = OLD.sitting_id AND OLD.id <= t.last_report)"
_REFUSING = (
    "RAISE EXCEPTION 'report_is_never_deleted' USING ERRCODE = 'integrity_constraint_violation'"
)
SQLITE = (
    "DROP TRIGGER IF EXISTS report_is_never_deleted",
    f"CREATE TRIGGER report_is_never_deleted BEFORE DELETE ON tracker_report FOR EACH ROW WHEN {_SENT_HERE} BEGIN SELECT RAISE(ABORT, 'report_is_never_deleted'); END",
)
POSTGRESQL = (
    f"CREATE OR REPLACE FUNCTION report_is_never_deleted() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF {_SENT_HERE} THEN {_REFUSING}; END IF; RETURN OLD; END $$",
)


def install(apps: StateApps | None, schema_editor: BaseDatabaseSchemaEditor) -> None:
    on_sqlite = schema_editor.connection.vendor == "sqlite"
    for statement in SQLITE if on_sqlite else POSTGRESQL:
        schema_editor.execute(statement, None)


def back_to_before(apps: StateApps | None, schema_editor: BaseDatabaseSchemaEditor) -> None:
    import_module("tracker.migrations.0004_triggers_hold").back_to_before(apps, schema_editor)
    import_module("tracker.migrations.0004_triggers_hold").install(apps, schema_editor)


class Migration(migrations.Migration):
    dependencies = [("tracker", "0016_matches_are_decided")]
    operations = [
        migrations.CreateModel(
            name="ImportedTable",
            fields=[
                (
                    "sitting",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to="tracker.sitting",
                    ),
                ),
                ("last_report", models.BigIntegerField()),
            ],
        ),
        migrations.AddField(
            model_name="upload",
            name="differences",
            field=models.JSONField(blank=True, null=True),
        ),
        migrations.RunPython(install, back_to_before),
    ]
