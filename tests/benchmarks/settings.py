"""The site's own settings, with the yardstick beside its addresses."""

from tracker.config.settings import *  # noqa: F403

ROOT_URLCONF = "tests.benchmarks.urls"
