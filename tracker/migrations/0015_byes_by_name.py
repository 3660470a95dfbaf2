"""A bye may be worth as much as a win or as a draw, where match points decide."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tracker", "0014_new_names_at_the_door"),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="tournament",
            name="tournament_rest_credit_is_known",
        ),
        migrations.AlterField(
            model_name="tournament",
            name="rest_credit",
            field=models.CharField(
                choices=[
                    ("average", "one’s own average"),
                    ("win", "as much as a win"),
                    ("draw", "as much as a draw"),
                    ("nothing", "nothing"),
                    ("fixed", "a fixed number of points"),
                ],
                default="average",
                max_length=7,
                verbose_name="sitting out is worth",
            ),
        ),
        migrations.AddConstraint(
            model_name="tournament",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("rest_credit__in", ("average", "win", "draw", "nothing", "fixed"))
                ),
                name="tournament_rest_credit_is_known",
            ),
        ),
    ]
