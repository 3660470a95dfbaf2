"""Power cuts: the disk as it is at one instant, and the site that opens again from that.

``python -m tests.drills.power_cuts --cuts 100`` prints what a long evening of them comes to.
"""

import argparse
import os
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import median
from urllib.request import urlopen

from tests.drills.disks import Disk, disk, holder, mounted
from tests.drills.playing import TableNow, count_kept, reporting, told, wait_until
from tests.drills.processes import cut_the_power
from tests.serving import PATIENCE, Site, serving, start, wait_until_it_answers

TABLES = 16
_PAUSE = 0.2  # seconds between the hands of a table: more would only make the machine busy
WITHIN = 10.0  # seconds, in which the site is open again
ON_SQLITE = {"DATABASE_URL": ""}
CARELESS = {**ON_SQLITE, "DJANGO_SETTINGS_MODULE": "tests.drills.careless"}


@dataclass(frozen=True, slots=True)
class Cut:
    """A device as it was at one instant, with what the tables had been told by then."""

    image: Path
    seconds: float  # since ``serve`` was called
    told: dict[str, int]


@dataclass(frozen=True, slots=True)
class Kept:
    """What was there after a cut."""

    opened: float  # seconds from ``serve`` to its first page
    hands: int
    lost: int


def evening(
    where: Disk,
    tables: list[TableNow],
    moments: Sequence[float],
    environment: dict[str, str] = ON_SQLITE,
    *,
    at_least: int = 0,
) -> list[Cut]:
    """Open the site, report as soon as it answers, and cut the power at these seconds.

    Each evening seats new tables, which come to *tables*. The last cut waits, on a busy machine,
    until they were told of *at_least* so many hands.
    """
    began, before = time.monotonic(), sum(told(tables).values())
    site = start(where.path, "--workers", "4", environment=environment, anew=True)
    done = threading.Event()
    playing = threading.Thread(target=_play, args=[site, tables, done])
    playing.start()
    cuts = []
    try:
        for moment in moments:
            done.wait(max(0.0, began + moment - time.monotonic()))
            if moment == moments[-1] and at_least:
                wait_until(lambda: sum(told(tables).values()) >= before + at_least)
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


def after(cut: Cut, tables: Sequence[TableNow], *, careless: bool = False) -> Kept:
    """Open the site on what a cut left, and hold it to what the tables had been told.

    Unless its database was *careless*: then only count what is lost.
    """
    place = cut.image.parents[1] / cut.image.stem
    with mounted(cut.image, place) as data, opened_again(data) as (site, seconds):
        kept, lost = count_kept(data, tables, cut.told)
        assert careless or lost == 0, f"{lost} hands that phones were told are kept are lost"
        for table in tables:
            if table.phone.token in kept:
                table.goes_on(site.port, kept[table.phone.token])
    cut.image.unlink()
    return Kept(opened=seconds, hands=sum(kept.values()), lost=lost)


@contextmanager
def opened_again(data: Path) -> Iterator[tuple[Site, float]]:
    """Start the site on a folder as a cut left it; its pages have their styles, too."""
    began = time.monotonic()
    with serving(data, "--workers", "4", environment=ON_SQLITE, within=patience()) as site:
        seconds = time.monotonic() - began
        with urlopen(f"{site.url}/sign-in/") as page:
            text = page.read().decode()
        begin = text.index("/static/tracker/kula.")
        with urlopen(site.url + text[begin : text.index('"', begin)]) as style:
            assert len(style.read()) > 1000
        yield site, seconds


def patience() -> float:
    """Return how long a site may take to open: longer where others keep the machine busy.

    What is busy since a moment is hardly in the average yet, so that it counts twice.
    """
    return WITHIN * (1 + 2 * os.getloadavg()[0] / (os.cpu_count() or 1))


def cuts_of(rng: Random, cuts: int) -> Iterator[tuple[str, Cut, Kept]]:
    """Cut so often, in the first half minute of starts: of the first one, and of one after it."""
    left = cuts
    with holder() as place:
        while left:
            with disk(place) as where:
                tables: list[TableNow] = []
                for start_ in ("first start", "later start"):
                    many = min(left, 5)
                    moments = sorted(rng.uniform(0, 30) for _ in range(many))
                    for cut in evening(where, tables, moments):
                        yield start_, cut, after(cut, tables)
                    left -= many


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cuts", type=int, default=100)
    parser.add_argument("--seed", type=int, default=10)
    asked = parser.parse_args()
    began = time.monotonic()
    results = []
    for start_, cut, left in cuts_of(Random(asked.seed), asked.cuts):
        hands = sum(cut.told.values())
        results.append((hands, left))
        print(
            f"{len(results):3}  {start_}, {cut.seconds:4.1f} s in: {hands:5} told,"
            f" {left.hands:5} there, open after {left.opened:.1f} s (load {os.getloadavg()[0]:.0f})",
            flush=True,
        )
    opened = [left.opened for _, left in results]
    print(
        f"{len(results)} cuts in {(time.monotonic() - began) / 60:.0f} min:"
        f" {sum(hands for hands, _ in results)} hands told, {sum(k.lost for _, k in results)} lost,"
        f" 0 twice; open again after {median(opened):.1f} s (median), {max(opened):.1f} s at most."
    )


if __name__ == "__main__":
    main()
