"""Make the demo in the database of a served site, and find a page of every kind of it.

Run in a process of its own, as the browser's event loop and the ORM do not go together:
``python -m tests.browser.toured`` prints where the pages are.
"""

import json
import sys
from pathlib import Path

import django

from tests.browser.laid import run

NIGHTS = 3


def make(data: Path) -> dict[str, str]:
    """Make the demo in the site whose data are there; return a path for every kind of page."""
    pages: dict[str, str] = run("tests.browser.toured", data)
    return pages


def main() -> None:
    django.setup()
    # Models can be imported only now.
    from django.conf import settings
    from django.test import Client
    from django.utils import timezone

    from tests.walking import tournaments_of_every_kind, walk
    from tracker.management.demo.evening import OWNER
    from tracker.management.demo.history import make_demo
    from tracker.models import User

    make_demo(seed=7, today=timezone.now(), step=lambda: None, nights=NIGHTS)
    settings.ALLOWED_HOSTS.append("testserver")
    reader = Client()
    reader.force_login(User.objects.get(username=OWNER))
    pages: dict[str, str] = {}
    for seen in walk(reader, alike=1, sorted_alike=0, also=tournaments_of_every_kind()):
        if seen.answer == "200" and seen.with_all:  # a page, and no file to take away
            pages.setdefault(seen.kind, seen.path)
    json.dump(pages, sys.stdout)


if __name__ == "__main__":
    main()
