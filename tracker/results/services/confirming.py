"""A hand confirmed: by another side of its table, or by the organiser."""

from collections.abc import Collection
from datetime import datetime
from uuid import uuid4

from django.db import transaction
from django.db.models import QuerySet

from games.errors import gettext_noop
from tracker.common.actor import Actor
from tracker.common.audit_log import log
from tracker.common.errors import Refused
from tracker.models import Hand, Verdict
from tracker.results.services.conflicts import answer_second
from tracker.results.services.submissions import (
    Arrival,
    Submission,
    SubmissionResult,
    check_open,
    check_pace,
    hand_unknown,
    sent_by,
    table_answer,
)
from tracker.tables.locks import lock_table
from tracker.tables.replay import hands_by_number


@transaction.atomic
def confirm_hand(
    *, token: str, number: int, by: Actor, side: int | None, seen: int | None = None
) -> SubmissionResult:
    """Confirm a hand on behalf of another side than the one that wrote it down.

    Any side may but the one that wrote it down; where everybody scores alone, that is any
    other seat. The same phone never confirms what it sent, whichever side it speaks for.
    *seen* is the report that was looked at: of another that stands by now nothing was said.
    It is kept as a report of the same sheet; said twice, it is said.

    :raises Refused: ``token-unknown``, ``token-revoked``, ``round-closed``, ``hand-unknown``,
        ``hand-struck``, ``hand-otherwise``, ``side-unknown``, ``own-hand`` or
        ``too-many-reports``.
    """
    table = lock_table(token=token)
    check_open(table, gettext_noop("This round is closed: the organiser confirms it now."))
    hands = hands_by_number(table.sitting_id)
    hand = hands.get(number)
    if hand is None:
        raise hand_unknown(number)
    check_seen(hand, seen)
    written = hand.accepted_report
    if side not in range(len(table.mode.sides)):
        raise Refused("side-unknown", gettext_noop("Say first for which side you speak."))
    if written.side is None:
        raise Refused(
            "side-unknown",
            gettext_noop("Nobody knows which side wrote this down: the organiser confirms it."),
        )
    if side == written.side or sent_by(by, written):
        raise Refused(
            "own-hand",
            gettext_noop("Your own side wrote this down: another side says whether it is right."),
        )
    if hand.confirmed_at is not None and hand.struck_at is None:
        return table_answer(table, Verdict.AGREES.value, number)
    same = Submission(entry=uuid4(), number=number, sheet=hand.sheet, side=side)
    arrival = Arrival(table=table, submission=same, by=by)
    check_pace(arrival)
    return answer_second(arrival, hands)


def check_seen(hand: Hand | None, seen: int | None) -> None:
    """Make sure that *seen* is still the hand's accepted report, or 0 where there is no hand.

    Of whatever somebody says without having looked, which is ``None``, nothing is asked.

    :raises Refused: ``hand-otherwise``.
    """
    stands = hand.accepted_report_id if hand else 0
    if seen is not None and seen != stands:
        raise Refused(
            "hand-otherwise",
            gettext_noop("It has been changed meanwhile. Look at it again."),
        )


@transaction.atomic
def confirm_table(
    *,
    sitting_id: int,
    by: Actor,
    numbers: Collection[int] | None = None,
    seen: Collection[int] | None = None,
) -> tuple[int, ...]:
    """Confirm for the organiser what no other side has, or of that these *numbers*; return which.

    *seen* are the reports that were looked at: where another stands by now nothing is confirmed.
    It may be done after the round has closed as well.

    :raises LookupError: if there is no such sitting.
    """
    table = lock_table(sitting_id=sitting_id)
    waiting = Hand.objects.unconfirmed().filter(sitting=sitting_id)
    if numbers is not None:
        waiting = waiting.filter(number__in=numbers)
    if seen is not None:
        waiting = waiting.filter(accepted_report__in=seen)
    confirmed = confirm(waiting, by.at)
    if confirmed:
        log(by, "hands-confirmed", **table.log_keys, hands=confirmed)
    return tuple(confirmed)


def confirm(hands: QuerySet[Hand], at: datetime) -> list[int]:
    """Mark what of these hands waits for another side as confirmed, and return their numbers."""
    waiting = Hand.objects.unconfirmed().filter(pk__in=hands.values("pk")).order_by("number")
    confirmed = []
    for hand in waiting.only("number", "recorded_at"):
        # Who waited for the lock may have looked at the clock before the hand was written.
        hand.confirmed_at = max(at, hand.recorded_at)
        hand.save(update_fields=["confirmed_at"])
        confirmed.append(hand.number)
    return confirmed
