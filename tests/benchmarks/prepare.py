"""Make a club with tables to report from, in a database of its own; print their tokens.

Run as a process of its own, so that a benchmark and the site it measures share nothing
but the database: ``python -m tests.benchmarks.prepare 64``. Without a number the database
stays empty. With ``session`` the club of such a database gets an organiser, and the session in
which they are signed in is printed.
"""

import json
import sys

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
    from django.conf import settings
    from django.test import Client

    from tests import make
    from tracker.models import Club, Role

    organiser = make.user("organiser", role=Role.ORGANISER, club=Club.objects.get())
    browser = Client()
    browser.force_login(organiser)
    print(browser.cookies[settings.SESSION_COOKIE_NAME].value)


if __name__ == "__main__":
    if sys.argv[1:] == ["session"]:
        session()
    else:
        main(int(sys.argv[1]) if sys.argv[1:] else None)
