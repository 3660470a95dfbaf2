"""Warnings as JSON keeps them with a hand, and back again."""

from collections.abc import Mapping
from typing import Any

from games.wording import AtSeat, OnSide, SheetWarning, Text


def warning_to_json(warning: SheetWarning) -> dict[str, Any]:
    """Return a warning as JSON can keep it.

    >>> warning_to_json(SheetWarning("late", Text("%(who)s came late.", {"who": AtSeat(2)})))
    {'code': 'late', 'template': '%(who)s came late.', 'params': {'who': {'seat': 2}}}
    """
    return {"code": warning.code, **_text_to_json(warning.text)}


def warning_from_json(stored: Mapping[str, Any]) -> SheetWarning:
    """Return the warning that ``warning_to_json`` wrote down.

    >>> warning = SheetWarning("late", Text("%(who)s came late.", {"who": OnSide(1)}))
    >>> warning_from_json(warning_to_json(warning)) == warning
    True
    """
    return SheetWarning(stored["code"], _text_from_json(stored))


def without_words(stored: object) -> object:
    """Return stored warnings without their words: their codes, and whom and what they name.

    >>> without_words([{"code": "late", "template": "%(who)s came late.", "params": {}}])
    [{'code': 'late', 'params': {}}]
    """
    match stored:
        case dict():
            return {key: without_words(each) for key, each in stored.items() if key != "template"}
        case list():
            return [without_words(each) for each in stored]
        case _:
            return stored


def _text_to_json(text: Text) -> dict[str, Any]:
    params: dict[str, object] = {}
    for hole, value in text.params.items():
        match value:
            case AtSeat():
                params[hole] = {"seat": value.seat}
            case OnSide():
                params[hole] = {"side": value.side}
            case Text():
                params[hole] = _text_to_json(value)
            case _:
                params[hole] = value
    return {"template": text.template, "params": params}


def _text_from_json(stored: Mapping[str, Any]) -> Text:
    params: dict[str, Any] = {}
    for hole, value in stored["params"].items():
        match value:
            case {"seat": seat}:
                params[hole] = AtSeat(seat)
            case {"side": side}:
                params[hole] = OnSide(side)
            case {"template": _, "params": _}:
                params[hole] = _text_from_json(value)
            case _:
                params[hole] = value
    return Text(stored["template"], params)
