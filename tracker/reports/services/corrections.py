"""Putting right what was reported: the one way back."""

from collections.abc import Mapping
from enum import Enum

from django.db import transaction

from games.errors import gettext_noop
from games.sheet import Sheet
from tracker.common.actor import Actor
from tracker.common.audit_log import log
from tracker.common.errors import Refused
from tracker.ledger import ledger
from tracker.ledger.fold import Written, as_written, hands_of
from tracker.models import Hand
from tracker.reports.services.rewrites import Difference, rewrite


class Change(Enum):
    """What can be done to a hand besides writing another sheet."""

    STRIKE = "strike"
    RESTORE = "restore"


STRIKE, RESTORE = Change.STRIKE, Change.RESTORE


@transaction.atomic
def correct_sitting(
    *,
    sitting_id: int,
    changes: Mapping[int, Sheet | Change],
    reason: str,
    by: Actor,
    keep: bool = True,
) -> Difference:
    """Change hands of a sitting, all of them or none, and return what that moves.

    A sheet without a dealer keeps the hand's; a new sheet for a struck hand restores
    it. With *keep* false nothing is kept: the difference is there to be looked at.

    :raises SheetError: if the first of the changes is a sheet that the rules refuse.
    :raises ReplayRefused: if a later hand cannot follow, with its ``number``.
    :raises Refused: ``nothing-changed``, or ``hand-unknown`` where there is no such hand.
    """
    table = ledger.lock_sitting(sitting_id)
    hands = hands_of(sitting_id)
    written = {number: _changed(hands, number, change) for number, change in changes.items()}
    if not written:
        raise Refused("nothing-changed", gettext_noop("Nothing was changed."))
    done = rewrite(table, hands, written, by=by)
    log(
        by,
        "sitting-corrected",
        club_id=table.club_id,
        tournament=table.tournament_id,
        sitting=sitting_id,
        hands=sorted(written),
        numbers=done.numbers,
        reason=reason,
    )
    transaction.set_rollback(not keep)
    return done.difference


def _changed(hands: Mapping[int, Hand], number: int, change: Sheet | Change) -> Written:
    """Return how a hand is to stand.

    :raises Refused: ``hand-unknown``.
    """
    hand = hands.get(number)
    if hand is None:
        raise Refused(
            "hand-unknown",
            gettext_noop("There is no hand %(number)d at this table yet."),
            number=number,
        )
    if isinstance(change, Change):
        stands = as_written(hand)
        return Written(
            number=number, sheet=stands.sheet, dealer=stands.dealer, struck=change is STRIKE
        )
    return Written(number=number, sheet=change, dealer=hand.dealer)
