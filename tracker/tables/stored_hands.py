"""Scored hands as they are stored: their fields, warnings as JSON, and comparison of results.

A *sheet* has the answers that are written down after a hand, keyed by question. It is *bare* if it
only says who won, or the finishing order, because nobody counted; *derived* if the rules filled in
answers that nobody counted. ``plain`` turns a value into what JSON gives back: tuples into lists.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from games.game import Session
from games.sheet import Card, Question, Scored, Sheet, plain
from games.wording import AtSeat, OnSide, SheetWarning, Text
from tracker.models import HandKind
from tracker.tables.table_now import TableNow


def score_fields(scored: Scored[Session]) -> dict[str, Any]:
    """Return the fields of ``Hand`` that store a score, as the database returns them."""
    return {
        "sheet": plain(scored.sheet),
        "dealer": scored.sheet["dealer"],
        "marks": None if scored.marks is None else [dict(marks) for marks in scored.marks],
        "kind": hand_kind(scored.sheet).value,
        "warnings": plain([warning_to_json(warning) for warning in scored.warnings]),
        "ends_game": scored.ends_game,
    }


def hand_kind(sheet: Sheet) -> HandKind:
    """Return whether the result of a completed sheet was counted, derived or bare."""
    if "bare" in sheet:
        return HandKind.BARE
    return HandKind.DERIVED if sheet.get("derived") else HandKind.COUNTED


def with_dealer(sheet: Sheet, dealer: int | None) -> Sheet:
    """Return the sheet with this dealer, unless it names one or says that none is known.

    >>> with_dealer({"bare": 1}, 2), with_dealer({"bare": 1, "dealer": None}, 2)
    ({'bare': 1, 'dealer': 2}, {'bare': 1, 'dealer': None})
    """
    if dealer is None or "dealer" in sheet:
        return sheet
    return {**sheet, "dealer": dealer}


def has_same_result(table: TableNow, session: Session, sheet: Sheet, stored: Sheet) -> bool:
    """Return whether a reported *sheet* agrees with a *stored* one; it need not name the dealer.

    :raises SheetError: if no such hand could be played from this *session*.
    """
    scored = table.game.add_sheet(session, with_dealer(sheet, stored["dealer"]))
    return same_result(table.game.questions(session), scored.sheet, stored)


def same_result(questions: Iterable[Question], sheet: Sheet, other: Sheet) -> bool:
    """Return whether two completed sheets have the same dealer and required answers.

    >>> same_result((), {"bare": 1, "dealer": 0}, {"bare": 1, "dealer": 0})
    True
    """
    if sheet["dealer"] != other["dealer"] or ("bare" in sheet) != ("bare" in other):
        return False
    if "bare" in sheet:
        return bool(plain(sheet["bare"]) == plain(other["bare"]))
    for question in questions:
        answers = plain([sheet.get(question.name), other.get(question.name)])
        if isinstance(question, Card) and question.ranks:
            # Where a rank suffices, one sheet may name the rank and the other the very card.
            answers = [_rank(question, card) for card in answers]
        if question.required and answers[0] != answers[1]:
            return False
    return True


def _rank(question: Card, card: object) -> object:
    """Return the rank with which the code of a card begins; the *card* if there is none."""
    return next((rank for rank, _ in question.ranks if str(card).startswith(rank)), card)


def warning_to_json(warning: SheetWarning) -> dict[str, Any]:
    """Return a warning as it is stored with a hand.

    >>> warning_to_json(SheetWarning("late", Text("%(who)s came late.", {"who": AtSeat(2)})))
    {'code': 'late', 'template': '%(who)s came late.', 'params': {'who': {'seat': 2}}}
    """
    return {"code": warning.code, **_text_to_json(warning.text)}


def warning_from_json(stored: Mapping[str, Any]) -> SheetWarning:
    """Return the warning that ``warning_to_json`` stored.

    >>> warning = SheetWarning("late", Text("%(who)s came late.", {"who": OnSide(1)}))
    >>> warning_from_json(warning_to_json(warning)) == warning
    True
    """
    return SheetWarning(stored["code"], _text_from_json(stored))


def without_templates(stored: object) -> object:
    """Return stored warnings without the wording of their texts: only codes and parameters.

    >>> without_templates([{"code": "late", "template": "%(who)s came late.", "params": {}}])
    [{'code': 'late', 'params': {}}]
    """
    match stored:
        case dict():
            items = stored.items()
            return {key: without_templates(value) for key, value in items if key != "template"}
        case list():
            return [without_templates(item) for item in stored]
        case _:
            return stored


def _text_to_json(text: Text) -> dict[str, Any]:
    params: dict[str, object] = {}
    for name, value in text.params.items():
        match value:
            case AtSeat():
                params[name] = {"seat": value.seat}
            case OnSide():
                params[name] = {"side": value.side}
            case Text():
                params[name] = _text_to_json(value)
            case _:
                params[name] = value
    return {"template": text.template, "params": params}


def _text_from_json(stored: Mapping[str, Any]) -> Text:
    params: dict[str, Any] = {}
    for name, value in stored["params"].items():
        match value:
            case {"seat": seat}:
                params[name] = AtSeat(seat)
            case {"side": side}:
                params[name] = OnSide(side)
            case {"template": _, "params": _}:
                params[name] = _text_from_json(value)
            case _:
                params[name] = value
    return Text(stored["template"], params)
