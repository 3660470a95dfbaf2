"""Files looked at and imported while a hall reports: what a report then waits, on SQLite.

Whole with ``KULA_DRILLS=full``, short otherwise.
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
PLACES = 60 if FULL else 20  # at which a file of each compression is damaged
ENOUGH = 100 if FULL else 20  # reports alone, and as many beside
AT_MOST = 2.0  # times what a report waits alone
SWAY = 0.01  # seconds, by which two p95 of the same hall may differ
ROUNDS = 3


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


def check(rounds: list[Waits], capsys: pytest.CaptureFixture[str], what: str) -> None:
    with capsys.disabled():
        for waits in rounds:
            print(f"\n{what}: {waits}")
    assert all(min(len(waits.alone), len(waits.beside)) >= ENOUGH for waits in rounds)
    assert any(map(hold, rounds)), [str(waits) for waits in rounds]


def hold(waits: Waits) -> bool:
    """Say whether reports wait little enough.

    A machine that is busy with something else is no finding: one round of three has to hold.
    """
    return p95(waits.beside) <= max(AT_MOST * p95(waits.alone), p95(waits.alone) + SWAY)


def test_an_honest_file_of_the_largest_size_holds_no_table_up(
    site: Site, by: Organiser, there: Hall, honest: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    a, b, c = SIZE
    assert hands_in(honest) == a * b * c
    rounds: list[Waits] = []

    def try_it(content: bytes, by: Organiser) -> None:
        def look() -> None:
            status, page = by.look(content)
            assert status == 200, page
            assert "The long league" in page

        def take_in() -> None:
            status, page = by.take_in()
            assert status == 302, page

        rounds.append(Waits())
        compare(there, [look, take_in], rounds[-1])

    try_it(honest, by)
    while not hold(rounds[-1]) and len(rounds) < ROUNDS:
        try_it(renewed_file(honest), organiser(site))

    check(rounds, capsys, f"an honest file of {a * b * c} hands")


def test_hostile_files_hold_no_table_up(
    by: Organiser, there: Hall, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    small = largest_file(tmp_path, 1, 1, 3)
    files = {**hostile.of_millions(), **hostile.lying()}
    for compression in hostile.COMPRESSIONS:
        for nth, content in enumerate(hostile.damaged(small, compression, places=PLACES)):
            files[f"{compression}, damaged, {nth}"] = content
    rounds: list[Waits] = []
    answered: dict[str, tuple[int, str]] = {}

    def look_at_each() -> None:
        answered.update({what: by.look(content) for what, content in files.items()})

    while not rounds or (not hold(rounds[-1]) and len(rounds) < ROUNDS):
        rounds.append(Waits())
        compare(there, [look_at_each], rounds[-1])

    assert answered.keys() == files.keys()
    for what, (status, page) in answered.items():
        assert status == 200, (what, page)
        assert "error-summary" in page or "What is in it" in page, what
    check(rounds, capsys, f"{len(files)} hostile files")
