"""What a player doubts, put before the organiser."""

from django.db import transaction

from games.errors import gettext_noop
from tracker.common.actor import Actor
from tracker.common.audit_log import log
from tracker.common.errors import Refused
from tracker.ledger import ledger
from tracker.models import Hand, Issue, IssueKind
from tracker.reports.services.issues import raise_issue

MOST_A_HAND = 5


@transaction.atomic
def query_hand(*, token: str, number: int, note: str, by: Actor) -> Issue:
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
    asked = Issue.objects.filter(
        sitting_id=table.sitting_id, number=number, kind=IssueKind.QUERY, settled_at=None
    )
    if asked.count() >= MOST_A_HAND:
        raise Refused(
            "too-many-queries",
            gettext_noop("The organiser knows about this hand already."),
        )
    issue = raise_issue(
        sitting_id=table.sitting_id,
        number=number,
        kind=IssueKind.QUERY,
        report_id=None,
        now=by.at,
        note=note,
    )
    log(
        by,
        "hand-queried",
        club_id=table.club_id,
        tournament=table.tournament_id,
        sitting=table.sitting_id,
        hand=number,
        issue=issue.pk,
    )
    return issue
