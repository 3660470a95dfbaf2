"""Sheet: what a table counted and wrote down of one deal, read with suspicion (S40, S41)."""

from games.briscola.options import cards_for
from games.counting import read_count
from games.errors import gettext_noop
from games.mode import Mode
from games.option import Options
from games.sheet import Sheet
from games.sheet_validation import answers_of, card

ASTRAY = {
    -2: gettext_noop("The totals make %(total)d, not %(all)d: 2 too few. Is a Jack missing?"),
    -3: gettext_noop("The totals make %(total)d, not %(all)d: 3 too few. Is a Horse missing?"),
    -4: gettext_noop("The totals make %(total)d, not %(all)d: 4 too few. Is a King missing?"),
    -10: gettext_noop("The totals make %(total)d, not %(all)d: 10 too few. Is a Three missing?"),
    -11: gettext_noop("The totals make %(total)d, not %(all)d: 11 too few. Is an Ace missing?"),
    2: gettext_noop("The totals make %(total)d, not %(all)d: 2 too many. A Jack counted twice?"),
    3: gettext_noop("The totals make %(total)d, not %(all)d: 3 too many. A Horse counted twice?"),
    4: gettext_noop("The totals make %(total)d, not %(all)d: 4 too many. A King counted twice?"),
    10: gettext_noop("The totals make %(total)d, not %(all)d: 10 too many. A Three counted twice?"),
    11: gettext_noop("The totals make %(total)d, not %(all)d: 11 too many. An Ace counted twice?"),
}
_QUESTIONS = frozenset({"points", "face_up"})


def read_counted(mode: Mode, options: Options, sheet: Sheet) -> dict[str, object]:
    """Return the answers of a counted sheet; one missing count may be filled in (S1).

    :raises SheetError: if no finished deal leaves such a sheet (S41).
    """
    fill_last = bool(options["fill_last_side"])
    answers = answers_of(sheet, _QUESTIONS | {"derived"} if fill_last else _QUESTIONS)
    completed = read_count(answers, mode, question="points", fill_last=fill_last, astray=ASTRAY)
    if answers.get("face_up") is not None:
        codes = {str(each) for each in cards_for(mode, options)}
        completed["face_up"] = card(answers["face_up"], codes, question="face_up")
    return completed
