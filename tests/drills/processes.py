"""The processes of a site, as the machine lists them."""

import os
import signal
import subprocess
from contextlib import suppress

from tests.serving import PATIENCE, Site


def children(parent: int) -> list[int]:
    """Return the processes that *parent* started."""
    return [pid for pid, ppid in _all() if ppid == parent]


def descendants(ancestor: int) -> list[int]:
    """Return the processes that *ancestor* started, and those that they started, and so on."""
    pairs, found = _all(), [ancestor]
    for parent in found:
        found += [pid for pid, ppid in pairs if ppid == parent]
    return found[1:]


def workers(site: Site) -> list[int]:
    """Return the processes of a site that answer requests.

    They started none, but for those that do heavy work and are nice to the others.
    """
    nice = {pid for pid in descendants(site.process.pid) if _niceness(pid) > 0}
    parents = {ppid for pid, ppid in _all() if pid not in nice}
    return [pid for pid in descendants(site.process.pid) if pid not in parents | nice]


def _niceness(pid: int) -> int:
    with suppress(ProcessLookupError):
        return os.getpriority(os.PRIO_PROCESS, pid) - os.getpriority(os.PRIO_PROCESS, 0)
    return 0


def kill(*pids: int) -> None:
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def alive(pid: int) -> bool:
    """Say whether a process still runs; one that has ended and waits for its parent does not."""
    return any(found == pid for found, _ in _all())


def cut_the_power(site: Site) -> None:
    """Kill a site and everything it started, as when the laptop's battery runs out."""
    kill(site.process.pid, *descendants(site.process.pid))
    site.process.wait(PATIENCE)


def _all() -> list[tuple[int, int]]:
    """List the processes of this machine with those that started them."""
    listed = subprocess.run(
        ["ps", "-A", "-o", "pid=,ppid=,stat="], capture_output=True, text=True, check=True
    ).stdout
    rows = [line.split() for line in listed.splitlines()]
    return [(int(pid), int(ppid)) for pid, ppid, state in rows if not state.startswith("Z")]
