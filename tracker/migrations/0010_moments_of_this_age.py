"""What came in files with moments that no calendar shows is brought into this age."""

from datetime import UTC, datetime
from importlib import import_module

from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps
from django.utils import timezone

FIRST = datetime(1900, 1, 2, tzinfo=UTC)
LAST = datetime(2199, 12, 30, tzinfo=UTC)
MOMENTS = {
    "Tournament": ("created_at", "provisional_until", "official_at"),
    "Player": ("erased_at",),
    "Entrant": ("withdrawn_at", "reserve_since"),
    "Award": ("withdrawn_at",),
    "Draw": ("drawn_at", "published_at"),
    "Round": ("opened_at", "closed_at"),
    "Sitting": ("started_at", "finished_at", "last_at"),
    "Hand": ("confirmed_at", "struck_at", "recorded_at"),
    "HandRecord": ("kept_at",),
    "Issue": ("raised_at", "settled_at", "taken_at"),
}
NEVER_CHANGED = {
    "report_is_never_changed": ("Report", "received_at"),
    "log_entry_is_never_changed": ("LogEntry", "at"),
}


def bring_into_this_age(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    for model, fields in MOMENTS.items():
        for field in fields:
            _bring(apps, model, field)
    for origin in apps.get_model("tracker", "Origin").objects.all():
        nights = [night for night in origin.nights if FIRST.isoformat() < night < LAST.isoformat()]
        if nights != origin.nights:
            origin.nights = nights
            origin.save(update_fields=["nights"])
    on_sqlite = schema_editor.connection.vendor == "sqlite"
    for trigger, (model, field) in NEVER_CHANGED.items():
        rows = apps.get_model("tracker", model).objects
        if not rows.filter(_of_another_age(field)).exists():
            continue
        table = f"tracker_{model.lower()}"
        on = "" if on_sqlite else f" ON {table}"
        schema_editor.execute(f"DROP TRIGGER {trigger}{on}", None)
        _bring(apps, model, field)
        schema_editor.execute(_creating(trigger, on_sqlite=on_sqlite), None)


def _of_another_age(field: str) -> models.Q:
    return models.Q((f"{field}__lt", FIRST)) | models.Q((f"{field}__gt", LAST))


def _bring(apps: StateApps, model: str, field: str) -> None:
    rows = apps.get_model("tracker", model).objects
    rows.filter((f"{field}__lt", FIRST)).update(**{field: FIRST})
    rows.filter((f"{field}__gt", LAST)).update(**{field: timezone.now()})


def _creating(trigger: str, *, on_sqlite: bool) -> str:
    """Return the statement by which a trigger was last made."""
    made = [import_module(f"tracker.migrations.{name}") for name in _OF_TRIGGERS]
    statements = [
        statement for each in made for statement in (each.SQLITE if on_sqlite else each.POSTGRESQL)
    ]
    return next(
        statement
        for statement in reversed(statements)
        if statement.startswith(f"CREATE TRIGGER {trigger} ")
    )


_OF_TRIGGERS = ("0002_triggers", "0004_triggers_hold")


class Migration(migrations.Migration):
    dependencies = [("tracker", "0009_words_of_choices")]
    operations = [
        migrations.RunPython(bring_into_this_age, migrations.RunPython.noop),
        migrations.AddConstraint(
            model_name="tournament",
            constraint=models.CheckConstraint(
                condition=models.Q(("created_at__gte", FIRST), ("created_at__lte", LAST)),
                name="tournament_is_of_this_age",
            ),
        ),
    ]
