"""``manage.py serve`` as a person starts it: what it prints, what stops it, how it ends."""

import http.client
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.drills import hall
from tests.drills.phones import Phone
from tests.drills.processes import children, descendants, is_alive, kill, workers
from tests.postgresql import free_port
from tests.serving import PATIENCE, ROOT, beside, serving, start, wait_until


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Open a site in an empty folder and close it, and return the folder as that leaves it."""
    data = tmp_path_factory.mktemp("opened")
    with serving(data, environment={"DATABASE_URL": ""}) as site:
        assert site.close() == 0
    return data


@pytest.fixture
def data(opened: Path, tmp_path: Path) -> Path:
    """Return a folder of its own in which a site was open before, and which opens sooner."""
    return Path(shutil.copytree(opened, tmp_path / "data"))


def manage(data: Path, *command: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "manage.py", *command],
        cwd=ROOT,
        env=beside(data, **environment),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


def refused(data: Path, *arguments: str, **environment: str) -> str:
    """Start a site that cannot be served and return the sentence it ends with."""
    serve = ("serve", "--no-browser", "--host", "127.0.0.1", *arguments)
    done = manage(data, *serve, **environment)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    return done.stderr.strip()


def asked(port: int, path: str, *, phone: str = "127.0.0.1", **headers: str) -> tuple[int, str]:
    """Ask for a page from an address, and return its status and its text."""
    link = http.client.HTTPConnection("127.0.0.1", port, source_address=(phone, 0))
    link.request("GET", path, headers=headers)
    answer = link.getresponse()
    text = answer.read().decode()
    link.close()
    return answer.status, text


def test_ctrl_c_ends_it_cleanly(data: Path) -> None:
    with serving(data, environment={"DATABASE_URL": ""}) as site:
        site.wait_until_said("Kula is open.")

        ended = site.close()

        assert ended == 0
        assert "Traceback" not in "".join(site.said)
        assert f"Closed. The data is safe in {data}" in "".join(site.said)


def test_it_ends_with_all_that_it_started_if_it_can_print_no_more(data: Path) -> None:
    """Where its output was closed, it cannot say that it starts the server process again."""
    command = ["manage.py", "serve", "--no-browser", "--host", "127.0.0.1"]
    with subprocess.Popen(
        [sys.executable, "-u", *command, "--port", str(free_port())],
        cwd=ROOT,
        env=beside(data),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as site:
        assert site.stdout is not None
        assert any("Ctrl-C closes it" in line for line in site.stdout)
        site.stdout.close()
        wait_until(lambda: any(map(children, children(site.pid))), "for the server's workers")
        started = descendants(site.pid)
        try:
            kill(*(pid for pid in children(site.pid) if children(pid)))

            assert site.wait(PATIENCE) == 1
            wait_until(lambda: not any(map(is_alive, started)), "for all of its processes")
        finally:
            kill(site.pid, *started)


def test_first_start_prints_a_link_that_works_until_there_is_an_owner(tmp_path: Path) -> None:
    with serving(tmp_path, environment={"DATABASE_URL": ""}, anew=True) as site:
        site.wait_until_said("/first/")

        _, page = asked(site.port, site.owner_link())

    assert 'name="password' in page, ("".join(site.said), page)


def test_files_are_served_with_a_hash_in_their_names(data: Path) -> None:
    with serving(data, environment={"DATABASE_URL": ""}) as site:
        with urlopen(f"{site.url}/sign-in/") as page:
            text = page.read().decode()
        start_of_path = text.index("/static/tracker/kula.")
        path = text[start_of_path : text.index('"', start_of_path)]

        with urlopen(site.url + path) as file:
            caching = file.headers["Cache-Control"]

    assert "immutable" in caching


def test_nothing_that_lists_the_files_is_served(data: Path) -> None:
    lists = [file.name for file in data.glob("static/*/**/*.json")]
    paths = [f"/static/{'../' * up}{name}" for name in lists for up in (0, 1, 2)]
    assert len(paths) == 6

    with serving(data, environment={"DATABASE_URL": ""}) as site:
        answered = {path: asked(site.port, path)[0] for path in paths}

    assert answered == dict.fromkeys(paths, 404)


def test_files_that_a_cut_left_empty_are_made_anew_and_said(data: Path) -> None:
    [manifest] = data.glob("static/*/staticfiles.json")
    for empty in (data / "secret", manifest):
        empty.write_bytes(b"")

    with serving(data, environment={"DATABASE_URL": ""}) as site:
        site.wait_until_said("everybody signs in again")
        with urlopen(f"{site.url}/sign-in/") as page:
            assert "/static/tracker/kula." in page.read().decode()

    assert len((data / "secret").read_bytes()) >= 50
    assert manifest.stat().st_size > 1000


def test_it_says_when_phones_reach_it(data: Path) -> None:
    with serving(data, environment={"DATABASE_URL": ""}) as site:
        for phone in ("127.0.0.2", "127.0.0.3"):
            asked(site.port, "/sign-in/", phone=phone)

        site.wait_until_said("2 phones have reached this site.")


def test_phones_are_answered_at_the_address_that_it_prints(data: Path) -> None:
    everywhere = ("--host", "0.0.0.0")
    with serving(data, *everywhere, environment={"DATABASE_URL": ""}) as site:
        site.wait_until_said("Ctrl-C closes it.")
        printed = re.search(r"On phones +http://(\S+)/", "".join(site.said))
        assert printed

        status, _ = asked(site.port, "/card/", Host=printed[1])

    assert status == 200


def test_port_in_use_is_said(data: Path, tmp_path: Path) -> None:
    with serving(data, environment={"DATABASE_URL": ""}) as site:
        sentence = refused(tmp_path / "two", "--port", str(site.port))

    assert f"Port {site.port} cannot be used" in sentence
    assert f"serve --port {site.port + 1}" in sentence


def test_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")  # a file where the folder should be stops root as well

    sentence = refused(tmp_path / "file" / "data", "--port", str(free_port()))

    assert "cannot be written" in sentence
    assert "KULA_DATA" in sentence


def test_folder_on_a_read_only_disk_is_said(tmp_path: Path) -> None:
    if os.geteuid() == 0:
        subprocess.run(["mount", "-t", "tmpfs", "-o", "ro,size=64k", "tmpfs", tmp_path], check=True)
    else:
        tmp_path.chmod(0o500)

    try:
        sentence = refused(tmp_path, "--port", str(free_port()))
    finally:
        if os.geteuid() == 0:
            subprocess.run(["umount", tmp_path], check=True)

    assert "cannot be written" in sentence


def test_database_of_a_newer_version_is_said(data: Path) -> None:
    with serving(data, environment={"DATABASE_URL": ""}) as site:
        assert site.close() == 0
    code = (
        "import django; django.setup();"
        "from django.db import connection;"
        "from django.db.migrations.recorder import MigrationRecorder as M;"
        "M(connection).record_applied('tracker', '9999_of_tomorrow')"
    )
    subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env=beside(data, DATABASE_URL=""),
        check=True,
    )

    sentence = refused(data, "--port", str(free_port()), DATABASE_URL="")

    assert "newer version" in sentence
    assert "9999_of_tomorrow" in sentence


DAMAGED: dict[str, Callable[[bytes], bytes]] = {
    "a head of zeros": lambda whole: bytes(4096) + whole[4096:],
    "a half": lambda whole: whole[: len(whole) // 8192 * 4096],
    "zeros within": lambda whole: (
        whole[:4096] + bytes(len(whole) // 2) + whole[4096 + len(whole) // 2 :]
    ),
    "nothing": lambda _whole: b"",
}


def test_a_damaged_database_is_said_with_the_command_that_restores_it(data: Path) -> None:
    given = {"DATABASE_URL": "", "KULA_DATA": str(data)}
    database = data / "kula.sqlite3"
    assert manage(data, "backup", **given).returncode == 0
    (older,) = (data / "copies").glob("kula-*.zip")
    assert manage(data, "backup", **given).returncode == 0
    (newest,) = {*(data / "copies").glob("kula-*.zip")} - {older}
    whole = database.read_bytes()

    for how, damage in DAMAGED.items():
        database.write_bytes(damage(whole))

        sentence = refused(data, "--port", str(free_port()), **given)

        assert f"The database {database} is damaged: " in sentence, how
        assert f"The newest copy is {newest}." in sentence, how
    counted = manage(data, "recount", **given)
    assert (counted.returncode, counted.stderr.strip()) == (
        1,
        sentence.removeprefix("CommandError: "),
    )
    restored = subprocess.run(
        sentence.splitlines()[-1],
        shell=True,
        cwd=ROOT,
        env=beside(data, DATABASE_URL=""),
        input="yes\n",
        capture_output=True,
        text=True,
        check=False,
    )
    assert (restored.returncode, restored.stderr) == (0, "")
    assert "Restored. Start Kula again." in restored.stdout
    assert manage(data, "recount", **given).returncode == 0


def test_database_that_does_not_answer_is_said(tmp_path: Path) -> None:
    nobody = f"postgres://kula@127.0.0.1:{free_port()}/kula?connect_timeout=2"

    sentence = refused(tmp_path, "--port", str(free_port()), DATABASE_URL=nobody)

    assert "The database cannot be reached" in sentence


def test_two_sites_can_stand_beside_each_other(data: Path, tmp_path: Path) -> None:
    first = start(data, environment={"DATABASE_URL": ""})
    second = start(tmp_path / "two", environment={"DATABASE_URL": ""})

    for site in (first, second):
        site.wait_until_said("Ctrl-C closes it.")

    assert [first.close(), second.close()] == [0, 0]


# As on Windows: processes cannot be forked, and start from nothing.
_WITHOUT_FORK = """
import multiprocessing.context as context, os
del os.fork, os.register_at_fork, context._concrete_contexts["fork"]
del context._concrete_contexts["forkserver"]
context._default_context._default_context = context._concrete_contexts["spawn"]
"""


def test_it_serves_where_no_process_can_be_forked(data: Path, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(_WITHOUT_FORK)
    environment = {"DATABASE_URL": "", "PYTHONPATH": str(tmp_path)}

    with serving(data, "--workers", "2", environment=environment) as site:
        [token] = hall.seat(data, 1)
        phone = Phone(site.port, token).open_page()
        answers = [phone.report(number, (70, 50)) for number in (1, 2)]
        command = Path(f"/proc/{workers(site)[0]}/cmdline").read_bytes()

        assert [(answer.status, answer.verdict) for answer in answers] == [(303, "accepted")] * 2
        assert b"spawn_main" in command
        assert site.close() == 0


def test_ctrl_c_while_it_opens_ends_it_as_cleanly(tmp_path: Path) -> None:
    site = start(tmp_path, environment={"DATABASE_URL": ""})
    site.wait_until_said("Kula is open.")

    assert site.close() == 0

    said = "".join(site.said)
    assert "Traceback" not in said
    assert "Closed." in said
