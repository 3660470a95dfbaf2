"""A club with five organisers, made in a process of its own: ``python -m tests.drills.organised 4``."""

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from tests.serving import printed

if TYPE_CHECKING:
    from tracker.common.actor import Actor
    from tracker.models import Club, Round, Tournament

ORGANISERS = 5
HANDS = 4  # at each table of the first round


@dataclass(frozen=True, slots=True)
class Organised:
    """Two rounds of one tournament: the first is over, the second is being played."""

    sessions: list[str]  # of the organisers, each signed in
    round_id: int  # the second
    tokens: list[str]  # of its tables
    sittings: list[int]  # of both rounds


def organise(data: Path, tables: int) -> Organised:
    """Make the club in the database of the site whose data are there."""
    made = printed(data, "-m", "tests.drills.organised", str(tables))
    return Organised(**json.loads(made))


def _organise(tables: int) -> dict[str, Any]:
    from django.utils import timezone

    from tests import make
    from tracker.common.actor import Actor
    from tracker.nights.services.closing import close_round

    by, rng = Actor(at=timezone.now()), Random(uuid4().hex)
    club = make.club(f"Upanga {uuid4().hex[:8]}")
    tournament = make.tournament("albastini", "4t2", club=club)
    pairs = _entered(tournament, tables, by)
    first = _open_round(tournament, pairs, by, rng)
    _report(first, by)
    close_round(round_id=first.pk, by=by, anyway=True)
    # In the second, people sit otherwise.
    second = _open_round(tournament, pairs[1:] + pairs[:1], by, rng)
    return {
        "sessions": [_signed_in(club) for _ in range(ORGANISERS)],
        "round_id": second.pk,
        "tokens": [sitting.token for sitting in second.sittings.order_by("pk")],
        "sittings": [sitting.pk for each in (first, second) for sitting in each.sittings.all()],
    }


def _entered(tournament: "Tournament", tables: int, by: "Actor") -> list[tuple[int, int]]:
    """Enter four people a table, and let six more be known; return each player's entrant."""
    from tracker.people.services.players import add_players
    from tracker.tournaments.services.entering import enter_players

    names = [f"Player {number}" for number in range(4 * tables + 6)]
    people = add_players(club_id=tournament.club_id, names=names, by=by).players
    seated = [player.pk for player in people[: 4 * tables]]
    entered = enter_players(tournament_id=tournament.pk, players=seated, by=by)
    return [(each.player_id or 0, each.pk) for each in entered]


def _open_round(
    tournament: "Tournament", order: list[tuple[int, int]], by: "Actor", rng: Random
) -> "Round":
    """Open a round in which these sit four by four."""
    from tracker.seating.services.round_opening import TablePlan, open_round

    plans = [
        TablePlan(
            mode="4t2",
            players=tuple(player for player, _ in order[at : at + 4]),
            entrants=tuple(entrant for _, entrant in order[at : at + 4]),
        )
        for at in range(0, len(order), 4)
    ]
    return open_round(tournament_id=tournament.pk, tables=plans, by=by, rng=rng)


def _report(round_: "Round", by: "Actor") -> None:
    """Report some hands from every table of a round."""
    from tracker.results.services.report_hand import report_hand
    from tracker.results.services.submissions import Submission

    for sitting in round_.sittings.all():
        for number in range(1, HANDS + 1):
            sheet = {"eaten": [70, 50] if number % 2 else [50, 70]}
            sent = Submission(entry=uuid4(), number=number, sheet=sheet)
            report_hand(token=sitting.token, submission=sent, by=by)


def _signed_in(club: "Club") -> str:
    """Make an organiser of the club, and return the session of theirs."""
    from django.test import Client

    from tests import make
    from tracker.models import Role

    client = Client()
    client.force_login(make.user(f"u{uuid4().hex[:10]}", role=Role.ORGANISER, club=club))
    return client.cookies["sessionid"].value


if __name__ == "__main__":
    import django

    django.setup()
    print(json.dumps(_organise(int(sys.argv[1]))))
