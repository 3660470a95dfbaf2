"""Lay halls of four tables and of forty in a served site, before, during and after their rounds.

Run in a process of its own: ``python -m tests.browser.halls`` prints where their displays are.
"""

import json
from datetime import timedelta
from itertools import product
from typing import Any

import django

SIZES = (4, 10, 20, 40)
_GIVEN = (
    "Asha", "Juma", "Neema", "Baraka", "Mwajuma", "Salome", "Omari", "Fatuma", "Hasina", "Rajabu",
    "Chausiku", "Daudi", "Eshe", "Faraji", "Grace", "Hamisi", "Imani", "Khadija", "Lulu", "Mosi",
)  # fmt: skip
_FAMILIES = (
    "Mushi", "Kassim", "Hassan", "Josephat", "Mwinyi", "Lema", "Temba", "Rashidi",
)  # fmt: skip
PEOPLE = [f"{given} {family}" for family, given in product(_FAMILIES, _GIVEN)]


def main() -> None:
    django.setup()
    # Models can be imported only now.
    from django.urls import reverse
    from django.utils import timezone

    from tests import make
    from tracker.models import Club, RoundState
    from tracker.seating.logic import clocks

    club = make.club("Chama cha Karata")

    def address(cup: Any) -> str:
        return reverse("tournament-display", args=[cup.pk])

    def sit(cup: Any, tables: int) -> list[Any]:
        people = PEOPLE[: 4 * tables]
        return [make.sitting(*people[4 * at : 4 * at + 4], at=cup) for at in range(tables)]

    def play(cup: Any, tables: int, hands: int = 1) -> None:
        for at, sitting in enumerate(sit(cup, tables)):
            for hand in range(min(hands, 1 + at % 4)):
                make.report(sitting, {"eaten": [61 + (at + hand) % 40, 59 - (at + hand) % 40]})

    def close(cup: Any) -> None:
        cup.rounds.update(state=RoundState.CLOSED, closed_at=make.NOON)

    pages = {}
    for tables in SIZES:
        cup = make.tournament(club=club, name="Albastini of the great hall", hands=8, planned=4)
        sit(cup, tables)
        pages[f"seats {tables}"] = address(cup)
        cup = make.tournament(club=club, name="Friday Cup", hands=8, planned=4)
        play(cup, tables, hands=4)
        clock = clocks.start(25, timezone.now() - timedelta(minutes=10))
        cup.rounds.update(clock=clocks.to_json(clock))
        pages[f"playing {tables}"] = address(cup)
        cup = make.tournament(club=club, name="Friday Cup", hands=2, planned=4)
        for _ in range(2):
            play(cup, tables)
            close(cup)
        pages[f"after {tables}"] = address(cup)
    bell = make.tournament("dalmuti", club=club, name="Dalmuti", hands=2)
    make.report(make.sitting(*PEOPLE[:4], at=bell), {"order": [0, 1, 2, 3]})
    clock = clocks.start(25, timezone.now() - timedelta(minutes=27))
    bell.rounds.update(clock=clocks.to_json(clock))
    pages["bell"] = address(bell)
    won = make.tournament(club=club, name="The last cup", hands=2)
    for _ in range(3):
        play(won, 5)
        close(won)
    type(won).objects.filter(pk=won.pk).update(official_at=make.NOON)
    pages["prizes"] = address(won)
    empty = make.tournament(club=club, name="Not yet begun")
    for name in PEOPLE[:23]:
        make.entrant(make.player(name, club=club), at=empty)
    pages["welcome"] = address(empty)
    assert Club.objects.filter(pk=club.pk).exists()
    print(json.dumps(pages))


if __name__ == "__main__":
    main()
