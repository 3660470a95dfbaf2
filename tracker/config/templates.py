"""Template loaders that leave out indentation: it is for writers, and a tenth of what phones fetch."""

import re
from typing import Any

from django.template.loaders import app_directories, filesystem

_INDENTED = re.compile(r"\n\s+")


class Filesystem(filesystem.Loader):
    def get_contents(self, origin: Any) -> str:
        return _INDENTED.sub("\n", super().get_contents(origin))


class AppDirectories(Filesystem, app_directories.Loader):
    """Finds templates in apps; forms' widgets are among them."""
