"""The triggers stand after all migrations, whatever a later one rebuilt."""

import pytest
from django.db import connection

from tracker.models.triggers import TRIGGERS


@pytest.mark.django_db
def test_every_trigger_is_in_place() -> None:
    where = {
        "sqlite": "SELECT name FROM sqlite_master WHERE type = 'trigger'",
        "postgresql": "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal",
    }

    with connection.cursor() as cursor:
        cursor.execute(where[connection.vendor])
        found = {name for (name,) in cursor.fetchall()}

    assert found >= {name for name, *_ in TRIGGERS}
