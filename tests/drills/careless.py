"""Settings by which SQLite never waits for the disk: a drill of power cuts must see what is lost."""

from tracker.config.settings import *  # noqa: F403
from tracker.config.settings import DATABASES

DATABASES["default"]["OPTIONS"]["init_command"] += "; PRAGMA synchronous=OFF"
