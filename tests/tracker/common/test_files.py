"""Files that a start needs: whole or not at all."""

import os
import stat
from pathlib import Path

import pytest

from tests.drills.phones import at_once
from tracker.backups.data_folder import stored_secret
from tracker.common.files import write_error, write_whole


def names_in(folder: Path) -> list[str]:
    return sorted(place.name for place in folder.iterdir())


def test_a_secret_is_made_once(tmp_path: Path) -> None:
    first = stored_secret(tmp_path / "data")

    assert len(first) >= 50
    assert stored_secret(tmp_path / "data") == first
    assert (tmp_path / "data/secret").stat().st_mode & 0o777 == 0o600
    assert names_in(tmp_path / "data") == ["secret"]


def test_processes_that_start_together_have_one_secret(tmp_path: Path) -> None:
    assert len(set(at_once([lambda: stored_secret(tmp_path)] * 20))) == 1


@pytest.mark.parametrize("left", [b"", b"\0" * 67, b"short", b"\xff" * 67])
def test_a_secret_that_is_not_whole_is_made_anew_and_said(
    tmp_path: Path, left: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "secret").write_bytes(left)

    made = stored_secret(tmp_path)

    assert len(made) >= 50
    assert "everybody signs in again" in capsys.readouterr().err
    assert stored_secret(tmp_path) == made
    assert capsys.readouterr().err == ""


def test_without_a_folder_the_secret_lasts_as_long_as_the_process(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    assert len(stored_secret(tmp_path / "file")) >= 50


def test_a_write_that_fails_leaves_what_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_whole(tmp_path / "note", b"before")

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        write_whole(tmp_path / "note", b"after")

    assert (tmp_path / "note").read_bytes() == b"before"
    assert names_in(tmp_path) == ["note"]


def test_a_file_has_its_name_only_when_it_is_on_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[tuple[bool, bool]] = []
    sync = os.fsync

    def noted(handle: int) -> None:
        is_file = not stat.S_ISDIR(os.fstat(handle).st_mode)
        seen.append((is_file, (tmp_path / "note").exists()))
        sync(handle)

    monkeypatch.setattr(os, "fsync", noted)
    write_whole(tmp_path / "note", b"whole")

    assert seen == [(True, False), (False, True)]  # the file unnamed, then the folder


def test_where_nothing_can_be_kept_it_says_why(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    assert write_error(tmp_path) is None
    assert names_in(tmp_path) == ["file"]
    assert isinstance(write_error(tmp_path / "file"), OSError)
