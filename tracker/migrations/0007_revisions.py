"""What people watch has a revision: of a sitting a number, of a club the last lines of its log."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tracker", "0006_tournament_files")]
    operations = [
        migrations.AddField(
            model_name="sitting",
            name="revision",
            field=models.PositiveIntegerField(db_default=0, default=0),
        ),
        migrations.AddIndex(
            model_name="logentry",
            index=models.Index(fields=["club", "-id"], name="log_entry_by_club_newest"),
        ),
    ]
