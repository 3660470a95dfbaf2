"""The record of a hand at a table: what it begins with, and whether the sheet agrees with it."""

from dataclasses import dataclass

from games.errors import RuleError, gettext_noop
from games.game import AnyGame, Session
from games.records.format import Record
from games.records.parser import read
from games.records.replayer import replay
from games.sheet import Sheet, plain
from games.wording import Text
from tracker.common.wording import Names, say
from tracker.models import Hand, HandRecord
from tracker.practice.replay_page import ReplayPage, replay_page
from tracker.tables.table import TableNow


@dataclass(frozen=True, slots=True)
class RecordPage:
    """A hand played again from its record.

    ``refusal`` says why it cannot be, ``amiss`` what the sheet, put right since, says otherwise.
    """

    page: ReplayPage | None
    refusal: str = ""
    amiss: str = ""


def head_of(table: TableNow, number: int, dealer: int) -> Record:
    """Return what the record of a hand begins with, in one query: all but the cards."""
    before = Hand.objects.filter(sitting=table.sitting_id, number__lt=number, struck_at=None)
    dealt_before = table.dealt_before
    return Record(
        game=table.game.slug,
        mode=table.mode.code,
        options=table.game.house_rules(table.options),
        first_dealer=table.first_dealer,
        dealt_before=dealt_before if any(when is not None for when in dealt_before) else (),
        before=tuple(before.order_by("number").values_list("sheet", flat=True)),
        dealer=dealer,
    )


def differing(game: AnyGame, session: Session, stands: Sheet, leaves: Sheet) -> Text | None:
    """Return what the two sheets of a hand differ in; ``None`` if they agree.

    What a table has not written down, a record may tell.
    """
    whole = plain(game.add_sheet(session, leaves).sheet)
    sheet = plain(stands)
    for name, recorded in whole.items():
        if sheet.get(name) not in (None, recorded):
            labels = {question.name: question.label for question in game.questions(session)}
            return Text(labels.get(name, gettext_noop("who dealt")))
    return None


def record_page(hand: Hand, names: Names, step: int) -> RecordPage | None:
    """Return the record of a hand as a page shows it, in one query; ``None`` without one."""
    record = HandRecord.objects.filter(hand=hand).first()
    if record is None:
        return None
    try:
        replayed = replay(read(record.text))
    except RuleError as error:  # the rules were changed since
        return RecordPage(None, refusal=say(error, names))
    amiss = differing(replayed.game, replayed.session, hand.sheet, replayed.sheet or {})
    return RecordPage(replay_page(replayed, names, step), amiss=say(amiss, names))
