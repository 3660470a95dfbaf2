"""Who may open the data folder."""

import os
import stat
from pathlib import Path

import pytest

from tests.tracker.config.test_headers import in_profile
from tracker.backups.data_folder import make_private

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has other ways to keep a folder")

_USE = """
import django
django.setup()
from django.core.management import call_command
from tracker.models import Club
call_command("migrate", verbosity=0)
Club.objects.create(name="Kula")
"""


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.parametrize("mask", [0o022, 0o000])
def test_what_a_start_makes_is_the_owners_alone(tmp_path: Path, mask: int) -> None:
    data = tmp_path / "new" / "data"

    in_profile(data, f"import os; os.umask({mask}){_USE}" + _LOOK, {})

    assert mode(data) == 0o700
    assert (data / "wal-was").read_text() == "0o600"
    assert {path.name: mode(path) for path in data.glob("*.sqlite3")} == {"kula.sqlite3": 0o600}
    assert mode(data / "secret") == 0o600


# While it is open it has files beside it.
_LOOK = """
from django.conf import settings
wal = settings.DATA_DIR / "kula.sqlite3-wal"
(settings.DATA_DIR / "wal-was").write_text(oct(wal.stat().st_mode & 0o777))
"""


def test_what_an_older_version_left_open_is_closed(tmp_path: Path) -> None:
    files = [
        tmp_path / name for name in ("secret", "kula.sqlite3", "kula-0001.sqlite3", "kula.log.1")
    ]
    for file in files:
        file.touch(0o644)
    (tmp_path / "static").mkdir(0o755)
    tmp_path.chmod(0o755)

    make_private(tmp_path)

    assert mode(tmp_path) == 0o700
    assert {mode(file) for file in files} == {0o600}
    assert mode(tmp_path / "static") == 0o755


def test_a_folder_that_holds_nothing_of_kula_is_left_as_it_is(tmp_path: Path) -> None:
    """Somebody may have named their home, or one for everybody's files."""
    (tmp_path / "letters").touch()
    tmp_path.chmod(0o755)

    make_private(tmp_path)

    assert mode(tmp_path) == 0o755
