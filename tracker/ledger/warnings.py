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


def _text_to_json(text: Text) -> dict[str, Any]:
    params = {hole: _to_json(value) for hole, value in text.params.items()}
    return {"template": text.template, "params": params}


def _to_json(value: object) -> object:
    match value:
        case AtSeat():
            return {"seat": value.seat}
        case OnSide():
            return {"side": value.side}
        case Text():
            return _text_to_json(value)
        case _:
            return value


def _text_from_json(stored: Mapping[str, Any]) -> Text:
    params = {hole: _from_json(value) for hole, value in stored["params"].items()}
    return Text(stored["template"], params)


def _from_json(value: Any) -> object:
    match value:
        case {"seat": seat}:
            return AtSeat(seat)
        case {"side": side}:
            return OnSide(side)
        case {"template": _, "params": _}:
            return _text_from_json(value)
        case _:
            return value
