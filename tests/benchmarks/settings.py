"""The site's own settings, with the yardstick beside its addresses.

SHARED_PAGES in the environment says how many pages are kept for everybody: none where what is
timed is the drawing of a page.
"""

import os

from tracker.config.settings import *  # noqa: F403
from tracker.config.settings import SHARED_PAGES as _SITES

ROOT_URLCONF = "tests.benchmarks.urls"
SHARED_PAGES = int(os.environ.get("SHARED_PAGES", _SITES))
