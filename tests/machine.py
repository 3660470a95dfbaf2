"""What the tests need of the machine: a browser and a PostgreSQL, installed when missing.

Debian's packages when we are root, Playwright's own browser otherwise. Whatever
is installed is said.
"""

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.drilled import FULL

_SAID = "Kula's tests install what they miss: "
_LOOKED = "KULA_MACHINE_LOOKED_AT"
# A browser that has no windows to draw opens a page for a third of the work.
_WINDOWLESS = "chromium-headless-shell"
_CHROMIUMS = (_WINDOWLESS, "chromium", "chromium-browser")
_PATRONI = Path(__file__).parent / "drills/requirements.txt"
_SCHEMATHESIS = Path(__file__).parent / "drills/schema/requirements.txt"


def chromium() -> str | None:
    """Return the path of Chromium; ``None`` means Playwright's own, which is then installed."""
    path = next(filter(None, map(shutil.which, _CHROMIUMS)), None)
    if path:
        return path
    if _can_apt():
        _apt("chromium")
        return shutil.which("chromium")
    print(_SAID + "Playwright's Chromium", file=sys.stderr)
    subprocess.run(
        [sys.executable, "-m", "playwright", "install", "--only-shell", "chromium"], check=True
    )
    return None


def postgresql() -> Path:
    """Return the folder of ``initdb`` and ``postgres``."""
    folder = _postgresql()
    if folder is None and _can_apt():
        # Debian would start a cluster of its own; the tests make their private one.
        _apt("postgresql")
        folder = _postgresql()
    if folder is None:
        message = "No PostgreSQL here: install it (Debian: apt-get install postgresql)."
        raise RuntimeError(message)
    return folder


def msgfmt() -> str:
    """Return the path of gettext's compiler of translations."""
    return _program("msgfmt", "gettext")


def whole_chromium() -> str | None:
    """Return the path of a Chromium that can install a site, as the one without windows cannot.

    ``None`` means Playwright's own.
    """
    path = next(filter(None, map(shutil.which, _CHROMIUMS[1:])), None)
    if path is None and _can_apt():
        return _program("chromium", "chromium")
    if path is None:
        print(_SAID + "Playwright's Chromium", file=sys.stderr)
        install = [sys.executable, "-m", "playwright", "install", "--no-shell", "chromium"]
        subprocess.run(install, check=True)
    return path


def certutil() -> str:
    """Return the path of what writes the list of authorities that Chromium believes."""
    return _program("certutil", "libnss3-tools")


def openssl() -> str:
    """Return the path of OpenSSL."""
    return _program("openssl", "openssl")


def etcd() -> str:
    """Return the path of etcd."""
    return _program("etcd", "etcd-server")


def haproxy() -> str:
    """Return the path of HAProxy."""
    return _program("haproxy", "haproxy")


def patroni() -> list[str]:
    """Return the command of Patroni, which lies in a folder of its own that everybody may read."""
    # Root's Python may lie where nobody else can read; Patroni is not run by root.
    python = _program("/usr/bin/python3", "python3") if _is_root() else sys.executable
    return ["env", f"PYTHONPATH={_installed('patroni', _PATRONI, python)}", python, "-m", "patroni"]


def schemathesis() -> list[str]:
    """Return the command of Schemathesis, which sees no packages but its own."""
    folder = _installed("schemathesis", _SCHEMATHESIS, sys.executable)
    return ["env", f"PYTHONPATH={folder}", sys.executable, "-S", "-m", "schemathesis.cli"]


def _installed(name: str, pins: Path, python: str) -> Path:
    """Return a folder with what *pins* lists, installed for this *python* if it is not there yet."""
    above = Path("/var/cache") if _is_root() else Path.home() / ".cache"
    digest = hashlib.sha256(pins.read_bytes() + sys.version.encode()).hexdigest()[:12]
    folder = above / "kula-tests" / f"{name}-{digest}"
    if not folder.exists():
        print(_SAID + f"{name}, in {folder}", file=sys.stderr, flush=True)
        pip = [sys.executable, "-m", "pip", "--python", python, "install", "-qq"]
        half = folder.with_name(f"{folder.name}.{os.getpid()}")
        subprocess.run([*pip, "-r", pins, "--target", half], check=True)
        try:
            half.rename(folder)
        except OSError:  # another process was faster
            shutil.rmtree(half)
    return folder


def filesystems() -> None:
    """See that a drill can make file systems in files and mount them.

    :raises RuntimeError: if it cannot, with what would help.
    """
    for command, package in (("mkfs.ext4", "e2fsprogs"), ("mkfs.xfs", "xfsprogs")):
        if shutil.which(command) is None and _can_apt():
            _apt(package)
        if shutil.which(command) is None:
            raise RuntimeError(
                f"No {command} here: install it (Debian: apt-get install {package})."
            )
    if os.geteuid() != 0 or not Path("/dev/loop-control").exists():
        raise RuntimeError(
            "Drills of disks mount file systems from files: run them as root on Linux with loop "
            "devices (in a container: docker run --privileged -v /dev:/dev)."
        )


def install_what_is_missing() -> None:
    """Look for every tool at once, before a test needs it in the middle of a run.

    Once for a run and all the processes it starts.
    """
    if _LOOKED in os.environ:
        return
    if shutil.which(_WINDOWLESS) is None and _can_apt():
        _try_windowless()
    chromium()
    postgresql()
    msgfmt()
    if _can_apt():  # elsewhere the one suite that needs them says what to install
        for needed in (whole_chromium, certutil, openssl, haproxy):
            needed()
    if FULL:  # else only the suites that need them install them
        schemathesis()
        patroni()
    os.environ[_LOOKED] = "yes"


def _try_windowless() -> None:
    """Install the browser without windows; where there is none, or no network, another will do."""
    try:
        _apt(_WINDOWLESS)
    except subprocess.CalledProcessError:
        print("It could not be installed: the tests are slower without it.", file=sys.stderr)


def _postgresql() -> Path | None:
    versions = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if versions:
        return versions[-1].parent
    path = shutil.which("initdb")
    return Path(path).resolve().parent if path else None


def _program(name: str, package: str) -> str:
    if shutil.which(name) is None and _can_apt():
        _apt(package)
    path = shutil.which(name)
    if path is None:
        message = f"No {name} here: install it (Debian: apt-get install {package})."
        raise RuntimeError(message)
    return path


def _is_root() -> bool:
    return os.name == "posix" and os.geteuid() == 0


def _can_apt() -> bool:
    return _is_root() and shutil.which("apt-get") is not None


def _apt(package: str) -> None:
    print(_SAID + package, file=sys.stderr, flush=True)
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    patience = ["-o", "Acquire::http::Timeout=20", "-o", "Acquire::Retries=1"]
    patience += ["-o", "DPkg::Lock::Timeout=600"]  # seconds, if another apt-get is at work
    for command in (["update"], ["install", "-y", package]):
        subprocess.run(
            ["apt-get", *patience, *command],
            check=True,
            env=quiet,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.STDOUT,
        )
