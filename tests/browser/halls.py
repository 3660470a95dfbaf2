"""Lay halls of four tables and of forty in a served site, before, during and after their rounds.

Run in a process of its own: ``python -m tests.browser.halls`` prints where their displays are.
"""

import json
from datetime import timedelta
from itertools import product
from typing import Any

import django

CLUB = "Chama cha Karata"
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

    from tests import make

    cups = {**_rounds(), **_ends(make.club(CLUB))}
    print(
        json.dumps(
            {name: reverse("tournament-display", args=[cup.pk]) for name, cup in cups.items()}
        )
    )


def _rounds() -> dict[str, Any]:
    """Lay halls of every size before, during and after a round, each in a club of its own."""
    from tests import make

    cups = {}
    for tables in SIZES:
        club = make.club(CLUB)
        cup = make.tournament(club=club, name="Albastini of the great hall", hands=8, planned=4)
        _sit(cup, tables)
        cups[f"seats {tables}"] = cup
        club = make.club(CLUB)
        cup = make.tournament(club=club, name="Friday Cup", hands=8, planned=4)
        _play(cup, tables, hands=4)
        _ring(cup, minutes=15)
        cups[f"playing {tables}"] = cup
        club = make.club(CLUB)
        cup = make.tournament(club=club, name="Friday Cup", hands=2, planned=4)
        for _ in range(2):
            _play(cup, tables)
            _close(cup)
        cups[f"after {tables}"] = cup
    return cups


def _ends(club: Any) -> dict[str, Any]:
    """Lay what comes first and last: a welcome, a bell, prizes."""
    from tests import make

    bell = make.tournament("dalmuti", club=club, name="Dalmuti", hands=2)
    make.report(make.sitting(*PEOPLE[:4], at=bell), {"order": [0, 1, 2, 3]})
    _ring(bell, minutes=-2)
    club = make.club(CLUB)
    won = make.tournament(club=club, name="The last cup", hands=2)
    for _ in range(3):
        _play(won, 5)
        _close(won)
    won.official_at = make.NOON
    won.save()
    empty = make.tournament(club=club, name="Not yet begun")
    for name in PEOPLE[:23]:
        make.entrant(make.player(name, club=club), at=empty)
    return {"bell": bell, "prizes": won, "welcome": empty}


def _sit(cup: Any, tables: int) -> list[Any]:
    from tests import make

    people = PEOPLE[: 4 * tables]
    return [make.sitting(*people[4 * at : 4 * at + 4], at=cup) for at in range(tables)]


def _play(cup: Any, tables: int, hands: int = 1) -> None:
    from tests import make

    for at, sitting in enumerate(_sit(cup, tables)):
        for hand in range(min(hands, 1 + at % 4)):
            make.report(sitting, {"eaten": [61 + (at + hand) % 40, 59 - (at + hand) % 40]})


def _ring(cup: Any, *, minutes: int) -> None:
    """Let the clock of the round have so many minutes left."""
    from django.utils import timezone

    from tracker.tables.clocks import Clock

    clock = Clock.start(25, timezone.now() - timedelta(minutes=25 - minutes))
    cup.rounds.update(clock=clock.to_json())


def _close(cup: Any) -> None:
    from tests import make
    from tracker.models import RoundState

    cup.rounds.update(state=RoundState.CLOSED, closed_at=make.NOON)


if __name__ == "__main__":
    main()
