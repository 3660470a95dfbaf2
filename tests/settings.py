"""The site's own settings, with what a test needs otherwise. ``DATABASE_URL`` chooses PostgreSQL."""

import os
import tempfile
from pathlib import Path

# A suite never touches the club's own data.
os.environ.setdefault("KULA_DATA", tempfile.mkdtemp(prefix="kula-tests-"))
# Every site that a test opens has the typeface from here, and need not cut it.
os.environ.setdefault("KULA_FONTS", str(Path(__file__).parents[1] / ".artifacts/fonts"))

from tracker.config.settings import *  # noqa: F403
from tracker.config.settings import DATABASE_URL, DATABASES, STATIC_ROOT, STORAGES

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STORAGES = {
    **STORAGES,
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
# WhiteNoise warns of a folder that is not there, and warnings are errors.
STATIC_ROOT.mkdir(parents=True, exist_ok=True)
if not DATABASE_URL:
    # A file and not memory: threads and processes of a drill meet in it.
    DATABASES["default"]["TEST"] = {"NAME": os.environ["KULA_DATA"] + "/test.sqlite3"}
# A test makes its rows as it likes, and not by services that say what has moved.
SHARED_PAGES = 0
