"""The processes of a site, as the machine lists them."""

import os
import signal
import subprocess

from tests.serving import PATIENCE, Site


def children(parent: int) -> list[int]:
    """Return the processes that *parent* started."""
    listed = subprocess.run(
        ["ps", "-A", "-o", "pid=,ppid="], capture_output=True, text=True, check=True
    ).stdout
    pairs = [[int(number) for number in line.split()] for line in listed.splitlines()]
    return [pid for pid, ppid in pairs if ppid == parent]


def cut_the_power(site: Site) -> None:
    """Kill a site and everything it started, as when the laptop's battery runs out."""
    for pid in (site.process.pid, *children(site.process.pid)):
        os.kill(pid, signal.SIGKILL)
    site.process.wait(PATIENCE)
