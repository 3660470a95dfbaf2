"""Make a club with tables to report from, in a database of its own; print their tokens.

Run as a process of its own, so that a benchmark and the site it measures share nothing
but the database: ``python -m tests.benchmarks.prepare 64``. Without a number the database
stays empty. With ``session`` the club of such a database gets an organiser, and the session in
which they are signed in is printed. With ``tour`` an empty database gets the tour of the tests; its
pages, its owner's session and a table to report from are printed.
"""

import json
import sys
from typing import Any

import django


def main(tables: int | None) -> None:
    django.setup()
    from django.core.management import call_command
    from django.db import transaction

    from tests import make

    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    if tables is None:
        print("[]")
        return
    with transaction.atomic():
        # A round of so many hands takes them at any pace; one without a length does not.
        tournament = make.tournament("albastini", "4t2", hands=999)
        tokens = [make.sitting(at=tournament).token for _ in range(tables)]
    print(json.dumps(tokens))


def session() -> None:
    django.setup()
    from tests import make
    from tracker.models import Club, Role

    print(_session_of(make.user("organiser", role=Role.ORGANISER, club=Club.objects.get())))


def tour() -> None:
    django.setup()
    from tests import make, tour, tour_pages
    from tracker.models import Role

    laid = tour.lay()
    token = make.sitting(at=make.tournament("albastini", "4t2", hands=999, club=laid.club)).token
    paths = list(tour_pages.pages(laid).values())
    print(
        json.dumps(
            {"paths": paths, "session": _session_of(laid.member(Role.OWNER)), "token": token}
        )
    )


def _session_of(user: Any) -> str:
    from django.conf import settings
    from django.test import Client

    browser = Client()
    browser.force_login(user)
    return browser.cookies[settings.SESSION_COOKIE_NAME].value


if __name__ == "__main__":
    if sys.argv[1:] in (["session"], ["tour"]):
        {"session": session, "tour": tour}[sys.argv[1]]()
    else:
        main(int(sys.argv[1]) if sys.argv[1:] else None)
