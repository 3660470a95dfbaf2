"""Lots, changes of what ranks, and expelled entrants.

Where match points rank, the game's points break ties like any other tie-break. Until now they came
first of all; tie-breaks that were chosen, also those of published standings, get them in front, so
that nobody's place moves.
"""

from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

GAME_POINTS = {"albastini": "victory_points", "briscola": "matches"}


def put_game_points_first(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    alias = schema_editor.connection.alias
    tournaments = apps.get_model("tracker", "Tournament").objects.using(alias)
    for tournament in tournaments.filter(game__in=GAME_POINTS):
        points = GAME_POINTS[tournament.game]
        # Where partners change, points are added up in Briscola, and not matches.
        if points == "matches" and tournament.format == "players" and "t" in tournament.mode:
            points = "score"
        if tournament.ranked_by == "match_points" and tournament.tie_breaks:
            tournament.tie_breaks = with_first(points, tournament.tie_breaks)
            tournament.save(update_fields=["tie_breaks"])
        for round_ in tournament.rounds.exclude(published_standing=None):
            published = round_.published_standing
            if published.get("ranked_by") == "match_points" and published.get("tie_breaks"):
                published["tie_breaks"] = with_first(points, published["tie_breaks"])
                round_.save(update_fields=["published_standing"])


def with_first(points: str, tie_breaks: list[str]) -> list[str]:
    return [points, *(key for key in tie_breaks if key != points)]


class Migration(migrations.Migration):
    dependencies = [("tracker", "0017_imports_can_be_taken_back")]
    operations = [
        migrations.AddField(
            model_name="tournament",
            name="ranking_changes",
            field=models.JSONField(blank=True, db_default=[], default=list),
        ),
        migrations.AddField(
            model_name="tournament",
            name="lots_seed",
            field=models.PositiveBigIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="entrant",
            name="expelled",
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AddConstraint(
            model_name="entrant",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("expelled", False),
                    models.Q(("withdrawn_at", None), _negated=True),
                    _connector="OR",
                ),
                name="entrant_expelled_has_withdrawn",
            ),
        ),
        migrations.RunPython(put_game_points_first, migrations.RunPython.noop),
    ]
