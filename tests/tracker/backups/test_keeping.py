"""Copies that nobody asks for: before an act, and every few minutes while people play."""

import subprocess
import sys
import threading
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from django.db import connection, transaction
from django.utils import timezone
from pytest_django import Settings

from tests import make
from tests.make import NOON
from tests.tour import report
from tracker.backups import automatic
from tracker.backups.archive import make_copy, thin_out
from tracker.backups.automatic import EVERY, copy_before, copy_if_due, make_copies
from tracker.backups.copies import CopyFailed, CopyKind, read_note, stored_copies
from tracker.models import LogEntry, Round, RoundState, Sitting

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL’s keepers have their own"),
]
SOON, LATER = NOON + timedelta(seconds=30), NOON + EVERY + timedelta(seconds=1)


@pytest.fixture(autouse=True)
def folder(settings: Settings, tmp_path: Path) -> Path:
    settings.DATA_DIR = tmp_path
    return tmp_path / "copies"


@pytest.fixture
def table() -> Sitting:
    return make.sitting("Asha", "Neema", "Juma", "Baraka", at=make.tournament(hands=8))


def test_before_an_act_one_of_a_moment_ago_does_if_nothing_was_written_since(
    table: Sitting,
) -> None:
    def copies_after(why: str, now: datetime) -> int:
        assert copy_before(why=why, now=now) == ""
        return len(stored_copies())

    assert copies_after("first", NOON) == 1
    assert copies_after("the same", SOON) == 1
    report(table, 1, {"eaten": [70, 50]})
    assert copies_after("after a hand", SOON) == 2
    assert copies_after("later", NOON + timedelta(minutes=3)) == 3
    with transaction.atomic():
        assert copies_after("too late: in a transaction", LATER) == 3


def test_why_none_could_be_made_is_returned(folder: Path) -> None:
    folder.write_text("in its way")

    assert copy_before(why="an act", now=NOON).startswith("No copy could be made in ")


def test_while_people_play_and_once_afterwards_there_is_one_every_few_minutes() -> None:
    assert not copy_if_due(NOON)  # of an empty site
    table = make.sitting("Asha", "Neema", "Juma", "Baraka", at=make.tournament(hands=8))
    assert copy_if_due(NOON)
    report(table, 1, {"eaten": [70, 50]})
    assert not copy_if_due(SOON)
    assert copy_if_due(LATER)
    assert not copy_if_due(LATER + 2 * EVERY)  # nothing was written since

    # Closed, and nothing reported or done after that copy.
    Round.objects.update(state=RoundState.CLOSED, closed_at=NOON)
    evening = LATER + 3 * EVERY
    assert not copy_if_due(evening)
    LogEntry.objects.create(at=evening, verb="round-closed")
    assert copy_if_due(evening)
    make.user("signs-in")  # no act
    assert not copy_if_due(evening + 2 * EVERY)
    assert [copy.kind for copy in stored_copies()] == [CopyKind.NIGHT] * 3


@pytest.mark.usefixtures("table")
def test_the_thread_keeps_copies_until_it_is_stopped_whatever_goes_wrong(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    stop, tried = threading.Event(), []
    usual = automatic.copy_if_due

    def sometimes(now: object) -> bool:
        tried.append(now)
        if len(tried) == 1:
            raise CopyFailed("No room.")
        if len(tried) == 2:
            raise RuntimeError("never thought of")
        stop.set()
        return usual(timezone.now())

    monkeypatch.setattr(automatic, "_CHECK_SECONDS", 0.01)
    monkeypatch.setattr(automatic, "copy_if_due", sometimes)

    thread = threading.Thread(target=make_copies, args=[stop])
    thread.start()
    thread.join(60)

    assert not thread.is_alive()
    assert [copy.kind for copy in stored_copies()] == [CopyKind.NIGHT]
    assert "No room." in caplog.text
    assert "never thought of" in caplog.text


def test_old_ones_go_and_what_a_killed_process_left(folder: Path) -> None:
    old = make_copy(kind=CopyKind.NIGHT, now=NOON - timedelta(days=40))
    new = make_copy(kind=CopyKind.NIGHT, now=NOON, why="a reason")
    (folder / ".making-x").mkdir()
    (folder / "my own notes.txt").write_text("")

    assert thin_out(timezone.now() + timedelta(hours=7)) == [old.name]

    assert {file.name for file in folder.iterdir()} == {new.name, "my own notes.txt"}
    assert read_note(new).why == "a reason"


# Another process that makes copies and deletes them, over and over, until it is ended.
_BESIDE = """
import sys
from pathlib import Path
folder = Path(sys.argv[1])
making = [folder / f".making-{nth}" for nth in range(200)]
copies = [folder / f"kula-20261120-1100{nth:02d}-000-act.zip" for nth in range(60)]
print("begun", flush=True)
while True:
    for place in making:
        place.mkdir()
    for copy in copies:
        copy.touch()
    for place in making:
        place.rmdir()
    for copy in copies:
        copy.unlink(missing_ok=True)
"""


def test_what_another_process_deletes_meanwhile_stops_no_copy_before_an_act(folder: Path) -> None:
    newest = make_copy(kind=CopyKind.ACT, now=NOON)
    command = [sys.executable, "-c", _BESIDE, str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as beside:
        assert beside.stdout
        assert beside.stdout.readline() == b"begun\n"
        try:
            for _ in range(100):
                assert newest.name in {copy.name for copy in stored_copies()}
                assert newest.name not in thin_out(timezone.now())
        finally:
            beside.kill()

    assert copy_before(why="an act", now=NOON) == ""
