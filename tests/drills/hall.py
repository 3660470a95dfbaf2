"""A hall full of tables, set up and looked at from a process of its own.

A drill shares nothing with the site it presses but the database; so whatever needs
the models runs as ``python -m tests.drills.hall seat 12`` or ``... read TOKEN TOKEN``,
with the site's own settings.
"""

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

from tests.serving import printed


@dataclass(frozen=True, slots=True)
class Seen:
    """What the database holds of one table."""

    last_number: int
    hands: list[int]
    struck: list[int]
    standing: list[str]  # the entry of the report that stands for each hand
    verdicts: dict[str, str]  # by the entry of the report
    conflicts: int


def seat(data: Path, tables: int) -> list[str]:
    """Seat a tournament at so many tables and return their tokens."""
    tokens: list[str] = json.loads(printed(data, "-m", "tests.drills.hall", "seat", str(tables)))
    return tokens


def tournament_of(data: Path, token: str) -> int:
    """Return the number of the tournament that is played at a table."""
    return int(printed(data, "-m", "tests.drills.hall", "tournament", token))


def read(data: Path, tokens: Sequence[str]) -> list[Seen]:
    """Return what is kept of these tables."""
    tables = json.loads(printed(data, "-m", "tests.drills.hall", "read", *tokens))
    return [Seen(**of_table) for of_table in tables]


def recount(data: Path) -> str:
    """Count every sheet again; a difference fails the drill with what differs."""
    return printed(data, "manage.py", "recount", "--check")


def _seat(tables: int) -> list[str]:
    from django.db import transaction

    from tests import make
    from tracker.models import Table

    with transaction.atomic():
        # A round of so many hands takes them at any pace; one without a length does not.
        tournament = make.tournament("albastini", "4t2", hands=999)
        already = Table.objects.count()
        for number in range(1, tables + 1):
            # The makers number their cards from 1 in every process, and this is not the first.
            Table.objects.create(
                tournament=tournament,
                number=number,
                card_token=uuid4().hex,
                code=f"D{already + number:03d}",
            )
        return [make.sitting(at=tournament).token for _ in range(tables)]


def _tournament(token: str) -> int:
    from tracker.models import Sitting

    return int(Sitting.objects.values_list("round__tournament_id", flat=True).get(token=token))


def _read(token: str) -> dict[str, Any]:
    from tracker.models import Hand, Report, Sitting

    sitting = Sitting.objects.get(token=token)
    hands = (
        Hand.objects.filter(sitting=sitting).select_related("accepted_report").order_by("number")
    )
    reports = Report.objects.filter(sitting=sitting)
    return {
        "last_number": sitting.last_number,
        "hands": [hand.number for hand in hands],
        "struck": [hand.number for hand in hands if hand.struck_at is not None],
        "standing": [str(hand.accepted_report.entry) for hand in hands],
        "verdicts": {str(report.entry): report.verdict for report in reports},
        "conflicts": sitting.open_conflicts,
    }


def _organiser() -> dict[str, object]:
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
    from django.contrib.sessions.backends.db import SessionStore

    from tests import make
    from tracker.models import Role

    club = make.club("Ilala")
    user = make.user(uuid4().hex, role=Role.ORGANISER, club=club)
    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.create()
    return {"club": club.pk, "session": session.session_key}


def program(data: Path, table_token: str) -> str:
    """Return a token with which a program may run what is played at a table's club."""
    return str(json.loads(printed(data, "-m", "tests.drills.hall", "program", table_token)))


def evening(data: Path, players: int) -> str:
    """Make the first club of a site, with players, a night and its tournament; return a token."""
    return str(json.loads(printed(data, "-m", "tests.drills.hall", "evening", str(players))))


def _program(table_token: str) -> str:
    from tracker.models import Club

    return _token_for(Club.objects.get(tournaments__rounds__sittings__token=table_token))


def _evening(players: int) -> str:
    from django.utils import timezone

    from tests import make
    from tracker.nights.services.nights import current_or_new_night

    club = make.club()
    for number in range(players):
        make.player(f"Player {number + 1}", club=club)
    make.tournament(club=club, hands=4)
    current_or_new_night(club_id=club.pk, by=make.actor(make.user(), at=timezone.now()))
    return _token_for(club)


def _token_for(club: Any) -> str:
    from tests import make
    from tracker.models import Role, TokenScope
    from tracker.people.services.api_tokens import make_token

    by = make.actor(make.user(uuid4().hex, role=Role.ORGANISER, club=club))
    return make_token(club_id=club.pk, name="Drill", scope=TokenScope.ORGANISE, by=by)


if __name__ == "__main__":
    import django

    django.setup()
    what, *which = sys.argv[1:]
    match what:
        case "seat":
            answer: object = _seat(int(which[0]))
        case "organiser":
            answer = _organiser()
        case "tournament":
            answer = _tournament(which[0])
        case "program":
            answer = _program(which[0])
        case "evening":
            answer = _evening(int(which[0]))
        case _:
            answer = [_read(token) for token in which]
    print(json.dumps(answer))
