"""What every test of the site may ask for."""

from collections.abc import Iterator
from datetime import UTC, datetime
from random import Random

import pytest
from django.db import connection
from django.test import TransactionTestCase

from tracker.models import triggers


@pytest.fixture
def rng() -> Random:
    return Random(7)


@pytest.fixture
def now() -> datetime:
    return datetime(2026, 11, 20, 20, 0, tzinfo=UTC)


@pytest.fixture(autouse=True, scope="session")
def _flush_past_the_triggers() -> Iterator[None]:
    """Let a transactional test empty its tables, which the triggers would rightly refuse."""
    teardown = TransactionTestCase._fixture_teardown

    def without_triggers(self: TransactionTestCase) -> None:
        with connection.schema_editor() as schema:
            triggers.remove(schema)
        try:
            teardown(self)
        finally:
            with connection.schema_editor() as schema:
                triggers.install(schema)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TransactionTestCase, "_fixture_teardown", without_triggers)
        yield
