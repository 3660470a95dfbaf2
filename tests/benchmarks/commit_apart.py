"""Do what is asked on standard input with the code of this folder, and print the processor time.

``commits.py`` runs it in a process of its own, where that code may be another commit's: it keeps
to what every version of ``tests.make`` has.
"""

import sys
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice, repeat
from time import process_time
from uuid import uuid4

import django

django.setup()

from django.conf import settings  # noqa: E402
from django.test import Client  # noqa: E402
from django.test.utils import get_runner, setup_test_environment  # noqa: E402

from tests import make  # noqa: E402
from tracker.models import Sitting, Tournament  # noqa: E402

PEOPLE = ("Asha", "Neema", "Juma", "Baraka")
SHEET = {"eaten_0": "70", "eaten_1": "50"}


def report(sitting: Sitting, number: int) -> None:
    """Post the sheet of that hand from a phone of its own, which must be taken."""
    Client().post(sitting.get_absolute_url(), {**SHEET, "entry": uuid4(), "number": number})
    sitting.refresh_from_db()
    assert sitting.last_number == number, "the report was not taken"


def reporting() -> Iterator[Callable[[], object]]:
    while True:
        sitting = make.sitting(*PEOPLE, at=make.tournament(hands=20))
        for number in range(1, 21):
            yield partial(report, sitting, number)


def looking(path: str) -> Iterator[Callable[[], object]]:
    phone = Client()
    assert phone.get(path).status_code == 200, path
    return repeat(partial(phone.get, path))


def standing() -> Tournament:
    """Return a tournament of ten tables with some hands at each."""
    tournament = make.tournament(hands=20)
    for table in range(10):
        sitting = make.sitting(*(f"{name} {table}" for name in PEOPLE), at=tournament)
        for number in range(1, 4):
            report(sitting, number)
    return tournament


def table(hands: int, *, game: str) -> Sitting:
    sitting = make.sitting(*PEOPLE, at=make.tournament(game, hands=20))
    for number in range(1, hands + 1):
        report(sitting, number)
    return sitting


def main() -> None:
    acts: dict[str, Callable[[], Iterator[Callable[[], object]]]] = {
        "report": reporting,
        "standing": lambda: looking(standing().get_absolute_url()),
        "albastini": lambda: looking(table(14, game="albastini").get_absolute_url()),
        "mambassa": lambda: looking(table(0, game="mambassa").get_absolute_url()),
    }
    begun = {name: begin() for name, begin in acts.items()}
    for line in sys.stdin:
        name, times = line.split()
        took = 0.0
        for act in islice(begun[name], int(times)):
            before = process_time()
            act()
            took += process_time() - before
        print(took / int(times), flush=True)


setup_test_environment()
get_runner(settings)(verbosity=0, interactive=False).setup_databases()
main()
