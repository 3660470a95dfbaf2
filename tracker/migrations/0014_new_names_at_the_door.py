"""New names at a door may wait for the organiser."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tracker", "0013_one_running_seat_a_player")]

    operations = [
        migrations.AddField(
            model_name="rsvp",
            name="at_door_since",
            field=models.DateTimeField(blank=True, null=True),
        ),
    ]
