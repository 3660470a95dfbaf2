"""Confirmation of hands, by another side of their table or by the organiser.

A *side* is one or several players who score together, or each player where all play alone.
"""

from collections.abc import Collection
from datetime import datetime
from uuid import uuid4

from django.db import transaction
from django.db.models.functions import Greatest

from games.errors import gettext_noop
from tracker.common.actor import Actor
from tracker.common.audit_log import log
from tracker.common.errors import Refused
from tracker.models import Hand, Verdict
from tracker.models.hands import HandQuerySet
from tracker.results.services import submissions
from tracker.results.services.repeats_and_conflicts import answer_second_report
from tracker.results.services.submissions import Arrival, Submission, SubmissionResult
from tracker.tables.locks import lock_table
from tracker.tables.replay import hands_by_number


@transaction.atomic
def confirm_hand(
    *, token: str, number: int, by: Actor, side: int | None, seen: int | None = None
) -> SubmissionResult:
    """Confirm a hand on behalf of *side*, which is not the side that reported the hand.

    A phone never confirms what this phone sent, whichever side it speaks for. *seen* is the key of
    the report that the page showed: see ``check_seen``. The confirmation is stored as a report of
    the same sheet; confirming a confirmed hand changes nothing.

    :raises Refused: ``token-unknown``, ``token-revoked``, ``round-closed``, ``hand-unknown``,
        ``hand-struck``, ``hand-otherwise``, ``side-unknown``, ``own-hand``, ``too-many-reports``.
    """
    table = lock_table(token=token)
    sentence = gettext_noop("This round is closed: the organiser confirms it now.")
    submissions.check_open(table, sentence)
    hands = hands_by_number(table.sitting_id)
    hand = hands.get(number)
    if hand is None:
        raise submissions.hand_unknown(number)
    check_seen(hand, seen)
    report = hand.accepted_report
    if side not in range(len(table.mode.sides)):
        raise Refused("side-unknown", gettext_noop("Say first for which side you speak."))
    if report.side is None:
        why = gettext_noop("Nobody knows which side wrote this down: the organiser confirms it.")
        raise Refused("side-unknown", why)
    if side == report.side or submissions.sent_by(by, report):
        why = gettext_noop("Your own side wrote this down: another side says whether it is right.")
        raise Refused("own-hand", why)
    # Confirmed already; ``answer_second_report`` refuses a struck hand.
    if hand.confirmed_at is not None and hand.struck_at is None:
        return submissions.table_answer(table, Verdict.AGREES.value, number)
    same = Submission(entry=uuid4(), number=number, sheet=hand.sheet, side=side)
    arrival = Arrival(table=table, submission=same, by=by)
    submissions.check_pace(arrival)
    return answer_second_report(arrival, hands)


def check_seen(hand: Hand | None, seen: int | None) -> None:
    """Refuse, as ``hand-otherwise``, if the hand's accepted report has another key than *seen*.

    Without a hand *seen* must be 0. ``None`` is not checked: no page that shows the hand was sent.
    """
    if seen is not None and seen != (hand.accepted_report_id if hand else 0):
        template = gettext_noop("It has been changed meanwhile. Look at it again.")
        raise Refused("hand-otherwise", template)


@transaction.atomic
def confirm_table(
    *,
    sitting_id: int,
    by: Actor,
    numbers: Collection[int] | None = None,
    seen: Collection[int] | None = None,
) -> tuple[int, ...]:
    """Confirm the unconfirmed hands of a table for the organiser, and return their numbers.

    Only hands with these *numbers* are confirmed, and only as the page showed them: *seen* are the
    keys of the accepted reports on it. ``None`` stands for any. The round may be closed.

    :raises LookupError: if there is no such sitting.
    """
    table = lock_table(sitting_id=sitting_id)
    hands = Hand.objects.filter(sitting=sitting_id)
    if numbers is not None:
        hands = hands.filter(number__in=numbers)
    if seen is not None:
        hands = hands.filter(accepted_report__in=seen)
    confirmed = confirm(hands, by.at)
    if confirmed:
        log(by, "hands-confirmed", **table.log_keys, hands=confirmed)
    return tuple(confirmed)


def confirm(hands: HandQuerySet, at: datetime) -> list[int]:
    """Mark the unconfirmed among these hands of a table as confirmed, and return their numbers."""
    waiting = hands.unconfirmed().order_by("number").values_list("number", flat=True)
    confirmed = list(waiting)
    # Trap: a request that waited for the lock may have read the clock before a hand was recorded.
    hands.filter(number__in=confirmed).update(confirmed_at=Greatest("recorded_at", at))
    return confirmed
