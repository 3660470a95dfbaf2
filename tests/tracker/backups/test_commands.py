"""``backup`` and ``restore`` in a folder of their own, as a person at a terminal uses them."""

import json
import sqlite3
import zipfile
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.serving import beside, furnish, run_python

SCENE = """
import io, json, sys
import django
django.setup()
from pathlib import Path
from django.core.management import CommandError, call_command
from django.conf import settings
folder = settings.DATA_DIR.parent
said = {}
def do(name, *arguments, **more):
    out = io.StringIO()
    try:
        call_command(*arguments, stdout=out, **more)
        said[name] = out.getvalue()
    except CommandError as error:
        said[name] = out.getvalue() + "CommandError: " + str(error)
"""
EMPTY = 'call_command("migrate", verbosity=0)'
BACKED_UP_AND_RESTORED = f"""
{EMPTY}
from tests import make, tour
from tracker.models import Player, Tournament
table = make.sitting("Asha", "Neema", "Juma", "Baraka", at=make.tournament(hands=8))
tour.report(table, 1, {{"eaten": [70, 50]}})
do("backup", "backup", folder / "copy.zip")
tour.report(table, 2, {{"eaten": [70, 50]}})
tour.report(table, 3, {{"eaten": [70, 50]}})
make.player("Zuwena", club=table.round.tournament.club)
Player.objects.filter(name="Asha").update(name="Asha K.")
do("asked", "restore", folder / "copy.zip")
said["hands after no"] = str(table.hands.count())
do("restore", "restore", folder / "copy.zip", yes=True)
do("again", "restore", folder / "copy.zip", yes=True)
do("recount", "recount")
"""
HANDS = "SELECT count(*) FROM tracker_hand"


def run(data: Path, code: str) -> dict[str, str]:
    """Run code in a process whose site lies in *data*, and return what each command said."""
    if code.lstrip().startswith(EMPTY):
        furnish(data, "kula.sqlite3")
    scene = SCENE + code + "\nprint(json.dumps(said))"
    done = run_python("-c", scene, env=beside(data, DATABASE_URL=""), given="no\n")
    assert (done.returncode, done.stderr) == (0, "")
    said: dict[str, str] = json.loads(done.stdout.splitlines()[-1])
    return said


def ask(data: Path, question: str) -> Any:
    with closing(sqlite3.connect(data / "kula.sqlite3")) as database:
        return database.execute(question).fetchone()[0]


def note_in(copy: Path) -> dict[str, Any]:
    with zipfile.ZipFile(copy) as packed:
        note: dict[str, Any] = json.loads(packed.read("copy.json"))
    return note


@pytest.fixture(scope="module")
def restored(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    """Make a copy, play on, and restore it; return the copy and what was said."""
    folder = tmp_path_factory.mktemp("site")
    return folder / "copy.zip", run(folder / "data", BACKED_UP_AND_RESTORED)


@pytest.fixture
def copy(restored: tuple[Path, dict[str, str]]) -> Path:
    return restored[0]


def test_a_copy_is_the_owners_alone_and_holds_what_a_restore_needs(
    restored: tuple[Path, dict[str, str]],
) -> None:
    copy, said = restored
    size = f"{copy.stat().st_size / 1_000_000:.1f}"

    assert said["backup"] == f"{copy}: clubs 1, tournaments 1, hands 1; {size} MB.\n"
    assert copy.stat().st_mode & 0o777 == 0o600
    with zipfile.ZipFile(copy) as packed:
        assert packed.namelist() == ["copy.json", "secret", "kula.sqlite3"]
        assert packed.read("secret").decode() == (copy.parent / "data/secret").read_text()
    note = note_in(copy)
    assert (note["format"], note["version"], note["kind"]) == ("kula-copy", 1, "asked")
    assert note["migration"] > "0003"
    assert (note["clubs"], note["tournaments"], note["hands"]) == (1, 1, 1)


def test_a_restore_says_what_is_lost_asks_puts_back_and_keeps_what_was_there(
    restored: tuple[Path, dict[str, str]],
) -> None:
    data, said = restored[0].with_name("data"), restored[1]
    losses = "2 hands reported since 20 Nov 2026, 12:00 at 1 table\n  1 player\n"

    assert losses in said["asked"]
    assert said["asked"].endswith("Type yes: CommandError: Nothing was changed.")
    assert said["hands after no"] == "3"
    assert losses in said["restore"]
    assert "Nothing that is there now would be lost." in said["again"]
    assert said["recount"] == "1 hands, 0 differences.\n"
    assert ask(data, HANDS) == 1
    first, _second = sorted((data / "copies").iterdir())
    assert (note_in(first)["kind"], note_in(first)["hands"]) == ("restore", 3)
    left = {file.name for file in data.iterdir()}
    assert left <= {"copies", "kula.sqlite3", "secret", "serve.lock", "static"}


def test_what_is_no_whole_copy_is_refused(copy: Path, tmp_path: Path) -> None:
    data, whole, note = copy.with_name("data"), copy.read_bytes(), note_in(copy)
    middle = bytearray(whole)
    middle[len(whole) // 2] ^= 1
    (tmp_path / "short.zip").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "flipped.zip").write_bytes(middle)
    (tmp_path / "text.zip").write_text("Asha 70, Juma 50")
    changes: dict[str, list[dict[str, Any]]] = {
        "is no copy that Kula made, or it is damaged": [
            {"format": "another"}, {"version": 2}, {"made_at": "yesterday"},
            {"made_at": "2026-11-20T20:15:00"}, {"kind": "odd"}, {"why": 7}, {"hands": "many"},
            {"more": 1},
        ],
        "is damaged": [{"size": note["size"] + 1}, {"sha256": "0" * 64}],
        "it has 9999_of_tomorrow": [{"migration": "9999_of_tomorrow"}],
        "use pg_dump and pg_restore": [{"database": "postgresql"}],
    }  # fmt: skip
    odd: tuple[Any, ...] = ("", [], None, {})
    notes: list[tuple[str, Any]] = [("is no copy that Kula made", other) for other in odd]
    notes += [(words, {**note, **change}) for words, each in changes.items() for change in each]
    expected = {
        "short": "is no copy that Kula made", "text": "is no copy that Kula made",
        "flipped": "is damaged", "none": "There is no file",
    }  # fmt: skip
    for nth, (words, other) in enumerate(notes):
        expected[f"note{nth}"] = words
        with (
            zipfile.ZipFile(copy) as packed,
            zipfile.ZipFile(tmp_path / f"note{nth}.zip", "w") as zip_,
        ):
            zip_.writestr("copy.json", json.dumps(other))
            for name in packed.namelist()[1:]:
                zip_.writestr(name, packed.read(name))
    before = (data / "kula.sqlite3").read_bytes()

    said = run(
        data,
        f"for name in {list(expected)}:\n"
        f"    do(name, 'restore', Path({str(tmp_path)!r}, name + '.zip'), yes=True)",
    )

    assert {name: said[name] for name, words in expected.items() if words not in said[name]} == {}
    assert (data / "kula.sqlite3").read_bytes() == before


def test_a_folder_that_is_open_is_refused(copy: Path) -> None:
    code = """
from tracker.backups.data_folder import hold
file = folder / "copy.zip"
with hold(settings.DATA_DIR):
    do("held", "restore", file, yes=True)
import sqlite3
reader = sqlite3.connect(settings.DATA_DIR / "kula.sqlite3")
reader.execute("PRAGMA journal_mode=WAL")
reader.execute("SELECT count(*) FROM tracker_hand").fetchone()
do("read", "restore", file, yes=True)
reader.close()
"""

    said = run(copy.with_name("data"), code)

    assert said["held"] == "CommandError: Kula is open in this folder: close it first (Ctrl-C)."
    assert "A program has the database open" in said["read"]


def test_data_that_are_damaged_are_laid_aside(copy: Path, tmp_path: Path) -> None:
    new = tmp_path / "data"
    new.mkdir()
    (new / "kula.sqlite3").write_bytes(b"SQLite format 3\0" + b"x" * 5000)

    said = run(new, f"do('restore', 'restore', Path({str(copy)!r}), yes=True)")

    assert "So nobody can say what would be lost." in said["restore"]
    [aside] = (new / "copies").iterdir()
    assert aside.name.startswith("damaged-")
    assert (aside / "kula.sqlite3").read_bytes().endswith(b"xxx")
    assert ask(new, HANDS) == 1


def test_an_older_copy_is_brought_up_to_date(tmp_path: Path) -> None:
    code = """
call_command("migrate", "tracker", "0002", verbosity=0)
do("backup", "backup", folder / "old.zip")
call_command("migrate", verbosity=0)
do("restore", "restore", folder / "old.zip", yes=True)
"""

    run(tmp_path / "data", code)

    newest = ask(tmp_path / "data", "SELECT max(name) FROM django_migrations WHERE app='tracker'")
    assert newest > "0003"


def test_a_disk_without_room_leaves_no_half_of_a_copy(tmp_path: Path) -> None:
    code = """
call_command("migrate", verbosity=0)
import shutil
usual = shutil.disk_usage
shutil.disk_usage = lambda at: usual(at)._replace(free=1_000_000)
do("backup", "backup")
shutil.disk_usage = usual
import tracker.backups.archive as archive
def full(*_given, **_more):
    raise OSError(28, "No space left on device")
archive._pack = full
do("full", "backup")
"""

    said = run(tmp_path, code)

    assert "only 1 MB are free" in said["backup"]
    assert "No space left on device" in said["full"]
    assert list((tmp_path / "copies").iterdir()) == []
