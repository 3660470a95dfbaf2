"""Fields for what a tournament ranks by, and for the unit and the moment of an award.

Until now the ranking followed from the tables that had been played: of one size or of several,
one or more at a time. What each tournament, and each round when it closed, was ranked by is
worked out once, so that nobody's place moves.
"""

from collections import defaultdict

from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps
from django.db.models import Count

ACROSS = ("dalmuti", "mambassa")  # games that rank several tables otherwise than one
RANKED_BY = ("game", "points", "share", "match_points")


def rank_as_before(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    alias = schema_editor.connection.alias
    model = apps.get_model("tracker", "Tournament").objects.using(alias)
    sittings = apps.get_model("tracker", "Sitting").objects.using(alias)
    for tournament in model.filter(game__in=ACROSS):
        tables = defaultdict(list)  # of every round, the size of each
        counted = (
            sittings.filter(round__tournament=tournament)
            .exclude(round__state="undone")
            .values_list("round__number", "mode")
            .annotate(tables=Count("pk"))
            .order_by()
        )
        for number, mode, count in counted:
            tables[number] += [int(mode[:-1])] * count
        carries = tournament.carry_over != "nothing"
        for round_ in tournament.rounds.exclude(published_standing=None):
            known = [sizes for number, sizes in tables.items() if number <= round_.number]
            round_.published_standing["ranked_by"] = ranked_by(known, carries=carries)
            round_.save(update_fields=["published_standing"])
        known = [*tables.values()]
        if not known:  # nothing is played: as it would be made now
            seats, entered = int(tournament.mode[:-1]), tournament.entrants.count()
            known = [[seats] * (1 + (entered >= 2 * seats))]
            known += [[0]] * (tournament.leftover == "odd_table")
        tournament.ranked_by = ranked_by(known, carries=carries)
        tournament.save(update_fields=["ranked_by"])


def ranked_by(rounds: list[list[int]], *, carries: bool) -> str:
    """Return what tables of these sizes, round by round, were ranked by."""
    if len({size for sizes in rounds for size in sizes}) > 1:
        return "share"
    return "points" if carries or any(len(sizes) > 1 for sizes in rounds) else "game"


def date_awards(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    alias = schema_editor.connection.alias
    awards = apps.get_model("tracker", "Award").objects.using(alias)
    given = apps.get_model("tracker", "LogEntry").objects.using(alias).filter(verb="award-given")
    for on, at in given.values_list("on", "at"):
        awards.filter(pk=on.get("award")).update(given_at=at)


class Migration(migrations.Migration):
    dependencies = [("tracker", "0011_unknown_dealers")]
    operations = [
        migrations.AddField(
            model_name="tournament",
            name="ranked_by",
            field=models.CharField(
                choices=[
                    ("game", "as at a single table"),
                    ("points", "points over several tables"),
                    ("share", "the share of each table that was beaten"),
                    ("match_points", "match points"),
                ],
                db_default="game",
                default="game",
                max_length=12,
                verbose_name="ranked by",
            ),
        ),
        migrations.AddField(
            model_name="award",
            name="unit",
            field=models.CharField(blank=True, db_default="", default="", max_length=40),
        ),
        migrations.AddField(
            model_name="award",
            name="given_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddConstraint(
            model_name="tournament",
            constraint=models.CheckConstraint(
                condition=models.Q(("ranked_by__in", RANKED_BY)),
                name="tournament_ranked_by_is_known",
            ),
        ),
        migrations.RunPython(rank_as_before, migrations.RunPython.noop),
        migrations.RunPython(date_awards, migrations.RunPython.noop),
    ]
