"""Disks made for a drill: file systems in files, which can be filled, forbidden and cut off."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from tests import machine
from tests.serving import wait_until

_numbers = count(1)


@dataclass(frozen=True, slots=True)
class Disk:
    """An ext4 file system whose device is a file on XFS, so that the device can be frozen."""

    image: Path
    path: Path

    def fill(self) -> None:
        """Write until nothing fits any more."""
        with (self.path / "film.mkv").open("ab", buffering=0) as film:
            before = -1
            # What ext4 sets aside while it writes is free again when it is written.
            while film.tell() > before:
                before = film.tell()
                with suppress(OSError):
                    while film.write(b"\1" * 1024):
                        pass
                os.fsync(film.fileno())

    def free(self) -> None:
        (self.path / "film.mkv").unlink()

    def break_off(self) -> None:
        """Have the file system take nothing in any more, as ext4 does after an error of the disk."""
        device = run("findmnt", "-no", "SOURCE", str(self.path)).strip()
        (Path("/sys/fs/ext4") / Path(device).name / "trigger_fs_error").write_text("1")

    def freeze(self) -> Path:
        """Return the device as it is at this instant, as if the power were cut.

        What ext4 has not yet written there is not in it. XFS lets no write pass while it
        clones a file.
        """
        copy = self.image.with_name(f"cut-{next(_numbers)}.img")
        run("cp", "--reflink=always", str(self.image), str(copy))
        return copy

    def freeze_whole(self) -> Path:
        """Return the device as it is when all that was written is on it."""
        run("sync", "-f", str(self.path))
        return self.freeze()


@contextmanager
def holder(megabytes: int = 2048) -> Iterator[Path]:
    """Lay out a file system whose files can be cloned at once; the disks of a drill lie on it.

    Not in a folder of pytest's, which other runs of it may clear away.
    """
    machine.filesystems()
    folder = Path(tempfile.mkdtemp(prefix="kula-disks-"))
    image = folder / "holder.img"
    _make(image, megabytes, "mkfs.xfs", "-q", "-f", "-m", "reflink=1")
    with mounted(image, folder / "holder") as place:
        yield place
    shutil.rmtree(folder)


@contextmanager
def disk(place: Path, megabytes: int = 256) -> Iterator[Disk]:
    """Make an empty disk and mount it."""
    image = place / f"disk-{next(_numbers)}.img"
    _make(image, megabytes, "mkfs.ext4", "-q", "-F", "-m", "0")
    with mounted(image, place.parent / image.stem, "errors=remount-ro") as path:
        yield Disk(image, path)
    image.unlink()


@contextmanager
def again(image: Path) -> Iterator[Disk]:
    """Mount a disk as it was frozen, to write on it."""
    with mounted(image, image.parents[1] / image.stem, "errors=remount-ro") as path:
        yield Disk(image, path)


@contextmanager
def mounted(image: Path, at: Path, *options: str) -> Iterator[Path]:
    """Mount an image; a file system that was cut off repairs itself by its journal meanwhile."""
    at.mkdir(exist_ok=True)
    run("mount", "-o", ",".join(["loop", *options]), str(image), str(at))
    try:
        yield at
    finally:
        _unmount(at)
        at.rmdir()


def run(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(command)}: {done.stderr}"
    return done.stdout


def _make(image: Path, megabytes: int, *command: str) -> None:
    with image.open("wb") as file:
        os.truncate(file.fileno(), megabytes << 20)
    run(*command, str(image))


def _unmount(at: Path) -> None:
    # Processes that were killed take a moment to let go of it.
    command = [shutil.which("umount") or "umount", str(at)]
    wait_until(lambda: subprocess.run(command, check=False).returncode == 0, f"to unmount {at}")
