"""The processes of a site, as the machine lists them."""

import os
import signal

from tests.postgresql import children
from tests.serving import PATIENCE, Site


def cut_the_power(site: Site) -> None:
    """Kill a site and everything it started, as when the laptop's battery runs out."""
    for pid in (site.process.pid, *children(site.process.pid)):
        os.kill(pid, signal.SIGKILL)
    site.process.wait(PATIENCE)
