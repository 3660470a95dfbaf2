"""Nobody sits in two running rounds: a seat says whether it is active, and triggers keep that true.

Where a player sat in two running rounds already, the newest seat counts, and the other as though
its round were closed; both rounds go on.

Trap: on SQLite these triggers name each other's tables. A migration that builds ``tracker_seat`` or
``tracker_round`` anew must take every trigger away first, and put all of them back (``remove_all``,
``install_all``).
"""

from importlib import import_module

from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

before = import_module("tracker.migrations.0004_triggers_hold")

# These refuse nothing by themselves.
KEEPING = {
    "seat_is_active_in_an_open_round": "tracker_seat",
    "seat_is_active_in_an_open_round_later": "tracker_seat",
    "round_makes_its_seats_active": "tracker_round",
}
_ACTIVE = "NEW.to_hand IS NULL AND EXISTS (SELECT 1 FROM tracker_round r WHERE r.id = NEW.round_id AND r.state = 'open')"
_BY_ROUND = "UPDATE tracker_seat SET active = (NEW.state = 'open') WHERE round_id = NEW.id AND to_hand IS NULL"
_CORRECT = "BEGIN UPDATE tracker_seat SET active = NOT NEW.active WHERE id = NEW.id; END"
SQLITE = (
    f"CREATE TRIGGER seat_is_active_in_an_open_round AFTER INSERT ON tracker_seat FOR EACH ROW WHEN NEW.active IS NOT ({_ACTIVE}) {_CORRECT}",
    f"CREATE TRIGGER seat_is_active_in_an_open_round_later AFTER UPDATE OF round_id, to_hand, active ON tracker_seat FOR EACH ROW WHEN NEW.active IS NOT ({_ACTIVE}) {_CORRECT}",
    f"CREATE TRIGGER round_makes_its_seats_active AFTER UPDATE OF state ON tracker_round FOR EACH ROW WHEN NEW.state <> OLD.state BEGIN {_BY_ROUND}; END",
)
# Whoever seats somebody and whoever opens or closes the round wait for each other, so that neither
# misses what the other has not committed.
POSTGRESQL = (
    f"CREATE OR REPLACE FUNCTION seat_is_active_in_an_open_round() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_advisory_xact_lock_shared(hashtextextended('tracker_round', NEW.round_id)); NEW.active := {_ACTIVE}; RETURN NEW; END $$",
    "CREATE TRIGGER seat_is_active_in_an_open_round BEFORE INSERT ON tracker_seat FOR EACH ROW EXECUTE FUNCTION seat_is_active_in_an_open_round()",
    "CREATE TRIGGER seat_is_active_in_an_open_round_later BEFORE UPDATE OF round_id, to_hand, active ON tracker_seat FOR EACH ROW EXECUTE FUNCTION seat_is_active_in_an_open_round()",
    f"CREATE OR REPLACE FUNCTION round_makes_its_seats_active() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_advisory_xact_lock(hashtextextended('tracker_round', NEW.id)); {_BY_ROUND}; RETURN NULL; END $$",
    "CREATE TRIGGER round_makes_its_seats_active AFTER UPDATE OF state ON tracker_round FOR EACH ROW WHEN (NEW.state <> OLD.state) EXECUTE FUNCTION round_makes_its_seats_active()",
)
_MARK = "UPDATE tracker_seat SET active = TRUE WHERE id IN (SELECT max(s.id) FROM tracker_seat s JOIN tracker_round r ON r.id = s.round_id WHERE s.to_hand IS NULL AND r.state = 'open' GROUP BY s.player_id)"


def tables(vendor: str) -> dict[str, str]:
    """Return every trigger that a database has, and its table."""
    return {**before.tables(vendor), **KEEPING}


def remove_all(apps: StateApps | None, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Take every trigger away."""
    before.remove_all(None, schema_editor)
    remove(None, schema_editor)


def install_all(apps: StateApps | None, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Put every trigger in place."""
    before.install_all(schema_editor)
    install(None, schema_editor)


def remove(apps: StateApps | None, schema_editor: BaseDatabaseSchemaEditor) -> None:
    for name, table in KEEPING.items():
        on = "" if schema_editor.connection.vendor == "sqlite" else f" ON {table}"
        schema_editor.execute(f"DROP TRIGGER IF EXISTS {name}{on}", None)


def install(apps: StateApps | None, schema_editor: BaseDatabaseSchemaEditor) -> None:
    on_sqlite = schema_editor.connection.vendor == "sqlite"
    for statement in SQLITE if on_sqlite else POSTGRESQL:
        schema_editor.execute(statement, None)


def begin(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Lock rounds until the triggers exist; on SQLite drop them, as it rebuilds the table."""
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute("LOCK TABLE tracker_round IN SHARE ROW EXCLUSIVE MODE", None)
    else:
        before.remove_all(None, schema_editor)


def end(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Put back what ``begin`` took away."""
    if schema_editor.connection.vendor != "postgresql":
        before.install_all(schema_editor)


class Migration(migrations.Migration):
    dependencies = [("tracker", "0012_ranked_by")]
    operations = [
        migrations.RunPython(begin, end),
        migrations.AddField(
            model_name="seat",
            name="active",
            field=models.BooleanField(db_default=False, default=False, editable=False),
        ),
        migrations.RunSQL(_MARK, migrations.RunSQL.noop),
        migrations.AddConstraint(
            model_name="seat",
            constraint=models.UniqueConstraint(
                condition=models.Q(("active", True)),
                fields=("player",),
                name="seat_one_active_a_player",
            ),
        ),
        migrations.RunPython(end, begin),
        migrations.RunPython(install, remove),
    ]
