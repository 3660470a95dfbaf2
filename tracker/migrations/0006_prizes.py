from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tracker", "0005_people_and_roles"),
    ]

    operations = [
        migrations.AddField(
            model_name="tournament",
            name="tie_resolutions",
            field=models.JSONField(blank=True, null=True),
        ),
    ]
