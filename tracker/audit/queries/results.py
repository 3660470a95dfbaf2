"""Sheets as a few words: what a hand came to, whatever the game, also of a sheet that was refused."""

from django.utils.translation import gettext

from games.errors import RuleError
from games.game import Session
from games.sheet import VOID, Sheet
from tracker.common.sheet_lines import totals
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


def _without_the_answer(sheet: Sheet) -> Sheet:
    """Return what a parked sheet counted, beside what it was parked with."""
    return {name: value for name, value in sheet.items() if name != "bare"}
