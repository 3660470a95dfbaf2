"""The disk that holds the data: its free space, and whether it can be written."""

import shutil
from pathlib import Path
from time import monotonic

from django.conf import settings
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tracker.common.files import refuses_to_write

LITTLE = 200 * 1024 * 1024  # bytes: a long season, or an hour of an unlucky download
_TRIED_EVERY = 10  # seconds

_REFUSED = _(
    "Nothing can be saved: the disk of this site is full, or takes nothing in. Tables keep what "
    "they type. Make room in the folder of the data, and it goes on by itself."
)
_last_try: tuple[float, bool] | None = None


def trouble() -> str | Promise:
    """Return what an organiser should know of the disk; nothing while all is well.

    A database elsewhere has keepers of its own, and is not looked at.
    """
    global _last_try  # noqa: PLW0603 - what this process found last
    if settings.DATABASE_URL:
        return ""
    # Tried now and then: a disk that has become read-only does not say so otherwise.
    if _last_try is None or monotonic() - _last_try[0] > _TRIED_EVERY:
        _last_try = monotonic(), refuses_to_write(Path(settings.DATA_DIR)) is not None
    if _last_try[1]:
        return _REFUSED
    left = shutil.disk_usage(Path(settings.DATA_DIR)).free
    if left >= LITTLE:
        return ""
    sentence = gettext(
        "Only %(left)d MB are left on the disk of this site. When it is full, no hand can be saved."
    )
    return sentence % {"left": left // 1024**2}
