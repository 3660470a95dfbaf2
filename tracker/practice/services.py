"""Services that store and delete the record of a tournament hand: its cards and moves."""

from dataclasses import replace

from django.db import transaction

from games.errors import gettext_noop
from games.game import AnyGame, Session
from games.records.format import Record, write
from games.records.parser import read
from games.records.replayer import replay, with_steps
from games.sheet import Sheet, plain
from games.wording import Text
from tracker.common.actor import Actor
from tracker.common.audit_log import log
from tracker.common.errors import Refused
from tracker.models import Hand, HandKind, HandRecord
from tracker.tables.locks import lock_table
from tracker.tables.table_now import TableNow


@transaction.atomic
def attach_record(*, sitting_id: int, number: int, text: str, by: Actor) -> HandRecord:
    """Store *text* as the record of a hand, if its moves lead to the hand's result sheet.

    The record is replayed after the earlier hands of this table, as these decide who deals. An
    earlier record of the hand is overwritten. Names and remarks are not stored.

    :raises RecordError: if the text is no record, or its hand is against the rules.
    :raises Refused: ``record-unfinished``, ``record-differs``, or as ``_record_of_hand``.
    """
    table = lock_table(sitting_id=sitting_id)
    hand = Hand.objects.get(sitting=sitting_id, number=number)
    record = _record_of_hand(table, hand, read(text))
    replayed = replay(record)
    if replayed.sheet is None:
        raise Refused("record-unfinished", gettext_noop("The moves stop before the hand is over."))
    difference = sheet_difference(table.game, replayed.session, hand.sheet, replayed.sheet)
    if difference is not None:
        template = gettext_noop("These moves and the result of this hand disagree: %(about)s")
        raise Refused("record-differs", template, about=difference)
    stored_record = with_steps(record, replayed.play, replayed.steps, replayed.states[-1])
    stored, _ = HandRecord.objects.update_or_create(
        hand=hand, defaults={"text": write(stored_record), "kept_at": by.at}
    )
    log(by, "record-attached", **table.log_keys, hand=number)
    return stored


@transaction.atomic
def detach_record(*, sitting_id: int, number: int, by: Actor) -> None:
    table = lock_table(sitting_id=sitting_id)
    if HandRecord.objects.filter(hand__sitting=sitting_id, hand__number=number).delete()[0]:
        log(by, "record-removed", **table.log_keys, hand=number)


def _record_of_hand(table: TableNow, hand: Hand, record: Record) -> Record:
    """Give the record the head that ``record_head`` makes from this table, or refuse the record."""
    # Only who won is known (*bare*), an organiser entered the result, or the hand is cancelled.
    if hand.kind == HandKind.BARE or hand.result_type or hand.struck_at is not None:
        text = gettext_noop("Nobody counted this hand: there is nothing to compare its moves with.")
        raise Refused("record-not-counted", text)
    head = record_head(table, hand.number, record.dealer)
    if (record.game, record.mode) != (head.game, head.mode) or (
        table.game.complete_options(record.options) != dict(table.options)
    ):
        text = gettext_noop(
            "These moves are from another game, another number of players or other house "
            "rules than this table’s."
        )
        raise Refused("record-elsewhere", text)
    return replace(head, packs=record.packs, moves=record.moves, sheet=record.sheet)


def record_head(table: TableNow, number: int, dealer: int) -> Record:
    """Return the *head* of a hand's record, in one query: all but its cards and moves.

    ``dealt_before`` has for each seat when its player dealt last at another table.
    """
    earlier = Hand.objects.filter(sitting=table.sitting_id, number__lt=number, struck_at=None)
    dealt_before = table.dealt_before
    return Record(
        game=table.game.slug,
        mode=table.mode.code,
        options=table.game.house_rules(table.options),
        first_dealer=table.first_dealer,
        dealt_before=dealt_before if any(deal is not None for deal in dealt_before) else (),
        before=tuple(earlier.order_by("number").values_list("sheet", flat=True)),
        dealer=dealer,
    )


def sheet_difference(game: AnyGame, session: Session, saved: Sheet, recorded: Sheet) -> Text | None:
    """Return the label of the first answer in which two result sheets of a hand differ, if any.

    An answer that the saved sheet leaves open may have any value in the recorded sheet.
    """
    saved_answers = plain(saved)
    for name, answer in plain(game.add_sheet(session, recorded).sheet).items():
        if saved_answers.get(name) not in (None, answer):
            labels = {question.name: question.label for question in game.questions(session)}
            # The dealer is on the sheet, though no question asks for it.
            return Text(labels.get(name, gettext_noop("who dealt")))
    return None
