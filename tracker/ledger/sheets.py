"""What two sheets of a hand have to do with each other: whether they say the same, and who deals."""

from collections.abc import Iterable

from games.sheet import Card, Question, Sheet, plain
from tracker.models import HandKind


def kind_of(sheet: Sheet) -> HandKind:
    """Say whether a completed sheet was counted, or how not."""
    if "bare" in sheet:
        return HandKind.BARE
    return HandKind.DERIVED if sheet.get("derived") else HandKind.COUNTED


def with_dealer(sheet: Sheet, dealer: int | None) -> Sheet:
    """Return a sheet that names its dealer, this one unless it answers that itself.

    >>> with_dealer({"bare": 1}, 2), with_dealer({"bare": 1, "dealer": None}, 2)
    ({'bare': 1, 'dealer': 2}, {'bare': 1, 'dealer': None})
    """
    if dealer is None or "dealer" in sheet:
        return sheet
    return {**sheet, "dealer": dealer}


def same_result(questions: Iterable[Question], sheet: Sheet, other: Sheet) -> bool:
    """Say whether two completed sheets agree in the dealer and all that must be answered.

    >>> same_result((), {"bare": 1, "dealer": 0}, {"bare": 1, "dealer": 0})
    True
    """
    if sheet["dealer"] != other["dealer"] or ("bare" in sheet) != ("bare" in other):
        return False
    if "bare" in sheet:
        return bool(plain(sheet["bare"]) == plain(other["bare"]))
    return all(_same_answer(question, sheet, other) for question in questions if question.required)


def _same_answer(question: Question, sheet: Sheet, other: Sheet) -> bool:
    first, second = plain([sheet.get(question.name), other.get(question.name)])
    if isinstance(question, Card) and question.ranks:
        # Where the rank alone suffices, a card says no more than its rank.
        first, second = _rank(question, first), _rank(question, second)
    return bool(first == second)


def _rank(question: Card, code: object) -> object:
    return next((rank for rank, _ in question.ranks if str(code).startswith(rank)), code)
