"""The triggers stand after all migrations, whatever a later one rebuilt."""

from importlib import import_module

import pytest
from django.db import connection

triggers = import_module("tracker.migrations.0013_one_running_seat_a_player")


@pytest.mark.django_db
def test_every_trigger_is_in_place() -> None:
    where = {
        "sqlite": "SELECT name FROM sqlite_master WHERE type = 'trigger'",
        "postgresql": "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal",
    }

    with connection.cursor() as cursor:
        cursor.execute(where[connection.vendor])
        names = {name for (name,) in cursor.fetchall()}

    assert names >= set(triggers.tables(connection.vendor))
