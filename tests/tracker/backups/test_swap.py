"""A restored folder takes the place of the present one wholly or not at all, wherever it is stopped."""

import os
import sqlite3
import subprocess
import sys
from contextlib import closing, suppress
from itertools import count
from pathlib import Path

import pytest

from tests.serving import ROOT
from tracker.backups.data_folder import FolderInUse, finish_swap, hold, is_held, swap


class Killed(BaseException):
    pass


def lay(folder: Path, word: str) -> Path:
    """Make a folder of data whose database and secret say *word*.

    If it is "old", the database says so in its log alone, as after a power cut.
    """
    folder.mkdir(exist_ok=True)
    (folder / "secret").write_text(word)
    file, log = folder / "kula.sqlite3", folder / "kula.sqlite3-wal"
    with closing(sqlite3.connect(file, isolation_level=None)) as database:
        database.execute("CREATE TABLE said AS SELECT ? AS word", [word])
        if word == "old":
            database.execute("UPDATE said SET word = 'older'")
            database.execute("PRAGMA journal_mode=WAL")
            database.execute("UPDATE said SET word = 'old'")
            left = {path: path.read_bytes() for path in (file, log)}
    if word == "old":  # closing wrote the log into the file
        for path, content in left.items():
            path.write_bytes(content)
    return folder


def said(folder: Path) -> tuple[str, str]:
    with closing(sqlite3.connect(folder / "kula.sqlite3")) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        (word,) = database.execute("SELECT word FROM said").fetchone()
    return word, (folder / "secret").read_text()


def stopped_at(step: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the process be killed before the step of that number which changes a disk."""
    steps = count()
    for name in ("fsync", "rename", "replace", "unlink", "rmdir"):
        usual = getattr(os, name)

        def counted(*given: object, usual: object = usual, **more: object) -> object:
            if next(steps) >= step:
                raise Killed
            return usual(*given, **more)  # type: ignore[operator]

        monkeypatch.setattr(os, name, counted)


def test_wherever_it_is_killed_the_old_or_the_new_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ends = []
    for step in range(40):
        data = lay(tmp_path / f"data{step}", "old")
        prepared = lay(data / ".restoring-x", "new")
        with monkeypatch.context() as patched:
            stopped_at(step, patched)
            with suppress(Killed):
                swap(prepared, data)
                ends.append("done")

        finish_swap(data)  # as the next process does that reads the settings

        word, secret = said(data)
        assert word == secret, step
        ends.append(word)

    assert ends.count("done") > 1  # so every step was tried
    assert ends[0] == "old"
    assert ends.index("new") < ends.index("done")  # once it counts, it is finished later
    assert ends[-1] == "new"


def test_nothing_to_finish_is_nothing_done(tmp_path: Path) -> None:
    data = lay(tmp_path / "data", "old")

    finish_swap(data)
    finish_swap(tmp_path / "none")

    assert said(data) == ("old", "old")


def test_a_folder_is_held_by_one(tmp_path: Path) -> None:
    assert not is_held(tmp_path / "new")
    with hold(tmp_path / "new"):
        assert is_held(tmp_path / "new")
        with pytest.raises(FolderInUse), hold(tmp_path / "new"):
            pass
    assert not is_held(tmp_path / "new")


def test_whoever_is_killed_holds_it_no_more(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from tracker.backups.data_folder import hold\n"
        "with hold(Path(sys.argv[1])): print('held', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, tmp_path],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"held\n"
        assert is_held(tmp_path)
        process.kill()
        process.wait()

    assert not is_held(tmp_path)
