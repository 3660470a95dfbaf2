"""What a player doubts, put before the organiser."""

from datetime import datetime

from django.db import transaction

from games.errors import gettext_noop
from tracker.models import Hand, Matter, MatterKind
from tracker.services import ledger
from tracker.services.acts import record_act
from tracker.services.errors import Refused
from tracker.services.matters import raise_matter

MOST_A_HAND = 5


@transaction.atomic
def query_hand(*, token: str, number: int, note: str, device: str, now: datetime) -> Matter:
    """Tell the organiser that a player thinks a hand is wrong.

    :raises Refused: ``token-unknown``, ``token-revoked``, ``hand-unknown`` or
        ``too-many-queries``.
    """
    table = ledger.lock_token(token)
    if not Hand.objects.filter(sitting_id=table.sitting_id, number=number).exists():
        raise Refused(
            "hand-unknown",
            gettext_noop("There is no hand %(number)d at this table yet."),
            number=number,
        )
    asked = Matter.objects.filter(
        sitting_id=table.sitting_id, number=number, kind=MatterKind.QUERY, settled_at=None
    )
    if asked.count() >= MOST_A_HAND:
        raise Refused(
            "too-many-queries",
            gettext_noop("The organiser knows about this hand already."),
        )
    matter = raise_matter(
        sitting_id=table.sitting_id,
        number=number,
        kind=MatterKind.QUERY,
        report_id=None,
        now=now,
        note=note,
    )
    record_act(
        club_id=table.club_id,
        verb="hand-queried",
        on={
            "tournament": table.tournament_id,
            "sitting": table.sitting_id,
            "hand": number,
            "matter": matter.pk,
        },
        device=device,
        at=now,
    )
    return matter
