"""Tokens of the API; webhooks, and the triggers that add a delivery for each event.

Triggers, because a last result comes in many ways (a report, a correction, a shorter round), and so
that a report needs no further statement. Two transactions may finish the last two tables of a round
at once, and on PostgreSQL neither sees the other. So there the trigger runs at commit, under a lock
for the round, which is taken only if the club has a webhook.

Trap: SQLite drops the triggers of a table that a later migration rebuilds (see 0002).
"""

import uuid

import django.db.models.deletion
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

import tracker.models.programs

TRIGGERS = {"act_is_delivered": "tracker_logentry", "results_are_delivered": "tracker_sitting"}
# What both databases add: {uid} and, for an act, {tournament} and {round} are their own expressions.
_COLUMNS = (
    "(uid, webhook_id, event, tournament_id, round_id, occurred_at, due_at, attempts, answer)"
)
_OF_CLUB = "JOIN tracker_webhook w ON w.club_id = t.club_id AND w.withdrawn_at IS NULL"
_VERBS = "'round-opened', 'round-closed', 'tournament-finished'"
_ADD_ACT = (
    f"INSERT INTO tracker_delivery {_COLUMNS} SELECT {{uid}}, w.id, CASE NEW.verb"  # noqa: S608 - no value in it
    " WHEN 'round-opened' THEN 'round.opened' WHEN 'round-closed' THEN 'round.closed'"
    " ELSE 'standing.official' END, t.id, {round}, NEW.at, NEW.at, 0, ''"
    f" FROM tracker_tournament t {_OF_CLUB} WHERE t.id = {{tournament}}"
)
_ADD_RESULTS = (
    f"INSERT INTO tracker_delivery {_COLUMNS}"  # noqa: S608 - no value stands in it
    " SELECT {uid}, w.id, 'results.in', t.id, r.id, NEW.finished_at, NEW.finished_at, 0, ''"
    f" FROM tracker_round r JOIN tracker_tournament t ON t.id = r.tournament_id {_OF_CLUB}"
    " WHERE r.id = NEW.round_id AND r.state = 'open' AND NOT EXISTS"
    " (SELECT 1 FROM tracker_sitting s WHERE s.round_id = r.id AND s.finished_at IS NULL)"
    # One statement may finish several tables: they add one delivery, not one each.
    " AND NOT EXISTS (SELECT 1 FROM tracker_delivery d WHERE d.webhook_id = w.id"
    " AND d.round_id = r.id AND d.event = 'results.in' AND d.occurred_at = NEW.finished_at)"
)
_IN_SQLITE = {
    "uid": "lower(hex(randomblob(16)))",
    "tournament": "json_extract(NEW.\"on\", '$.tournament')",
    "round": "json_extract(NEW.\"on\", '$.round')",
}
_IN_POSTGRESQL = {
    "uid": "gen_random_uuid()",
    "tournament": "(NEW.\"on\"->>'tournament')::bigint",
    "round": "(NEW.\"on\"->>'round')::bigint",
}
_FUNCTION = (
    "CREATE OR REPLACE FUNCTION {}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {};"
    " RETURN NULL; END $$"
)
_LOCK = (
    "PERFORM pg_advisory_xact_lock(hashtextextended('results_are_delivered', r.id))"
    f" FROM tracker_round r JOIN tracker_tournament t ON t.id = r.tournament_id {_OF_CLUB}"
    " WHERE r.id = NEW.round_id AND r.state = 'open'"
)
_ON_ACT = (
    "CREATE TRIGGER act_is_delivered AFTER INSERT ON tracker_logentry FOR EACH ROW"
    f" WHEN (NEW.verb IN ({_VERBS})) "
)
_ON_RESULTS = (
    "CREATE{} TRIGGER results_are_delivered AFTER UPDATE OF finished_at ON tracker_sitting{}"
    " FOR EACH ROW WHEN (OLD.finished_at IS NULL AND NEW.finished_at IS NOT NULL) "
)
STATEMENTS = {
    "sqlite": (
        f"{_ON_ACT} BEGIN {_ADD_ACT.format(**_IN_SQLITE)}; END",
        f"{_ON_RESULTS.format('', '')} BEGIN {_ADD_RESULTS.format(**_IN_SQLITE)}; END",
    ),
    "postgresql": (
        _FUNCTION.format("act_is_delivered", _ADD_ACT.format(**_IN_POSTGRESQL)),
        f"{_ON_ACT} EXECUTE FUNCTION act_is_delivered()",
        _FUNCTION.format(
            "results_are_delivered", f"{_LOCK}; {_ADD_RESULTS.format(**_IN_POSTGRESQL)}"
        ),
        _ON_RESULTS.format(" CONSTRAINT", " DEFERRABLE INITIALLY DEFERRED")
        + "EXECUTE FUNCTION results_are_delivered()",
    ),
}


def install(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    for statement in STATEMENTS[schema_editor.connection.vendor]:
        schema_editor.execute(statement, None)


def remove(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    for name, table in TRIGGERS.items():
        on = "" if schema_editor.connection.vendor == "sqlite" else f" ON {table}"
        schema_editor.execute(f"DROP TRIGGER IF EXISTS {name}{on}", None)


class Migration(migrations.Migration):
    dependencies = [
        ("tracker", "0018_explained_standings"),
    ]

    operations = [
        migrations.CreateModel(
            name="Webhook",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("url", models.URLField(max_length=300, verbose_name="address")),
                (
                    "secret",
                    models.CharField(
                        default=tracker.models.programs.new_webhook_secret, max_length=60
                    ),
                ),
                ("made_at", models.DateTimeField()),
                ("withdrawn_at", models.DateTimeField(blank=True, null=True)),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="webhooks",
                        to="tracker.club",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Delivery",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("uid", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                (
                    "event",
                    models.CharField(
                        choices=[
                            ("round.opened", "round opened"),
                            ("results.in", "all results are in"),
                            ("round.closed", "round closed"),
                            ("standing.official", "standings official"),
                        ],
                        max_length=17,
                    ),
                ),
                ("occurred_at", models.DateTimeField()),
                ("due_at", models.DateTimeField(blank=True, null=True)),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                ("delivered_at", models.DateTimeField(blank=True, null=True)),
                ("answer", models.CharField(blank=True, max_length=200)),
                (
                    "round",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="deliveries",
                        to="tracker.round",
                    ),
                ),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="deliveries",
                        to="tracker.tournament",
                    ),
                ),
                (
                    "webhook",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="deliveries",
                        to="tracker.webhook",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="ApiToken",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=40, verbose_name="what it is for")),
                (
                    "scope",
                    models.CharField(
                        choices=[
                            ("read", "read"),
                            ("report", "read, and report hands"),
                            ("organise", "read, report hands, and run nights"),
                        ],
                        default="read",
                        max_length=8,
                        verbose_name="it may",
                    ),
                ),
                ("digest", models.CharField(max_length=64, unique=True)),
                ("made_at", models.DateTimeField()),
                (
                    "membership",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="api_tokens",
                        to="tracker.membership",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("scope__in", ("read", "report", "organise"))),
                        name="api_token_scope_is_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("name", ""), _negated=True), name="api_token_has_a_name"
                    ),
                ],
            },
        ),
        migrations.AddConstraint(
            model_name="webhook",
            constraint=models.CheckConstraint(
                condition=models.Q(("url", ""), _negated=True), name="webhook_has_a_url"
            ),
        ),
        migrations.AddIndex(
            model_name="delivery",
            index=models.Index(
                condition=models.Q(("due_at__isnull", False)),
                fields=["due_at"],
                name="delivery_that_waits",
            ),
        ),
        migrations.AddConstraint(
            model_name="delivery",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "event__in",
                        ("round.opened", "results.in", "round.closed", "standing.official"),
                    )
                ),
                name="delivery_event_is_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="delivery",
            constraint=models.CheckConstraint(
                condition=models.Q(("due_at", None), ("delivered_at", None), _connector="OR"),
                name="delivery_waits_or_was_made",
            ),
        ),
        migrations.AddConstraint(
            model_name="delivery",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("event", "standing.official"), ("round__isnull", False), _connector="OR"
                ),
                name="delivery_of_a_round",
            ),
        ),
        migrations.RunPython(install, remove),
    ]
