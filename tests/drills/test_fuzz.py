"""Odd requests to every address: no 5xx, and what is refused changes no row.

A few by default, five thousand with ``KULA_DRILLS=full``; ``tests/drills/fuzz.py`` runs as many as asked
for, and any one again.
"""

import os
from collections.abc import Callable
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied

from tests import make
from tests.drilled import FULL
from tests.drills import fuzz
from tracker.common.web import access
from tracker.models import LogEntry

pytestmark = pytest.mark.django_db

SEED = 10
CASES = (1_000 if os.environ.get("DATABASE_URL") else 5_000) if FULL else 250


@pytest.fixture
def world() -> fuzz.World:
    return fuzz.World()


def test_no_odd_request_ends_in_a_5xx_or_changes_a_row_when_refused(world: fuzz.World) -> None:
    report = fuzz.run(world, seed=SEED, cases=range(CASES))

    assert report.findings == [], str(report)
    assert report.refused > CASES / 4
    assert sum(report.answers.values()) == CASES
    assert fuzz.digest() == world.rows
    assert [str(world.request(SEED, case)[1]) for case in range(9)] == [
        str(world.request(SEED, case)[1]) for case in range(9)
    ]


def test_the_fuzz_sees_a_refusal_that_writes_and_a_page_that_breaks(
    world: fuzz.World, monkeypatch: pytest.MonkeyPatch
) -> None:
    check: Callable[..., Any] = access.check

    def writing(*args: Any, **kwargs: Any) -> None:
        try:
            check(*args, **kwargs)
        except PermissionDenied:
            LogEntry.objects.create(verb="looked", at=make.NOON)
            raise

    def breaking(*_: Any, **__: Any) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(access, "check", writing)
    monkeypatch.setattr(access, "club", breaking)
    report = fuzz.run(world, seed=SEED, cases=range(60))

    summary = str(report)
    assert "and yet it changed tracker_logentry" in summary
    assert "500 ZeroDivisionError" in summary
    assert f"python -m tests.drills.fuzz --seed {SEED} --case" in summary
