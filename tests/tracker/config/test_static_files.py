"""Files that never change are gathered once, and again when they are not whole."""

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.contrib.staticfiles.finders import get_finder
from pytest_django import Settings

from tracker.config import static_files


@pytest.fixture(autouse=True)
def home(tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Gather three files instead of two hundred."""
    (tmp_path / "code/tracker").mkdir(parents=True)
    for name in ("kula.css", "kula.js", "pad.js"):
        (tmp_path / "code/tracker" / name).write_text(f"/* gone */ {name}")
    settings.STATICFILES_FINDERS = ["django.contrib.staticfiles.finders.FileSystemFinder"]
    settings.STATICFILES_DIRS = [tmp_path / "code"]
    get_finder.cache_clear()  # type: ignore[attr-defined]
    settings.STATIC_HOME = tmp_path / "static"
    settings.STATIC_ROOT, settings.STORAGES = tmp_path, settings.STORAGES
    settings.WHITENOISE_USE_FINDERS = False
    for name in ("KULA_GATHERED", "KULA_STATIC_SOURCES"):
        monkeypatch.setenv(name, "")
        monkeypatch.delenv(name)
    yield Path(settings.STATIC_HOME)
    get_finder.cache_clear()  # type: ignore[attr-defined]


def written(home: Path) -> dict[str, int]:
    """Return when each file below was written."""
    return {str(file): file.stat().st_mtime_ns for file in home.rglob("*") if file.is_file()}


def gathered() -> Path:
    return Path(os.environ["KULA_GATHERED"])


def test_a_second_start_writes_nothing(home: Path) -> None:
    assert static_files.prepare() is None
    first = written(home)

    assert static_files.prepare() is None

    assert written(home) == first
    assert [place.name for place in home.iterdir()] == [gathered().parent.name]


@pytest.mark.parametrize("name", ["staticfiles.json", "files/tracker/kula.css", "sizes.json"])
@pytest.mark.parametrize("how", ["empty", "gone"])
def test_what_a_cut_left_is_made_anew(home: Path, name: str, how: str) -> None:
    static_files.prepare()
    broken = gathered().parent / name
    length = broken.stat().st_size
    broken.write_bytes(b"") if how == "empty" else broken.unlink()

    static_files.prepare()

    assert broken.stat().st_size == length
    assert static_files.is_whole(gathered().parent)


def test_files_come_into_place_whole(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[Path] = []

    def cut(folder: Path) -> None:
        synced.append(folder)
        raise KeyboardInterrupt

    monkeypatch.setattr(static_files, "sync_tree", cut)
    with pytest.raises(KeyboardInterrupt):
        static_files.prepare()

    assert [place.name[:5] for place in synced] == [".new-"]
    assert list(home.iterdir()) == []


def test_other_sources_have_a_folder_of_their_own(tmp_path: Path) -> None:
    static_files.prepare()
    before = gathered()
    (tmp_path / "code/tracker/kula.css").write_text("/* another */")

    static_files.prepare()

    assert before != gathered()
    assert static_files.is_whole(before.parent)
    assert static_files.is_whole(gathered().parent)


def test_versions_of_long_ago_are_removed(home: Path, tmp_path: Path) -> None:
    for number in range(4):
        (tmp_path / "code/tracker/kula.css").write_text(f"/* {number} */")
        static_files.prepare()
        for place in home.iterdir():
            os.utime(place, (number, number))

    assert len(list(home.iterdir())) == 2
    assert gathered().exists()


def test_without_room_they_are_served_as_they_lie(home: Path, settings: Settings) -> None:
    home.write_text("")  # a file where the folder should be stops root as well

    error = static_files.prepare()

    assert isinstance(error, OSError)
    assert os.environ["KULA_STATIC_SOURCES"] == "yes"
    assert settings.WHITENOISE_USE_FINDERS is True
    assert settings.STORAGES["staticfiles"] == settings.STATIC_SOURCES


def test_what_is_noted_is_what_is_there(home: Path) -> None:
    static_files.prepare()

    noted = json.loads((gathered().parent / "sizes.json").read_text())

    home = gathered().parent
    files = [file for file in home.rglob("*") if file.is_file() and file.name != "sizes.json"]
    assert noted == {file.relative_to(home).as_posix(): file.stat().st_size for file in files}
    assert {"staticfiles.json", "files/tracker/kula.css"} <= set(noted)


def test_files_are_gathered_without_what_only_their_writers_read(home: Path) -> None:
    static_files.prepare()

    assert (gathered() / "tracker/kula.css").read_text() == "kula.css"
    assert (gathered() / "tracker/pad.js").read_text() == "pad.js"
