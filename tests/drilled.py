"""How much the tests try: enough on every run, and the whole with ``KULA_DRILLS=full``."""

import os

from hypothesis import settings

FULL = os.environ.get("KULA_DRILLS") == "full"


def examples(usual: int, *, full: int) -> settings:
    """Return the setting of a test whose every example takes long."""
    return settings(max_examples=full if FULL else usual)
