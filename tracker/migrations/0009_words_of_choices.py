"""Choices in the words of the site; the tables stay as they are."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tracker", "0008_asked_changes"),
    ]

    operations = [
        migrations.AlterField(
            model_name="award",
            name="kind",
            field=models.CharField(
                choices=[
                    ("penalty", "Penalty"),
                    ("award", "Award"),
                    ("resting", "Sat out"),
                    ("bye", "Bye"),
                    ("forfeit", "Forfeit"),
                ],
                max_length=7,
            ),
        ),
        migrations.AlterField(
            model_name="tournament",
            name="confirm",
            field=models.CharField(
                choices=[("one", "one phone is enough"), ("both", "another side must agree")],
                default="one",
                max_length=4,
            ),
        ),
        migrations.AlterField(
            model_name="tournament",
            name="leftover",
            field=models.CharField(
                choices=[
                    ("rest", "they sit out, each in turn"),
                    ("odd_table", "they sit at an odd-sized table, each in turn"),
                ],
                default="rest",
                max_length=9,
                verbose_name="who is left over",
            ),
        ),
        migrations.AlterField(
            model_name="tournament",
            name="movement",
            field=models.CharField(
                choices=[
                    ("fewest_repeats", "new partners and opponents"),
                    ("by_lot", "by lot"),
                    ("in_order", "in number order, table by table"),
                    ("equals", "by the standings: equals together"),
                    ("strong_with_weak", "by the standings: strong with weak"),
                    ("round_robin", "everybody against everybody"),
                    ("swiss", "Swiss: against whoever has about as many points"),
                    ("knockout", "knock-out"),
                    ("double_elimination", "knock-out: out after two defeats"),
                    ("ladder", "ladder: winners move up a table, losers down"),
                    ("free", "free play: tables form as people come"),
                ],
                default="fewest_repeats",
                max_length=18,
                verbose_name="who sits where",
            ),
        ),
        migrations.AlterField(
            model_name="tournament",
            name="rest_credit",
            field=models.CharField(
                choices=[
                    ("average", "one's own average"),
                    ("nothing", "nothing"),
                    ("fixed", "a fixed number of points"),
                ],
                default="average",
                max_length=7,
                verbose_name="sitting out is worth",
            ),
        ),
    ]
