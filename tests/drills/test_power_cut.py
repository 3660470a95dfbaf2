"""The laptop dies: what was answered is there, nothing is twice, and the site opens again.

The disk is a file, copied as it is at one instant: what the site had not had written is gone.
Another process that was only killed would find it in the memory of the machine.
"""

from random import Random

import pytest

from tests.drilled import FULL
from tests.drills.disks import disk, holder
from tests.drills.playing import TableNow
from tests.drills.power_cuts import CARELESS, after, evening

# Seconds after ``serve`` is called. The first three are before it answers, or about then.
FIRST_START = (0.4, 1.5, 3.0, 5.0, 12.0) if FULL else (2.0,)
LATER_START = (0.3, 1.0, 4.0, 11.0, 24.0) if FULL else (5.0,)


@pytest.fixture(autouse=True)
def _on_sqlite(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep to the file in the folder, wherever the other drills have their database."""
    monkeypatch.setenv("DATABASE_URL", "")


def test_what_was_told_before_a_power_cut_is_there() -> None:
    rng, tables = Random(), list[TableNow]()
    with holder() as place, disk(place) as where:
        for moments, at_least in ((FIRST_START, 0), (LATER_START, 60)):
            near = [moment + rng.uniform(0, 0.5) for moment in moments]
            for cut in evening(where, tables, near, at_least=at_least):
                print(f"{cut.seconds:.2f} s: {after(cut, tables)}")


@pytest.mark.skipif(not FULL, reason="shows in full that the drill sees")
def test_the_drill_sees_what_a_careless_database_loses() -> None:
    tables = list[TableNow]()
    with holder() as place, disk(place) as where:
        [cut] = evening(where, tables, [2.0], CARELESS, at_least=100)

        assert after(cut, tables, careless=True).lost > 0
