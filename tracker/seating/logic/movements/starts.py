"""Nights that are known already, from algebra or from a long search, to begin with."""

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from random import Random

from tracker.seating.logic.movements.golf import LETTERS, golf
from tracker.seating.logic.movements.seam import Shape
from tracker.seating.logic.movements.whist import KNOWN_SIZES, perfect

PLANS = Path(__file__).with_name("plans.json")  # found by tests/lab/seating/finder.py
_TWO_PAIRS = ((0, 2), (1, 3))
Rows = list[list[int]]


@cache
def _plans() -> dict[str, str]:
    plans: dict[str, str] = json.loads(PLANS.read_text())
    return plans


def planned(players: int, rounds: int) -> Rows | None:
    """Return by round who sits at tables of two pairs, four by four; ``None`` if it is not known.

    Whoever is missing in a round rests, nobody twice.
    """
    plan = _plans().get(f"{players}x{rounds}")
    if plan is None:
        return None
    return [[LETTERS.index(letter) for letter in row] for row in plan.split()]


def known_start(
    present: Sequence[Sequence[int]], shape: Shape, rng: Random
) -> tuple[Rows, bool] | None:
    """Return by round who sits at full tables of one shape, and whether that is the best known.

    Otherwise it is a night from which to go on searching. Who is who in it is by lot. There
    is none for people who come and go, other than to rest once.
    """
    rounds, tables = len(present), len(present[0]) // shape.size
    everybody = sorted({unit for units in present for unit in units})
    players = len(everybody)
    best = True
    rows: Rows | None = None
    if all(len(units) == players for units in present):
        golfed = golf(tables, shape.size)
        if len(golfed) >= rounds:
            rows = [[unit for table in row for unit in table] for row in golfed[:rounds]]
    if rows is None and shape.sides == _TWO_PAIRS:
        rows = planned(players, rounds)
        if rows is None and players in KNOWN_SIZES:
            rows = _from_perfect(players, rounds)
            best = rows is not None and rounds >= len(perfect(players))
    named = _named(rows, present, everybody, rng) if rows else None
    return (named, best) if named else None


def _from_perfect(players: int, rounds: int) -> Rows | None:
    """Return most of a perfect schedule or all of it, and whatever is known to follow it."""
    whole = [
        [
            unit
            for (player, partner), (other, others_partner) in tables
            for unit in (player, other, partner, others_partner)
        ]
        for tables in perfect(players)
    ]
    if 3 * rounds <= 2 * len(whole):
        return None  # there are better ones, in which fewer meet
    if rounds <= len(whole):
        return whole[:rounds]
    left = rounds - len(whole)
    more = planned(players, left) or _from_perfect(players, left)
    if more is None and players % 4 == 0 and left <= len(golf(players // 4, 4)):
        more = [[unit for table in row for unit in table] for row in golf(players // 4, 4)[:left]]
    return None if more is None else [*whole, *more]


def _named(
    rows: Rows, present: Sequence[Sequence[int]], everybody: Sequence[int], rng: Random
) -> Rows | None:
    """Return the rows with the units of this night, who rest in the rounds they are to."""
    numbers = range(len(everybody))
    names: dict[int, int] = {}
    for row, units in zip(rows, present, strict=True):
        rest_here = [number for number in numbers if number not in row]
        rest_there = [unit for unit in everybody if unit not in units]
        rng.shuffle(rest_there)
        if len(rest_here) != len(rest_there) or not names.keys().isdisjoint(rest_here):
            return None
        names.update(zip(rest_here, rest_there, strict=True))
    others = [unit for unit in everybody if unit not in names.values()]
    rng.shuffle(others)
    names.update(zip((number for number in numbers if number not in names), others, strict=False))
    if len(set(names.values())) < len(everybody):
        return None  # somebody rests twice
    return [[names[number] for number in row] for row in rows]
