"""Sheets as a few words: what a hand came to, whatever the game, also of a sheet that was refused."""

from collections.abc import Iterable
from contextlib import suppress

from django.utils.translation import gettext, pgettext

from games.errors import RuleError
from games.game import Session
from games.sheet import VOID, Sheet
from tracker.common.sheet_lines import Line, lines, side_by_side, totals
from tracker.common.wording import Names, say
from tracker.ledger.table import TableNow


def result(table: TableNow, session: Session, sheet: Sheet, names: Names) -> str:
    """Return what a sheet says: its count, or else who won.

    Of one that does not add up it is the count, of one from older rules what they say of it.
    """
    if sheet.get("bare") == VOID:
        return gettext("counts for nothing")
    counted = _without_the_answer(sheet) if "bare" in sheet else sheet
    try:
        complete = table.game.add_sheet(session, sheet).sheet
        return totals(table.game, session, counted if "bare" in sheet else complete) or say(
            table.game.headline(session, complete), names
        )
    except RuleError as refusal:
        return totals(table.game, session, counted) or say(refusal, names)


def differing(
    table: TableNow, session: Session, sheets: tuple[Sheet, Sheet], names: Names
) -> tuple[str, str]:
    """Return what each of two sheets of a hand answers otherwise than the other, in a few words."""
    first, second = side_by_side(*(_lines(table, session, sheet, names) for sheet in sheets))
    return _marked(first), _marked(second)


def _lines(table: TableNow, session: Session, sheet: Sheet, names: Names) -> tuple[Line, ...]:
    """Return what a sheet answers, completed where the rules take it."""
    with suppress(RuleError):
        sheet = table.game.add_sheet(session, sheet).sheet
    return lines(table.game, session, sheet, names)


def _marked(answers: Iterable[Line]) -> str:
    named = (f"{line.label} {line.value}" for line in answers if line.differs)
    return pgettext("between several answers", ", ").join(named)


def _without_the_answer(sheet: Sheet) -> Sheet:
    """Return what a parked sheet counted, beside what it was parked with."""
    return {name: value for name, value in sheet.items() if name != "bare"}
