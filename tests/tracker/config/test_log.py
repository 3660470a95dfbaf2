"""The log: a line for what is refused, where it broke for what is not, and nobody's secrets."""

import logging
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from django.urls import URLPattern, reverse
from pytest_django import Settings

from tests import make
from tests.architecture.test_urls import addresses
from tests.serving import ROOT, beside
from tracker.common.server_log import LineFormatter, LogFile, masked, read_log
from tracker.config import middleware
from tracker.config.middleware import note_slow

SECRET = "Zq7-secret_x9Kd"
# What stands in an address and opens nothing.
HARMLESS = {"slug", "name"}


@pytest.fixture
def file(tmp_path: Path) -> Iterator[Path]:
    """Return a log that hears everything, as the site's own does."""
    handler = LogFile(str(tmp_path / "kula.log"))
    handler.setFormatter(LineFormatter())
    logging.getLogger().addHandler(handler)
    yield tmp_path / "kula.log"
    logging.getLogger().removeHandler(handler)
    handler.close()


@pytest.mark.django_db
def test_a_refused_page_is_one_line_with_its_time(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(middleware, "SLOW_AFTER", 3_600.0)  # on a busy machine any page may be slow
    make.user("asha")
    careful = Client(enforce_csrf_checks=True)
    careful.get("/nowhere/", REMOTE_ADDR="203.0.113.5")
    careful.post("/sign-in/")
    careful.get("/", headers={"host": "elsewhere.example"})
    Client().put("/card/")
    Client().post("/sign-in/", {"username": "asha", "password": SECRET})

    lines = file.read_text().splitlines()

    assert [entry.text for entry in read_log(lines)] == [
        "203.0.113.5 GET 404 Not Found: /nowhere/",
        "127.0.0.1 POST 403 Forbidden (CSRF token missing.): /sign-in/",
        (
            "127.0.0.1 GET 400 Invalid HTTP_HOST header: 'elsewhere.example'. "
            "You may need to add 'elsewhere.example' to ALLOWED_HOSTS."
        ),
        "127.0.0.1 PUT 405 Method Not Allowed (PUT): /card/",
        "127.0.0.1 POST Sign-in refused",
    ]
    assert len(lines) == 5
    assert {entry.level for entry in read_log(lines)} == {"WARNING"}


@pytest.mark.django_db
def test_what_breaks_is_written_with_where_it_broke(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError(f'Key (token)=({SECRET}) at "/t/{SECRET}/"')

    monkeypatch.setattr("tracker.results.pages.table_requests.read_table", broken)
    answer = Client(raise_request_exception=False).get(reverse("table", args=[SECRET]))

    lines = file.read_text().splitlines()

    assert answer.status_code == 500
    (entry,) = read_log(lines)
    assert (entry.level, entry.text) == ("ERROR", "127.0.0.1 GET 500 Internal Server Error: /t/…/")
    assert lines[1] == "Traceback (most recent call last):"
    assert SECRET not in file.read_text()


@pytest.mark.django_db
def test_a_tour_of_secret_addresses_leaves_no_secret(file: Path) -> None:
    careful = Client(enforce_csrf_checks=True)
    for path in secret_paths():
        for asked in (path, f"/nowhere{path}", f"/nowhere/?next={path}"):
            careful.get(asked)
            careful.put(asked)
            careful.post(asked, {"password": SECRET}, headers={"referer": f"http://x{asked}"})
            careful.post(asked, {"password": SECRET}, headers={"origin": f"http://x{asked}"})
            careful.post(
                asked, {"password": SECRET}, secure=True, headers={"referer": f"https://x{asked}"}
            )
    careful.get(f"/t/{SECRET}\x00/")

    written = file.read_text()

    assert written.count("\n") > 100
    assert SECRET not in written


def test_every_secret_part_of_an_address_is_masked() -> None:
    paths = list(secret_paths())

    assert len(paths) > 10
    assert [path for path in paths if SECRET in masked(f"Not Found: {path}")] == []
    assert masked("postgres://kula:word@db/kula") == "postgres://kula:…@db/kula"
    assert masked("Not Found: /tournaments/7/table/") == "Not Found: /tournaments/7/table/"


def secret_paths() -> Iterator[str]:
    """Yield every address that has text in it, with a secret for the text."""
    for name, entry in addresses().items():
        text = texts(entry)
        if text - HARMLESS:
            others = dict.fromkeys(entry.pattern.converters.keys() - text, 1)
            yield reverse(name, kwargs={**others, **dict.fromkeys(text, SECRET)})


def texts(entry: URLPattern) -> set[str]:
    return {
        key
        for key, converter in entry.pattern.converters.items()
        if "Int" not in type(converter).__name__
    }


def test_only_slow_answers_are_noted(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([0.0, 0.9, 10.0, 12.34])
    monkeypatch.setattr(middleware, "perf_counter", lambda: next(clock))

    def view(request: HttpRequest) -> HttpResponse:
        return HttpResponse()

    for _ in range(2):
        note_slow(view)(RequestFactory().get(f"/t/{SECRET}/"))

    (entry,) = read_log(file.read_text().splitlines())
    assert entry.text == "127.0.0.1 GET Slow: /t/…/ took 2.3 s (200)"


def test_a_log_that_cannot_be_written_stops_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    handler = LogFile(str(tmp_path / "file" / "kula.log"))

    handler.handle(logging.makeLogRecord({"msg": "lost"}))
    handler.close()

    assert capsys.readouterr().err == ""


_WRITE = """
import sys, logging
from tracker.common.server_log import LogFile
handler = LogFile(sys.argv[1])
handler.maxBytes, handler.backupCount = 20_000, 500
for number in range(400):
    handler.handle(logging.makeLogRecord({"msg": f"{sys.argv[2]}-{number} " + "x" * 80}))
"""


def test_several_processes_rotate_one_file_and_lose_no_line(tmp_path: Path) -> None:
    """With the standard library's own file, a process goes on writing to what another rotated."""
    command = [sys.executable, "-c", _WRITE, str(tmp_path / "kula.log")]
    writers = [
        subprocess.Popen([*command, str(writer)], cwd=ROOT, env=beside(tmp_path))
        for writer in range(4)
    ]
    assert {writer.wait(120) for writer in writers} == {0}

    files = list(tmp_path.glob("kula.log*"))
    lines = [line for path in files for line in path.read_text().splitlines()]

    assert len(files) > 5
    assert {line.split()[0] for line in lines} == {
        f"{writer}-{number}" for writer in range(4) for number in range(400)
    }
    assert len(lines) == 1600


@pytest.mark.django_db
def test_the_sites_own_log_is_set_up_so(settings: Settings) -> None:
    entry = f"/t/{uuid4()}/"

    Client().get(entry)

    assert settings.LOG_FILE == settings.DATA_DIR / "kula.log"
    assert "404 Not Found: /t/…/" in settings.LOG_FILE.read_text()
    assert entry not in settings.LOG_FILE.read_text()
