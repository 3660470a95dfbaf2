"""What a table does besides reporting: it chooses a dealer, undoes its last hand, brings it back.

- An undone hand is *struck*: its row stays, but it counts nowhere. Its number is free again: the
  *coming* hand, the next to be reported, has it. The page offers the undone sheet, filled in, and
  the same dealer deals. The tallies (sums of points) are as they were before the hand.
- The next report with that number is stored in the same row. The undone report is kept too, and the
  log tells of the undo and of the new count. Until then the hand can be brought back as it was.
- A new report with that number from a page that did not show the undo is answered with a question:
  is it of the undone hand, or of the next? A repeated report gets its first answer again.
- The number does not become free where a player took over a seat since, or an earlier version of
  Kula stored the undo. A report with that number is then taken for the next hand, or asked about.
"""

from collections.abc import Mapping
from dataclasses import replace

from django.db import transaction

from games.errors import gettext_noop
from tracker.common.actor import Actor
from tracker.common.audit_log import last_entry, log
from tracker.common.errors import Refused
from tracker.models import Hand, Sitting
from tracker.results.queries.table import BROUGHT_BACK, TAKEN_BACK, was_taken_back
from tracker.results.services import submissions
from tracker.results.services.confirming import check_seen
from tracker.results.services.corrections import rewrite
from tracker.tables.locks import lock_table
from tracker.tables.replay import HandEntry, hands_by_number, last_unstruck_number
from tracker.tables.table_now import TableNow

_CHOSEN = "dealer-chosen"
_UNDO_VERBS = (TAKEN_BACK, BROUGHT_BACK)


@transaction.atomic
def choose_dealer(*, token: str, place: int | None, by: Actor) -> int:
    """Set the place that deals the coming hand, and return the place that deals it now.

    A *place* is the number of a chair, from 0; ``None`` lets the rules choose. The choice holds for
    this one hand, and is dropped when the hand before changes. The present dealer changes nothing.

    :raises Refused: ``token-unknown``, ``token-revoked``, ``round-closed``, ``too-many-reports``,
        or ``dealer-not-allowed`` if the rules give the deal to others.
    """
    table = lock_table(token=token)
    submissions.check_open(table, gettext_noop("This round is closed; nobody deals."))
    if place is not None and place not in table.may_deal:
        template = gettext_noop("By the rules somebody else deals: choose one of those named.")
        raise Refused("dealer-not-allowed", template)
    # ``next_dealer`` is the dealer by the rules, which is stored as no choice.
    chosen = None if place is None or place == table.next_dealer else place
    if chosen == table.chosen:  # the choice stored so far
        return table.coming_dealer
    submissions.check_acts(table, [_CHOSEN], by.at)
    Sitting.objects.filter(pk=table.sitting_id).update(
        chosen_dealer=chosen, chosen_after=None if chosen is None else table.last_number
    )
    dealer = table.next_dealer if chosen is None else chosen
    numbers = {"after_hand": table.last_number, "place": dealer}
    log(by, _CHOSEN, **table.log_keys, numbers=numbers)
    return dealer


@transaction.atomic
def take_back(
    *, token: str, number: int, by: Actor, side: int | None = None, seen: int | None = None
) -> None:
    """Undo the last hand of a table, for the phone that sent it or a phone of the same *side*.

    *seen* is the key of the report that the page showed: see ``check_seen``. Undoing an undone hand
    changes nothing.

    :raises Refused: ``token-unknown``, ``token-revoked``, ``round-closed``, ``hand-unknown``,
        ``hand-not-last``, ``hand-otherwise``, ``not-yours`` or ``too-many-reports``.
    """
    table, hands, hand = _lock_hand(token, number)
    if was_taken_back(table, hand):
        return
    _check_last(number, last_unstruck_number(hands))
    check_seen(hand, seen)
    _check_may_undo(hand, by, side)
    submissions.check_acts(table, _UNDO_VERBS, by.at)
    entries = {number: replace(HandEntry.of(hand), struck=True)}
    replayed, log_numbers = rewrite(table, hands, entries, by=by, at_table=True)
    # The dealer of the undone hand deals again, also where the rules now name somebody else.
    if hand.dealer not in {None, replayed.session.dealer}:
        Sitting.objects.filter(pk=table.sitting_id).update(
            chosen_dealer=hand.dealer, chosen_after=replayed.last_number
        )
    log(by, TAKEN_BACK, **table.log_keys, hand=number, numbers=log_numbers)


@transaction.atomic
def bring_back(
    *, token: str, number: int, by: Actor, side: int | None = None, seen: int | None = None
) -> None:
    """Bring back an undone hand, as long as no other hand was reported since.

    :raises Refused: as ``take_back``, and ``round-full`` if the round has become shorter.
    """
    table, hands, hand = _lock_hand(token, number)
    check_seen(hand, seen)
    if hand.struck_at is None:
        return
    _check_last(number, last_unstruck_number(hands) + 1)  # just after the last that counts
    if not was_taken_back(table, hand):  # the organiser deleted it
        raise submissions.hand_struck(table, number)
    _check_may_undo(hand, by, side)
    if table.progress.whole:
        raise submissions.round_full()
    submissions.check_acts(table, _UNDO_VERBS, by.at)
    entries = {number: replace(HandEntry.of(hand), struck=False)}
    _replayed, log_numbers = rewrite(table, hands, entries, by=by, at_table=True)
    undone = last_entry(TAKEN_BACK, club_id=table.club_id, sitting=table.sitting_id, hand=number)
    log(by, BROUGHT_BACK, **table.log_keys, hand=number, numbers=log_numbers, undoes=undone)


def _lock_hand(token: str, number: int) -> tuple[TableNow, Mapping[int, Hand], Hand]:
    """Lock the table with this *token*; return the table, its hands by number, and this hand."""
    table = lock_table(token=token)
    sentence = gettext_noop("This round is closed: ask the organiser to change it.")
    submissions.check_open(table, sentence)
    hands = hands_by_number(table.sitting_id)
    if number not in hands:
        raise submissions.hand_unknown(number)
    return table, hands, hands[number]


def _check_last(number: int, expected: int) -> None:
    if number != expected:
        template = gettext_noop("Another one has been written down since: ask the organiser.")
        raise Refused("hand-not-last", template)


def _check_may_undo(hand: Hand, by: Actor, side: int | None) -> None:
    report = hand.accepted_report
    if not submissions.sent_by(by, report) and (side is None or side != report.side):
        template = gettext_noop("Another phone wrote this down: only that side takes it back.")
        raise Refused("not-yours", template)
