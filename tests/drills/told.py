"""Tournaments of a club with webhooks, set up and run from a process of its own.

``python -m tests.drills.told lay TOURNAMENTS ADDRESS...``, then ``open``, ``close`` or ``deliveries``
with the number of a tournament. A round has one table and one hand.
"""

import json
import sys
from pathlib import Path
from random import Random
from typing import Any

from tests.serving import printed


def lay(data: Path, tournaments: int, *addresses: str) -> list[int]:
    """Make a club with webhooks at these addresses, and return its tournaments."""
    return list(_run(data, "lay", str(tournaments), *addresses))


def open_round(data: Path, tournament: int) -> str:
    """Draw and open a round, and return the token of its table."""
    return str(_run(data, "open", str(tournament)))


def close(data: Path, tournament: int) -> None:
    """Close the round, and make the standing official."""
    _run(data, "close", str(tournament))


def deliveries(data: Path, tournament: int) -> list[tuple[str, bool, int]]:
    """Return the event of each delivery, whether it was delivered, and how many attempts it took."""
    return [tuple(each) for each in _run(data, "deliveries", str(tournament))]


def _run(data: Path, *arguments: str) -> Any:
    return json.loads(printed(data, "-m", "tests.drills.told", *arguments))


def _lay(tournaments: int, addresses: list[str]) -> list[int]:
    from django.utils import timezone

    from tests import act, make
    from tracker.models import Webhook

    club = make.club()
    made = []
    for nth in range(tournaments):
        tournament = make.tournament(club=club, name=f"Cup {nth}", hands=1)
        act.enter(tournament, *(f"{name} {nth}" for name in ("Asha", "Neema", "Juma", "Baraka")))
        act.draw(tournament)
        made.append(tournament.pk)
    for address in addresses:
        Webhook.objects.create(club=club, url=address, made_at=timezone.now())
    return made


def _main(what: str, which: list[str]) -> Any:
    from django.utils import timezone

    from tests import act, make
    from tracker.models import Delivery, Round, Sitting
    from tracker.seating.services.round_opening import open_draw
    from tracker.standings.services.standings import finish_tournament

    if what == "lay":
        return _lay(int(which[0]), which[1:])
    key, by = int(which[0]), make.actor(at=timezone.now())
    match what:
        case "open":
            open_draw(tournament_id=key, by=by, rng=Random(1))
            return Sitting.objects.get(round__tournament=key).token
        case "close":
            act.close(Round.objects.get(tournament=key), by=by)
            finish_tournament(tournament_id=key, by=by)
            return None
    rows = Delivery.objects.filter(tournament=key).order_by("pk")
    return [(each.event, each.delivered_at is not None, each.attempts) for each in rows]


if __name__ == "__main__":
    import django

    django.setup()
    print(json.dumps(_main(sys.argv[1], sys.argv[2:])))
