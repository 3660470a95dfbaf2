"""Print what one report and one page of standings enter, of the code that lies in this folder.

``measures.py`` runs it in a process of its own, where that code is another commit's.
"""

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import FrameType
from uuid import uuid4

import django

django.setup()

from django.conf import settings  # noqa: E402
from django.test import Client  # noqa: E402
from django.test.utils import get_runner, setup_test_environment  # noqa: E402

from tests import make  # noqa: E402

HERE = tuple(f"{Path.cwd()}/{top}/" for top in ("tracker", "games"))


def enter(name: str, do: Callable[[], object]) -> None:
    """Print how many modules and functions of the product are entered."""
    seen = set()

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(HERE):
            seen.add((frame.f_code.co_filename, frame.f_code.co_qualname))

    sys.setprofile(note)
    try:
        do()
    finally:
        sys.setprofile(None)
    print(name, len({path for path, _ in seen}), len(seen))


setup_test_environment()
get_runner(settings)(verbosity=0, interactive=False).setup_databases()
tournament = make.tournament(hands=8)
sitting = make.sitting("Asha", "Neema", "Juma", "Baraka", at=tournament)
for number in (1, 2):  # the first time files are read and caches filled
    sheet = {"entry": uuid4(), "number": number, "eaten_0": "70", "eaten_1": "50"}
    enter("report", partial(Client().post, sitting.get_absolute_url(), sheet))
    sitting.refresh_from_db()
    assert sitting.last_number == number, "the report was not taken"
    enter("standings", partial(Client().get, tournament.get_absolute_url()))
