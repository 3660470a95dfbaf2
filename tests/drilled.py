"""How much the tests try: enough on every run, and the whole with ``KULA_DRILLS=full``."""

import os
from collections.abc import Mapping

from hypothesis import settings

FULL = os.environ.get("KULA_DRILLS") == "full"


def examples(usual: int, *, full: int) -> settings:
    """Return the setting of a test whose every example takes long."""
    return settings(max_examples=full if FULL else usual)


def as_usual(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the environment of a run that repeats elsewhere what this one tries in full."""
    return {name: value for name, value in environment.items() if name != "KULA_DRILLS"}
