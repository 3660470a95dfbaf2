"""Sheets that real cards could leave, made without the engines that will read them."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, TypeAlias

Sheet: TypeAlias = dict[str, Any]
# A table's mode, and what its kept session says, to a sheet.
Maker: TypeAlias = Callable[[Random, Sequence[Sequence[int]], dict[str, Any]], Sheet]

_SUIT = {"A": 11, "7": 10, "K": 4, "J": 3, "Q": 2, "6": 0, "5": 0, "4": 0, "3": 0}


def albastini(rng: Random, sides: Sequence[Sequence[int]], _session: dict[str, Any]) -> Sheet:
    """Share out the 36 cards; with five players one is left over (R9)."""
    pack = [rank for rank in _SUIT for _ in range(4)]
    rng.shuffle(pack)
    left = [pack.pop()] if sum(map(len, sides)) == 5 else []
    eaten = _shared([_SUIT[rank] for rank in pack], len(sides), rng)
    return {"eaten": eaten, **({"face_up": left[0]} if left else {})}


def briscola(rng: Random, sides: Sequence[Sequence[int]], _session: dict[str, Any]) -> Sheet:
    pack = [11, 10, 4, 3, 2, 0, 0, 0, 0, 0] * 4
    return {"points": _shared(pack, len(sides), rng)}


def dalmuti(rng: Random, sides: Sequence[Sequence[int]], session: dict[str, Any]) -> Sheet:
    order = rng.sample(range(len(sides)), len(sides))
    sheet: Sheet = {"order": order[: len(order) - rng.randrange(2)]}
    if session["order"] is None and rng.randrange(3) == 0:
        sheet["opening"] = rng.sample(range(len(sides)), len(sides))
    return sheet


def mambassa(rng: Random, sides: Sequence[Sequence[int]], session: dict[str, Any]) -> Sheet:
    """Let some of those who still hold tokens pay; now and then somebody declares."""
    playing = [seat for seat in range(len(sides)) if session["tokens"][seat]]
    match rng.randrange(5):
        case 0:
            return {"event": "mambassa", "declarer": rng.choice(playing)}
        case 1:
            declarer, payer = rng.sample(playing, 2)
            return {"event": "quarantuna", "declarer": declarer, "payers": [payer]}
        case _:
            return {"event": "normal", "payers": rng.sample(playing, rng.choice((1, 1, 2)))}


MAKERS: dict[str, Maker] = {
    "albastini": albastini,
    "briscola": briscola,
    "dalmuti": dalmuti,
    "mambassa": mambassa,
}


def bare(rng: Random, game: str, sides: Sequence[Sequence[int]]) -> Sheet:
    """Return the sheet of a table that did not count."""
    if rng.randrange(4) == 0:
        return {"bare": "void"}
    if game in {"dalmuti", "mambassa"}:
        return {"bare": rng.sample(range(len(sides)), len(sides))}
    return {"bare": rng.choice([None, *range(len(sides))])}


def _shared(pack: list[int], sides: int, rng: Random) -> list[int]:
    """Share out the values of a pack among the sides, some of which take far more than others."""
    weights = [rng.random() + 0.05 for _ in range(sides)]
    totals = [0] * sides
    for value in pack:
        totals[rng.choices(range(sides), weights)[0]] += value
    return totals
