"""A table asks the organiser to change a hand that is not its last.

Trap: SQLite builds a table anew for a constraint, and its triggers are gone with the old one.
"""

from importlib import import_module

from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

triggers = import_module("tracker.migrations.0004_triggers_hold")

KINDS = ("conflict", "parked", "late", "query", "change", "call")
VERDICTS = (
    "accepted",
    "agrees",
    "amends",
    "conflicts",
    "late",
    "parked",
    "correction",
    "proposes",
)


def install_all(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    triggers.install_all(schema_editor)


class Migration(migrations.Migration):
    dependencies = [("tracker", "0007_revisions")]
    operations = [
        migrations.RunPython(triggers.remove_all, install_all),
        migrations.RemoveConstraint(model_name="issue", name="issue_kind_is_known"),
        migrations.RemoveConstraint(model_name="report", name="report_verdict_is_known"),
        migrations.AlterField(
            model_name="issue",
            name="kind",
            field=models.CharField(
                choices=[(kind, kind.capitalize()) for kind in KINDS], max_length=8
            ),
        ),
        migrations.AlterField(
            model_name="report",
            name="verdict",
            field=models.CharField(
                choices=[(verdict, verdict.capitalize()) for verdict in VERDICTS], max_length=10
            ),
        ),
        migrations.AddConstraint(
            model_name="issue",
            constraint=models.CheckConstraint(
                condition=models.Q(("kind__in", KINDS)), name="issue_kind_is_known"
            ),
        ),
        migrations.AddConstraint(
            model_name="report",
            constraint=models.CheckConstraint(
                condition=models.Q(("verdict__in", VERDICTS)), name="report_verdict_is_known"
            ),
        ),
        migrations.RunPython(install_all, triggers.remove_all),
    ]
