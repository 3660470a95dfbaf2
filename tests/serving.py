"""The real site behind its real server, in processes of its own."""

import fcntl
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

from tests.postgresql import free_port

ROOT = Path(__file__).parents[1]
PATIENCE = 240  # seconds; a busy machine is no finding
# Where a run of the tests keeps what a first start makes, which takes seconds each time.
FIRST_MADE = "KULA_FIRST_MADE"
_MAKE = """
import django
django.setup()
from tracker.config import static_files
from tracker.management.server import startup
startup.migrate_database()
assert static_files.prepare() is None
"""


@dataclass
class Site:
    """A running ``manage.py serve``."""

    process: subprocess.Popen[str]
    port: int
    data: Path
    said: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        with self.process.stdout as lines:
            self.said.extend(lines)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def owner_link(self) -> str:
        """Return the path of the one-time link it printed."""
        link = re.search(r"(/first/\S+)", "".join(self.said))
        assert link, "".join(self.said)
        return link.group(1)

    def wait_until_said(self, words: str, seconds: float = PATIENCE) -> None:
        """Wait until the site has printed these words."""
        pause = threading.Event()
        for _ in range(int(seconds / 0.05)):
            if words in "".join(self.said):
                return
            if self.process.poll() is not None:
                break
            pause.wait(0.05)
        raise AssertionError(f"never said {words!r}:\n{''.join(self.said)}")

    def close(self) -> int:
        """Press Ctrl-C and return what the process exits with."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        try:
            return self.process.wait(PATIENCE)
        finally:
            self.process.kill()
            self._reader.join(10)


def beside(data: Path, **more: str) -> dict[str, str]:
    """Return the environment of a process that works on the site whose data are there."""
    named = {"DJANGO_SETTINGS_MODULE": "tracker.config.settings", "KULA_DATA": str(data)}
    if gathered := sorted(data.glob("static/*/files")):
        named["KULA_GATHERED"] = str(gathered[-1])
    return {**os.environ, **named, **more}


def run_python(
    *command: str, env: Mapping[str, str], given: str = ""
) -> subprocess.CompletedProcess[str]:
    """Run Python in the folder of the code, to its end, and return what it said."""
    return subprocess.run(
        [sys.executable, *command],
        cwd=ROOT,
        env=env,
        input=given,
        capture_output=True,
        text=True,
        check=False,
    )


def printed(data: Path, *arguments: str, **environment: str) -> str:
    """Run Python beside the site whose data are there, and return what it prints."""
    done = run_python(*arguments, env=beside(data, **environment))
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def wait_until(is_so: Callable[..., object], what: str = "", within: float = PATIENCE) -> None:
    """Wait for a condition.

    :raises TimeoutError: if it does not come within so many seconds.
    """
    pause, until = threading.Event(), time.monotonic() + within
    while not is_so():
        if time.monotonic() > until:
            message = f"waited {within:.0f} s in vain {what}"
            raise TimeoutError(message)
        pause.wait(0.02)


def furnish(data: Path, *names: str) -> None:
    """Put into an empty folder what a first start makes there, which is made once for a whole run.

    *names* are of ``static`` and ``kula.sqlite3``, a database without a row.
    """
    kept = os.environ.get(FIRST_MADE)
    if not kept or (data.exists() and any(data.iterdir())):
        return
    made = Path(kept) / "made"
    with (Path(kept) / "lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not made.exists():
            new = Path(kept) / "new"
            command = [sys.executable, "-c", _MAKE]
            subprocess.run(command, cwd=ROOT, env=beside(new, DATABASE_URL=""), check=True)
            new.rename(made)
    data.mkdir(mode=0o700, parents=True, exist_ok=True)
    for name in names:
        if (made / name).is_dir():
            shutil.copytree(made / name, data / name)
        else:
            shutil.copy(made / name, data)


def copy_code(to: Path) -> Path:
    """Copy the code without what git ignores, and return the new folder."""
    ignored = (ROOT / ".gitignore").read_text(encoding="utf-8").split()
    patterns = (pattern.strip("/") for pattern in ignored)
    shutil.copytree(ROOT, to, ignore=shutil.ignore_patterns(".git", *patterns))
    return to


def start(
    data: Path,
    *arguments: str,
    environment: Mapping[str, str] | None = None,
    port: int | None = None,
    code: Path = ROOT,
    python: Path | str = sys.executable,
    anew: bool = False,
) -> Site:
    """Start ``manage.py serve`` on a free port, or this one, with its data in that folder.

    In an empty folder it finds what a first start makes, unless it has to make all of it *anew*.
    """
    if code == ROOT and not anew:
        elsewhere = {**os.environ, **(environment or {})}.get("DATABASE_URL")
        furnish(data, "static", *([] if elsewhere else ["kula.sqlite3"]))
    port = port or free_port()
    command = [
        str(python), "-u", "manage.py", "serve", "--no-browser", "--host", "127.0.0.1",
        "--port", str(port), *arguments,
    ]  # fmt: skip
    process = subprocess.Popen(
        command,
        cwd=code,
        env=beside(data, PYTHONIOENCODING="utf-8", KULA_HOSTS="kula.test", **(environment or {})),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    return Site(process, port, data)


@contextmanager
def serving(
    data: Path,
    *arguments: str,
    environment: Mapping[str, str] | None = None,
    within: float = PATIENCE,
    anew: bool = False,
) -> Iterator[Site]:
    """Run the site until it answers, which is *within* so many seconds, and close it afterwards."""
    site = start(data, *arguments, environment=environment, anew=anew)
    try:
        wait_until_it_answers(site, within)
        yield site
    finally:
        site.close()


def wait_until_it_answers(site: Site, within: float) -> None:
    """Wait until a page comes, for so many seconds."""
    pause = threading.Event()
    for _ in range(int(within / 0.05)):
        if site.process.poll() is not None:
            break
        try:
            with urlopen(f"{site.url}/sign-in/", timeout=5):
                return
        except (URLError, ConnectionError, TimeoutError):
            pause.wait(0.05)
    raise AssertionError(f"the site never answered:\n{''.join(site.said)}")
