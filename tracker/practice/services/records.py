"""Keeping how a hand was played, card by card, with the hand whose sheet it agrees with."""

from dataclasses import replace

from django.db import transaction

from games.errors import gettext_noop
from games.records.format import Record, write
from games.records.parser import read
from games.records.replayer import replay, with_steps
from tracker.common.actor import Actor
from tracker.common.audit_log import log
from tracker.common.errors import Refused
from tracker.ledger.statements import lock_table, read_table
from tracker.ledger.table import TableNow
from tracker.models import Hand, HandKind, HandRecord
from tracker.practice.queries.records import differing, head_of


@transaction.atomic
def attach_record(*, sitting_id: int, number: int, text: str, by: Actor) -> HandRecord:
    """Keep the record of a hand, in place of any other.

    It is played again as the hand of this table, after the hands that stand before it.
    Only what the rules know is kept: no names, and no remarks.

    :raises RecordError: if the text is no record, or of a hand that cannot have been.
    :raises Refused: ``record-not-counted`` ``record-elsewhere`` ``record-unfinished``
        or ``record-differs``.
    """
    lock_table(sitting_id=sitting_id)
    table, hand = _hand(sitting_id, number)
    record = _of_this_hand(table, hand, read(text))
    replayed = replay(record)
    if replayed.sheet is None:
        raise Refused(
            "record-unfinished", gettext_noop("This record breaks off before the hand is over.")
        )
    amiss = differing(table.game, replayed.session, hand.sheet, replayed.sheet)
    if amiss is not None:
        raise Refused(
            "record-differs",
            gettext_noop("The record and the sheet of this hand do not agree: %(about)s"),
            about=amiss,
        )
    whole = with_steps(record, replayed.play, replayed.steps, replayed.states[-1])
    kept, _ = HandRecord.objects.update_or_create(
        hand=hand, defaults={"text": write(whole), "kept_at": by.at}
    )
    _log(by, "record-attached", table, hand)
    return kept


@transaction.atomic
def detach_record(*, sitting_id: int, number: int, by: Actor) -> None:
    """Take the record of a hand away, if it has one."""
    lock_table(sitting_id=sitting_id)
    table, hand = _hand(sitting_id, number)
    if HandRecord.objects.filter(hand=hand).delete()[0]:
        _log(by, "record-removed", table, hand)


def _hand(sitting_id: int, number: int) -> tuple[TableNow, Hand]:
    """Return a hand and its table, both of which the caller has seen."""
    table = read_table(sitting_id=sitting_id)
    assert table is not None  # noqa: S101 - it is locked; for the type checker
    return table, Hand.objects.get(sitting=sitting_id, number=number)


def _of_this_hand(table: TableNow, hand: Hand, record: Record) -> Record:
    """Return the cards and moves of a record, after what this table has played."""
    if hand.kind == HandKind.BARE or hand.result_type or hand.struck_at is not None:
        raise Refused(
            "record-not-counted",
            gettext_noop("Nobody counted this hand, so nothing can agree with its record."),
        )
    head = head_of(table, hand.number, record.dealer)
    if (record.game, record.mode) != (head.game, head.mode) or (
        table.game.complete_options(record.options) != dict(table.options)
    ):
        raise Refused(
            "record-elsewhere",
            gettext_noop(
                "This record is of another game than this table's, of another number of players, "
                "or of other house rules."
            ),
        )
    return replace(head, packs=record.packs, moves=record.moves, sheet=record.sheet)


def _log(by: Actor, verb: str, table: TableNow, hand: Hand) -> None:
    log(
        by,
        verb,
        club_id=table.club_id,
        sitting=hand.sitting_id,
        hand=hand.number,
    )
