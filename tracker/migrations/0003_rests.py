import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tracker", "0002_triggers"),
    ]

    operations = [
        migrations.CreateModel(
            name="Rest",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "entrant",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="rests",
                        to="tracker.entrant",
                    ),
                ),
                (
                    "round",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="rests",
                        to="tracker.round",
                    ),
                ),
            ],
        ),
        migrations.AddConstraint(
            model_name="rest",
            constraint=models.UniqueConstraint(
                fields=("round", "entrant"), name="rest_once_an_entrant_and_round"
            ),
        ),
    ]
