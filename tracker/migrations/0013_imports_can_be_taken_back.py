"""Reports that came in a file may be deleted, as an import can be taken back; all others never."""

from importlib import import_module

from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

SQLITE = (
    "DROP TRIGGER IF EXISTS report_is_never_deleted",
    "CREATE TRIGGER report_is_never_deleted BEFORE DELETE ON tracker_report FOR EACH ROW WHEN OLD.imported_at IS NULL BEGIN SELECT RAISE(ABORT, 'report_is_never_deleted'); END",
)
POSTGRESQL = (
    "DROP TRIGGER IF EXISTS report_is_never_deleted ON tracker_report",
    "CREATE TRIGGER report_is_never_deleted BEFORE DELETE ON tracker_report FOR EACH ROW WHEN (OLD.imported_at IS NULL) EXECUTE FUNCTION report_is_never_deleted()",
)


def install(apps: StateApps | None, schema_editor: BaseDatabaseSchemaEditor) -> None:
    on_sqlite = schema_editor.connection.vendor == "sqlite"
    for statement in SQLITE if on_sqlite else POSTGRESQL:
        schema_editor.execute(statement, None)


def back_to_before(apps: StateApps | None, schema_editor: BaseDatabaseSchemaEditor) -> None:
    import_module("tracker.migrations.0004_triggers_hold").back_to_before(apps, schema_editor)
    import_module("tracker.migrations.0004_triggers_hold").install(apps, schema_editor)


class Migration(migrations.Migration):
    dependencies = [("tracker", "0012_ranked_by")]
    operations = [
        migrations.AddField(
            model_name="report",
            name="imported_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="upload",
            name="differences",
            field=models.JSONField(blank=True, null=True),
        ),
        migrations.RunPython(install, back_to_before),
    ]
