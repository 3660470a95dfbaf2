"""Cautions as JSON keeps them with a hand, and back again."""

from collections.abc import Mapping
from typing import Any

from games.wording import AtSeat, Caution, OnSide, Text


def kept_caution(caution: Caution) -> dict[str, Any]:
    """Return a caution as JSON can keep it.

    >>> kept_caution(Caution("late", Text("%(who)s came late.", {"who": AtSeat(2)})))
    {'code': 'late', 'template': '%(who)s came late.', 'params': {'who': {'seat': 2}}}
    """
    return {"code": caution.code, **_kept_text(caution.text)}


def caution_from(kept: Mapping[str, Any]) -> Caution:
    """Return the caution that ``kept_caution`` wrote down.

    >>> caution = Caution("late", Text("%(who)s came late.", {"who": OnSide(1)}))
    >>> caution_from(kept_caution(caution)) == caution
    True
    """
    return Caution(kept["code"], _text_from(kept))


def _kept_text(text: Text) -> dict[str, Any]:
    params = {hole: _kept(value) for hole, value in text.params.items()}
    return {"template": text.template, "params": params}


def _kept(value: object) -> object:
    match value:
        case AtSeat():
            return {"seat": value.seat}
        case OnSide():
            return {"side": value.side}
        case Text():
            return _kept_text(value)
        case _:
            return value


def _text_from(kept: Mapping[str, Any]) -> Text:
    params = {hole: _from(value) for hole, value in kept["params"].items()}
    return Text(kept["template"], params)


def _from(value: Any) -> object:
    match value:
        case {"seat": seat}:
            return AtSeat(seat)
        case {"side": side}:
            return OnSide(side)
        case {"template": _, "params": _}:
            return _text_from(value)
        case _:
            return value
