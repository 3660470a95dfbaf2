"""Files looked at and imported while a hall reports: what a report then waits, on SQLite.

Whole with ``KULA_DRILLS=full``, short otherwise. ``python -m tests.drills.imports`` prints as much.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.drilled import FULL
from tests.drills.hall import recount
from tests.drills.imports import (
    Hall,
    Organiser,
    Waits,
    compare,
    hands_in,
    largest_file,
    opened,
    organiser,
    p95,
)
from tests.one_file import renewed_file
from tests.serving import Site, serving
from tests.tracker.tournament_files import hostile

SIZE, TABLES = ((25, 20, 15), 20) if FULL else ((8, 3, 8), 8)
PLACES = 200 if FULL else 20  # at which a file of each compression is damaged
ENOUGH = 100 if FULL else 20  # reports alone, and as many beside
AT_MOST = 2.0  # times what a report waits alone
SWAY = 0.02  # seconds: what two p95 of the same hall differ by on a machine with other work


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("imports")
    with serving(folder) as site:
        yield site


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return largest_file(tmp_path_factory.mktemp("file"), *SIZE)


@pytest.fixture(scope="module")
def by(site: Site) -> Organiser:
    return organiser(site)


@pytest.fixture(scope="module")
def there(site: Site) -> Iterator[Hall]:
    with opened(site, TABLES) as there:
        yield there
    assert "0 differences" in recount(site.data)


def check(waits: Waits, capsys: pytest.CaptureFixture[str], what: str) -> None:
    with capsys.disabled():
        print(f"\n{what}: {waits}")
    assert min(len(waits.alone), len(waits.beside)) >= ENOUGH
    assert hold(waits), str(waits)


def hold(waits: Waits) -> bool:
    """Say whether reports wait little enough. Where they do not, it is tried once more, and all counts."""
    return p95(waits.beside) <= max(AT_MOST * p95(waits.alone), p95(waits.alone) + SWAY)


def test_an_honest_file_of_the_largest_size_holds_no_table_up(
    by: Organiser, there: Hall, honest: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    a, b, c = SIZE
    assert hands_in(honest) == a * b * c
    waits = Waits()

    def look(content: bytes) -> None:
        status, page = by.look(content)
        assert status == 200, page
        assert "The long league" in page

    def take_in() -> None:
        status, page = by.take_in()
        assert status == 302, page

    compare(there, [lambda: look(honest), take_in], waits)
    if not hold(waits):
        another = renewed_file(honest)
        compare(there, [lambda: look(another), take_in], waits)

    check(waits, capsys, f"an honest file of {a * b * c} hands")


def test_hostile_files_hold_no_table_up(
    by: Organiser, there: Hall, honest: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    small = largest_file(tmp_path, 1, 1, 3)
    files = {**hostile.of_millions(), **hostile.lying()}
    for compression in hostile.COMPRESSIONS:
        for nth, content in enumerate(hostile.damaged(small, compression, places=PLACES)):
            files[f"{compression}, damaged, {nth}"] = content
    waits, answered = Waits(), {}

    def look_at_each() -> None:
        answered.update({what: by.look(content) for what, content in files.items()})

    compare(there, [look_at_each], waits)
    if not hold(waits):
        compare(there, [look_at_each], waits)

    assert answered.keys() == files.keys()
    for what, (status, page) in answered.items():
        assert status == 200, (what, page)
        assert "error-summary" in page or "What is in it" in page, what
    check(waits, capsys, f"{len(files)} hostile files")
