"""A copy made while phones report holds all that was acknowledged before, and can be put back.

Short by default, longer with ``KULA_DRILLS=full``; on SQLite, or on what ``DATABASE_URL`` names.
"""

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from tests.drilled import FULL
from tests.drills import hall
from tests.drills.backup import back_up, elsewhere, manage, put_back, run, waits
from tests.drills.playing import count_kept, reporting, told, wait_for
from tests.serving import ROOT, beside, serving

TABLES, COPIES = (12, 4) if FULL else (6, 1)
KILLS = 10
SQLITE = not os.environ.get("DATABASE_URL")


def test_a_copy_made_under_load_is_whole_where_it_is_restored(tmp_path: Path) -> None:
    copies = []
    with (
        elsewhere(tmp_path / "data") as data,  # on PostgreSQL its database is dropped at the end
        serving(data, "--workers", "4") as site,
        reporting(site, TABLES) as playing,
    ):
        for nth in range(COPIES):
            wait_for(playing, 5 * TABLES)
            copies.append(back_up(data, tmp_path / f"{nth}.backup", playing))
            wait_for(playing, TABLES)  # it went on meanwhile, and goes on
        if SQLITE:
            refused = run(data, "restore", str(copies[0].file), "--yes")
            assert (refused.returncode, "close" in refused.stderr) == (1, True)
            assert "Traceback" not in refused.stderr
    print(waits(playing, copies))
    for nth, made in enumerate(copies):
        with elsewhere(tmp_path / f"elsewhere-{nth}") as other:
            if not SQLITE:
                shutil.copy(data / "secret", other)
            put_back(other, made.file)
            kept, lost = count_kept(other, playing, made.told)
            assert lost == 0
            assert sum(kept.values()) <= sum(told(playing).values())
            assert (other / "secret").read_text() == (data / "secret").read_text()
            if FULL and made is copies[-1]:
                with serving(other, "--workers", "1") as site:
                    for table in playing:
                        table.goes_on(site.port, kept[table.phone.token])


@pytest.mark.skipif(not (SQLITE and FULL), reason="with KULA_DRILLS=full, where data are a file")
def test_the_drill_sees_that_a_file_copied_meanwhile_is_none(tmp_path: Path) -> None:
    data, other = tmp_path / "data", tmp_path / "other"
    other.mkdir()
    with (
        serving(data, "--workers", "4") as site,
        reporting(site, TABLES) as playing,
        closing(sqlite3.connect(data / "kula.sqlite3", isolation_level=None)) as reader,
    ):
        reader.execute("PRAGMA wal_checkpoint")  # the tables' first hands are in the file itself
        # An open read keeps new hands in the WAL file. Without it, SQLite may have just moved them
        # here, and the copy would be whole by chance.
        reader.execute("BEGIN")
        reader.execute("SELECT COUNT(*) FROM tracker_hand").fetchone()
        wait_for(playing, 5 * TABLES)
        known = told(playing)
        shutil.copy(data / "kula.sqlite3", other)

    with pytest.raises(AssertionError):
        assert count_kept(other, playing, known)[1] == 0


@pytest.mark.skipif(
    not (SQLITE and FULL), reason="with KULA_DRILLS=full; test_swap.py stops it at each step"
)
def test_a_restore_killed_at_any_moment_leaves_the_old_or_the_new(tmp_path: Path) -> None:
    data, copy = tmp_path / "data", tmp_path / "copy.zip"
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
