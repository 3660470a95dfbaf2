"""A match of a bracket keeps what its sides have, and who was chosen where they are level.

Matches that were begun before have no points of their own, and stay decided by the tie-breaks.
Trap: SQLite builds a table anew for a constraint, and its triggers are gone with the old one.
"""

from importlib import import_module

from django.db import migrations, models

triggers = import_module("tracker.migrations.0013_one_running_seat_a_player")

DECIDED_BY = [("lot", "lot"), ("organiser", "the organiser")]


class Migration(migrations.Migration):
    dependencies = [("tracker", "0015_byes_by_name")]
    operations = [
        migrations.RunPython(triggers.remove_all, triggers.install_all),
        migrations.AddField(
            model_name="sitting",
            name="side_points",
            field=models.JSONField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="sitting",
            name="decided_side",
            field=models.PositiveSmallIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="sitting",
            name="decided_by",
            field=models.CharField(
                blank=True, choices=DECIDED_BY, db_default="", default="", max_length=9
            ),
        ),
        migrations.AddConstraint(
            model_name="sitting",
            constraint=models.CheckConstraint(
                condition=models.Q(("decided_by", ""), ("decided_side", None))
                | models.Q(
                    ("decided_by__in", ["lot", "organiser"]),
                    ("decided_side__isnull", False),
                    ("side_points__isnull", False),
                ),
                name="sitting_decided_for_a_side_in_a_known_way",
            ),
        ),
        migrations.RunPython(triggers.install_all, triggers.remove_all),
    ]
