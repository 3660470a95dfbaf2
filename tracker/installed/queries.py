"""The files that pages need, under the names by which they never change."""

from django.contrib.staticfiles.storage import staticfiles_storage
from django.templatetags.static import static

# Where there are walls and bots, there is a network; icons are the installed site's own.
_NOT_AT_TABLES = ("display.css", "practice.css", ".png")


def shell_files() -> list[str]:
    """Return the addresses of what a table's page needs; none if no names were given for ever."""
    named: dict[str, str] = getattr(staticfiles_storage, "hashed_files", {})
    return [
        static(name)
        for name in sorted(named)
        if name.startswith("tracker/") and not name.endswith(_NOT_AT_TABLES)
    ]
