"""The processes of a site, as the machine lists them."""

import os
import signal
from contextlib import suppress

from tests.postgresql import children, is_alive, processes
from tests.serving import PATIENCE, Site

__all__ = ["children", "cut_the_power", "descendants", "is_alive", "kill", "workers"]


def descendants(ancestor: int) -> list[int]:
    """Return the processes that *ancestor* started, and those that they started, and so on."""
    pairs, family = [(pid, ppid) for pid, ppid, _ in processes()], [ancestor]
    for parent in family:
        family += [pid for pid, ppid in pairs if ppid == parent]
    return family[1:]


def workers(site: Site) -> list[int]:
    """Return the workers of a site: what the server process started, which the site started."""
    servers = [pid for pid in children(site.process.pid) if children(pid)]
    return [worker for server in servers for worker in children(server)]


def kill(*pids: int) -> None:
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def cut_the_power(site: Site) -> None:
    """Kill a site and everything it started, as when the laptop's battery runs out."""
    kill(site.process.pid, *descendants(site.process.pid))
    site.process.wait(PATIENCE)
