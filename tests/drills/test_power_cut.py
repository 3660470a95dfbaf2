"""The laptop dies: what was answered is there, nothing is twice, and the site opens again.

The disk is a file, copied as it is at one instant: what the site had not had written is gone.
Another process that was only killed would find it in the memory of the machine.
"""

import os
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from urllib.request import urlopen

import pytest

from tests.drilled import FULL
from tests.drills.disks import Disk, disk, holder, mounted
from tests.drills.playing import TableNow, count_kept, patience, reporting, told
from tests.drills.processes import cut_the_power
from tests.serving import PATIENCE, Site, serving, start, wait_until, wait_until_it_answers

pytestmark = pytest.mark.usefixtures("on_sqlite")

TABLES = 16
_PAUSE = 0.2  # seconds between the hands of a table: more would only make the machine busy
# Seconds after ``serve`` is called. The first three are before it answers, or about then.
FIRST_START = (0.4, 1.5, 3.0, 5.0, 12.0) if FULL else (2.0,)
LATER_START = (0.3, 1.0, 4.0, 11.0, 24.0) if FULL else (5.0,)
CARELESS = {"DJANGO_SETTINGS_MODULE": "tests.drills.careless"}


@dataclass(frozen=True, slots=True)
class Cut:
    """A device as it was at one instant, with what the tables had been told by then."""

    image: Path
    seconds: float  # since ``serve`` was called
    told: dict[str, int]


def evening(
    where: Disk,
    tables: list[TableNow],
    moments: Sequence[float],
    environment: dict[str, str] | None = None,
    *,
    at_least: int = 0,
) -> list[Cut]:
    """Open the site, report as soon as it answers, and cut the power at these seconds.

    Each evening seats new tables, which come to *tables*. The last cut waits, on a busy machine,
    until they were told of *at_least* so many hands.
    """
    began, many = time.monotonic(), sum(told(tables).values()) + at_least
    site = start(where.path, "--workers", "4", environment=environment, anew=True)
    done = threading.Event()
    playing = threading.Thread(target=_play, args=[site, tables, done])
    playing.start()
    cuts = []
    try:
        for moment in moments:
            done.wait(max(0.0, began + moment - time.monotonic()))
            if moment == moments[-1] and at_least:
                wait_until(lambda: sum(told(tables).values()) >= many, f"for {many} hands")
            known, at = told(tables), time.monotonic() - began
            cuts.append(Cut(where.freeze(), at, known))
    finally:
        done.set()
        playing.join(PATIENCE)
        cut_the_power(site)
        site.close()
    return cuts


def _play(site: Site, tables: list[TableNow], done: threading.Event) -> None:
    wait_until_it_answers(site, PATIENCE)
    with reporting(site, TABLES, pause=_PAUSE) as playing:
        tables += playing
        done.wait()


def after(cut: Cut, tables: Sequence[TableNow]) -> None:
    """Open the site on what a cut left, which has every hand; print what it was like."""
    place = cut.image.parents[1] / cut.image.stem
    with mounted(cut.image, place) as data, opened_again(data) as (site, opened):
        kept, lost = count_kept(data, tables, cut.told)
        assert lost == 0, f"{lost} hands that phones were told are kept are lost"
        for table in tables:
            if table.phone.token in kept:
                table.goes_on(site.port, kept[table.phone.token])
    cut.image.unlink()
    print(
        f"{cut.seconds:4.1f} s in: {sum(cut.told.values()):5} told, {sum(kept.values()):5} there,"
        f" none lost, open after {opened:.1f} s (load {os.getloadavg()[0]:.0f})",
        flush=True,
    )


@contextmanager
def opened_again(data: Path) -> Iterator[tuple[Site, float]]:
    """Start the site on a folder as a cut left it; its pages have their styles, too."""
    began = time.monotonic()
    with serving(data, "--workers", "4", within=patience()) as site:
        seconds = time.monotonic() - began
        with urlopen(f"{site.url}/sign-in/") as page:
            text = page.read().decode()
        begin = text.index("/static/tracker/kula.")
        with urlopen(site.url + text[begin : text.index('"', begin)]) as style:
            assert len(style.read()) > 1000
        yield site, seconds


def test_what_was_told_before_a_power_cut_is_there() -> None:
    rng, tables = Random(), list[TableNow]()
    with holder() as place, disk(place) as where:
        for moments, at_least in ((FIRST_START, 0), (LATER_START, 60)):
            near = [moment + rng.uniform(0, 0.5) for moment in moments]
            for cut in evening(where, tables, near, at_least=at_least):
                after(cut, tables)


@pytest.mark.skipif(not FULL, reason="shows in full that the drill sees")
def test_the_drill_sees_what_a_careless_database_loses() -> None:
    tables = list[TableNow]()
    with holder() as place, disk(place) as where:
        [cut] = evening(where, tables, [2.0], CARELESS, at_least=100)

        # By chance hands are lost, or the database is damaged in one way or another.
        with pytest.raises(AssertionError):
            after(cut, tables)
