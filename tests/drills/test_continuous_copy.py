"""Litestream copies the database while phones report, as ``deployment.md`` says, and it comes back."""

import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.drills import hall
from tests.drills.backup import DEPLOYMENT, documented, manage, run, shell_environment, type_
from tests.drills.playing import count_kept, patience, reporting, told, wait_for
from tests.serving import ROOT, serving, wait_until

pytestmark = pytest.mark.usefixtures("on_sqlite")

TABLES = 4
WITHIN = 2.0  # seconds, in which a hand is in the copy


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Return the folder where the commands are typed, with the file that the document shows."""
    [config] = re.findall(
        r"^```yaml\n(.*?)^```", DEPLOYMENT.read_text("utf-8"), re.MULTILINE | re.DOTALL
    )
    config = config.replace(".kula/", f"{tmp_path}/data/")
    config = config.replace("/mnt/other/", f"{tmp_path}/other/")
    (tmp_path / "litestream.yml").write_text(config)
    return tmp_path


@contextmanager
def copying(place: Path) -> Iterator[None]:
    """Let Litestream copy, until it is killed as by a power cut."""
    command = documented("litestream replicate ").split()
    environment = shell_environment(place / "data")
    with (
        (place / "litestream.log").open("a") as log,
        subprocess.Popen(command, cwd=place, env=environment, stdout=log, stderr=log) as process,
    ):
        try:
            yield
        finally:
            assert process.poll() is None
            process.kill()


def wait_for_the_copy() -> float:
    """Wait as long as Litestream may take, or longer on a busy machine; return when that is."""
    until = time.time() + patience(WITHIN)
    wait_until(lambda: time.time() > until, "for time to pass")
    return until


def restore(place: Path, moment: float | None = None) -> None:
    """Restore a moment, or the newest state, in place of what is there."""
    data = place / "data"
    shutil.rmtree(place / "before", ignore_errors=True)
    if (data / "kula.sqlite3").exists():
        type_(data, documented("mkdir before "), place)
    command = documented("litestream restore ")
    written = re.search(r"-timestamp (\S+) ", command)
    assert written
    if moment is None:
        command = command.replace(written[0], "")
    else:
        at = datetime.fromtimestamp(moment, UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        command = command.replace(written[1], at)
    type_(data, command, place)


def test_the_pinned_version_is_the_one_of_the_document() -> None:
    pins = (ROOT / "tests/requirements.in").read_text(encoding="utf-8")

    assert documented("pip install litestream").split()[-1] in pins


def test_a_lost_folder_and_an_undone_hand_come_back(place: Path) -> None:
    data = place / "data"
    with serving(data, "--workers", "2") as site, copying(place):
        with reporting(site, TABLES, pause=0.2) as playing:
            wait_for(playing, 3 * TABLES)
            early = told(playing)
            moment = wait_for_the_copy()
            at_the_moment = told(playing)
            wait_for(playing, 3 * TABLES)
        end = told(playing)
        before_the_undo = wait_for_the_copy()
        playing[0].phone.undo(playing[0].acknowledged)
        wait_for_the_copy()
    shutil.rmtree(data)

    restore(place, moment)
    kept, lost = count_kept(data, playing, early)
    assert lost == 0
    # A hand may be in the database when the phone is about to be told.
    assert all(kept[token] <= at_the_moment[token] + 1 for token in kept)
    assert sum(kept.values()) < sum(end.values())

    restore(place, before_the_undo)
    assert count_kept(data, playing, end) == (end, 0)
    assert [table.struck for table in hall.read(data, list(end))] == [[]] * TABLES

    restore(place)
    [undone, *others] = hall.read(data, list(end))
    assert undone.struck == [playing[0].acknowledged]
    assert [table.hands[-1] for table in others] == [end[token] for token in list(end)[1:]]


def test_it_goes_on_after_a_restore_and_after_a_backup_took_the_place(place: Path) -> None:
    data, evening = place / "data", place / "evening.zip"
    with serving(data, "--workers", "2") as site, copying(place):
        with reporting(site, TABLES, pause=0.2) as playing:
            wait_for(playing, 2 * TABLES)
            manage(data, "backup", str(evening))
            wait_for(playing, 2 * TABLES)
        end = told(playing)
        at_the_end = wait_for_the_copy()
    restore(place)
    with serving(data, "--workers", "2") as site, copying(place):
        for table in playing:
            table.goes_on(site.port, end[table.phone.token])
        wait_for_the_copy()
        site.close()
        refused = run(data, "restore", str(evening), "--yes")
    assert (refused.returncode, "A program has the database open" in refused.stderr) == (1, True)
    one_more = {token: last + 1 for token, last in end.items()}
    assert count_kept(data, playing, end) == (one_more, 0)

    manage(data, "restore", str(evening), "--yes")
    older, _ = count_kept(data, playing, end)
    with serving(data, "--workers", "2") as site, copying(place):
        for table in playing:
            table.goes_on(site.port, older[table.phone.token])
        wait_for_the_copy()
    shutil.rmtree(data)

    restore(place)
    assert count_kept(data, playing, end)[0] == {token: last + 1 for token, last in older.items()}
    restore(place, at_the_end)
    assert count_kept(data, playing, end) == (end, 0)
