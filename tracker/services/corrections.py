"""Putting right what was reported: the one way back."""

from collections.abc import Mapping
from datetime import datetime
from enum import Enum

from django.db import transaction

from games.errors import gettext_noop
from games.sheet import Sheet
from tracker.models import Hand
from tracker.services import ledger
from tracker.services.acts import record_act
from tracker.services.errors import Refused
from tracker.services.replays import Written, as_written, hands_of
from tracker.services.rewrites import Author, Difference, rewrite


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
    user_id: int | None,
    device: str,
    now: datetime,
    keep: bool = True,
) -> Difference:
    """Change hands of a sitting, all of them or none, and return what that moves.

    A sheet without a dealer keeps the hand's; a new sheet for a struck hand restores
    it. With *keep* false nothing is kept: the difference is there to be looked at.

    :raises SheetError: if the first of the changes is a sheet that the rules refuse.
    :raises ReplayRefused: if a later hand cannot follow, with its ``number``.
    :raises Refused: ``nothing-changed``, or ``hand-unknown`` where there is no such hand.
    """
    by = Author(user_id=user_id, device=device, reason=reason, now=now)
    table = ledger.lock_sitting(sitting_id)
    hands = hands_of(sitting_id)
    written = {number: _changed(hands, number, change) for number, change in changes.items()}
    if not written:
        raise Refused("nothing-changed", gettext_noop("Nothing was changed."))
    done = rewrite(table, hands, written, by=by)
    record_act(
        club_id=table.club_id,
        verb="sitting-corrected",
        on={"tournament": table.tournament_id, "sitting": sitting_id, "hands": sorted(written)},
        numbers=done.numbers,
        user_id=user_id,
        device=device,
        reason=reason,
        at=now,
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
