"""A copy made while phones report holds all that was acknowledged before, and can be put back.

Short by default, longer with ``KULA_DRILLS=full``; on SQLite, or on what ``DATABASE_URL`` names.
``python -m tests.drills.backup`` is the long form.
"""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.drilled import FULL
from tests.drills import hall
from tests.drills.backup import (
    Made,
    acknowledged,
    back_up,
    check,
    elsewhere,
    manage,
    reporting,
    run,
    wait_for,
)
from tests.drills.phones import Phone
from tests.drills.test_reports import eaten
from tests.serving import ROOT, beside, serving

TABLES, COPIES = (12, 4) if FULL else (6, 1)
KILLS = 10
SQLITE = not os.environ.get("DATABASE_URL")


def test_a_copy_made_under_load_is_whole_elsewhere(tmp_path: Path) -> None:
    data, copies = tmp_path / "data", []
    with serving(data, "--workers", "4") as site, reporting(site, TABLES) as playing:
        for nth in range(COPIES):
            wait_for(playing, 5 * TABLES)
            copies.append(back_up(data, tmp_path / f"{nth}.zip", playing))
            wait_for(playing, TABLES)  # it went on meanwhile, and goes on
        refused = run(data, "restore", str(copies[0].file), "--yes")

    assert refused.returncode == 1
    assert "close" in refused.stderr
    assert "Traceback" not in refused.stderr
    for nth, made in enumerate(copies):
        with elsewhere(tmp_path / f"elsewhere-{nth}") as other:
            manage(other, "restore", str(made.file), "--yes")
            assert check(other, made) <= acknowledged(playing)
            assert (other / "secret").read_text() == (data / "secret").read_text()
            if FULL and made is copies[-1]:
                _goes_on(other, made)


def _goes_on(data: Path, made: Made) -> None:
    """See that phones find their tables where a copy was restored, and report there."""
    token = next(iter(made.acknowledged))
    [seen] = hall.read(data, [token])
    with serving(data, "--workers", "1") as site:
        number = seen.last_number + 1
        answer = Phone(site.port, token).open_page().report(number, eaten(number))
        assert (answer.status, answer.number) == (303, number)


@pytest.mark.skipif(not (SQLITE and FULL), reason="with KULA_DRILLS=full, where data are a file")
def test_the_drill_sees_that_a_file_copied_meanwhile_is_none(tmp_path: Path) -> None:
    data, bad = tmp_path / "data", 0
    with serving(data, "--workers", "4") as site, reporting(site, TABLES) as playing:
        for nth in range(3):
            wait_for(playing, 5 * TABLES)
            entries = {table.phone.token: dict(table.acknowledged) for table in playing}
            other = tmp_path / f"other-{nth}"
            other.mkdir()
            shutil.copy(data / "kula.sqlite3", other)
            try:
                check(other, Made(other, entries, 0, 0))
            except AssertionError:
                bad += 1

    assert bad


@pytest.mark.skipif(not FULL, reason="with KULA_DRILLS=full; test_swap.py stops it at each step")
def test_a_restore_killed_at_any_moment_leaves_the_old_or_the_new(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with elsewhere(data):
        _killed_again_and_again(data, tmp_path / "copy.zip")


def _killed_again_and_again(data: Path, copy: Path) -> None:
    manage(data, "migrate", "--verbosity=0")
    hall.seat(data, 1)
    manage(data, "backup", str(copy))
    begun = time.monotonic()
    manage(data, "restore", str(copy), "--yes")
    usual = time.monotonic() - begun
    for nth in range(KILLS):
        hall.seat(data, 1)
        process = subprocess.Popen(
            [sys.executable, "manage.py", "restore", str(copy), "--yes"],
            cwd=ROOT,
            env=beside(data),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            process.wait(usual * (nth + 1) / (KILLS + 1))
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        assert "0 differences" in hall.recount(data)
        if _sittings(data) != 1:  # not the new: the old, and there was one more
            manage(data, "restore", str(copy), "--yes")
            assert _sittings(data) == 1


def _sittings(data: Path) -> int:
    code = "from tracker.models import Sitting; print(Sitting.objects.count())"
    count = int(manage(data, "shell", "--verbosity=0", "--command", code))
    assert count in {1, 2}
    return count
