"""Tables at which hands wait for the network, and acts beside the site that serves them."""

import json
from pathlib import Path
from typing import Any

from tests.serving import printed

ORGANISER = ("keeper", "cards")
PAIRS = ("Asha & Juma", "Neema & Baraka")
_HANDS = """
from tracker.models import Hand
found = Hand.objects.filter(sitting__token={token!r}).order_by("number")
print(json.dumps([hand.sheet["eaten"] for hand in found]))
"""
_REPORTS = """
from tracker.models import Report
found = Report.objects.filter(sitting__token={token!r}).order_by("pk")
print(json.dumps(list(found.values_list("number", "verdict"))))
"""
_CLOSE = """
from django.utils import timezone
from tracker.models import Round, RoundState, Sitting
round_ = Sitting.objects.get(token={token!r}).round
round_.state, round_.closed_at = RoundState.CLOSED, timezone.now()
round_.save()
print(json.dumps(None))
"""
_RENEW = """
from django.utils import timezone
from tracker.common.actor import Actor
from tracker.models import Sitting
from tracker.seating.services.table_cards import renew_address
sitting = Sitting.objects.get(token={token!r})
print(json.dumps(renew_address(sitting_id=sitting.pk, by=Actor(at=timezone.now())).token))
"""


def _ask(data: Path, database: str, script: str) -> Any:
    code = f"import django, json\ndjango.setup()\n{script}"
    return json.loads(printed(data, "-c", code, DATABASE_URL=database))


def hands(data: Path, database: str, token: str) -> list[list[int]]:
    """Return what each side ate, in every hand of a table."""
    sheets: list[list[int]] = _ask(data, database, _HANDS.format(token=token))
    return sheets


def verdicts(data: Path, database: str, token: str) -> list[list[Any]]:
    """Return number and verdict of everything a table has sent, in order."""
    rows: list[list[Any]] = _ask(data, database, _REPORTS.format(token=token))
    return rows


def close_round(data: Path, database: str, token: str) -> None:
    """Close the round in which a table plays, whatever is missing."""
    _ask(data, database, _CLOSE.format(token=token))


def renew_address(data: Path, database: str, token: str) -> str:
    """Give a table another address, and return what opens it now."""
    renewed: str = _ask(data, database, _RENEW.format(token=token))
    return renewed
