"""The JSON of saved draws and rounds: settings, movement questions, seatings and accounts.

An account has the units that meet again (*repeats*), how many repeats no plan can avoid (*bounds*),
and *notes* for people. Classes are in ``tracker.movements.types``; JSON has ``places`` for
``standing``, ``dealt`` for ``deal_counts``.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import Any

from tracker.movements.types import (
    DealCounts,
    MeetingKind,
    OpenedBy,
    PlanAccount,
    PlanNote,
    Question,
    Repeat,
    RoundSeating,
    TableSeating,
    TableShape,
    Wishes,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawSettings:
    """The settings of a draw: how people are seated, at which tables, and for how long.

    ``movement`` and ``mode`` (the number of players and the sides) are codes. With ``odd_tables``
    the entrants left over sit at tables of another size instead of sitting out. ``length`` counts
    hands, or games in a game whose rounds count those; ``None`` is the tournament's usual length.
    With ``minutes`` a clock starts with the round.
    """

    movement: str
    mode: str
    odd_tables: bool = False
    length: int | None = None
    minutes: int | None = None


def round_to_json(seating: RoundSeating) -> dict[str, Any]:
    return {
        "tables": [_table_to_json(table) for table in seating.tables],
        "resting": list(seating.resting),
    }


def round_from_json(saved: Mapping[str, Any]) -> RoundSeating:
    return RoundSeating(
        tables=tuple(_table_from_json(table) for table in saved["tables"]),
        resting=tuple(saved["resting"]),
    )


def account_to_json(account: PlanAccount) -> dict[str, Any]:
    """Return an account as JSON; a repeat is a list of kind, unit, unit, round, earlier rounds."""
    return {
        "repeats": [
            [str(repeat.kind), *repeat.units, repeat.round, list(repeat.before)]
            for repeat in account.repeats
        ],
        "bounds": {str(kind): bound for kind, bound in account.bounds.items()},
        "notes": [{**asdict(note), "units": list(note.units)} for note in account.notes],
    }


def account_from_json(saved: Mapping[str, Any]) -> PlanAccount:
    return PlanAccount(
        repeats=tuple(
            Repeat(kind=MeetingKind(kind), units=(one, two), round=number, before=tuple(before))
            for kind, one, two, number, before in saved["repeats"]
        ),
        bounds={MeetingKind(kind): bound for kind, bound in saved["bounds"].items()},
        notes=tuple(PlanNote(**{**note, "units": tuple(note["units"])}) for note in saved["notes"]),
    )


def question_to_json(question: Question) -> dict[str, Any]:
    """Return a question as JSON with all that the movement needs to give the same plan again."""
    return {
        "present": [list(units) for units in question.present],  # for each round to be planned
        # That of the usual table; with ``odd_tables`` units left over sit at other shapes.
        "shape": _shape_to_json(question.shape),
        "other_shapes": list(map(_shape_to_json, question.other_shapes)),
        "odd_tables": question.odd_tables,
        "tables": None,  # not read any more, but older versions of the program expect it
        "played": [round_to_json(seating) for seating in question.played],
        "locked": [_table_to_json(table) for table in question.locked],  # these stay as they are
        # Wishes: units with the table promised to them, and pairs to be kept apart.
        "keeps": sorted(question.wishes.keeps.items()),
        "apart": _pairs(question.wishes.apart),
        "not_partners": _pairs(question.wishes.not_partners),
        # The standing: groups of units with equal rank, the best first; and each group's points.
        "places": [list(group) for group in question.standing],
        "points": list(map(str, question.points)),
        "seeds": list(question.seeds),  # units in order of strength
        # How often each unit dealt first at a table, how often at all, and when last (-1: latest).
        "dealt": [
            [unit, counts.opened, counts.dealt, counts.last_dealt]
            for unit, counts in sorted(question.deal_counts.items())
        ],
        "opened_by": str(question.opened_by),  # how first dealers are found
        "third_place": question.third_place,  # whether a knock-out has a match for it
        "seed": question.seed,  # for the movement's random choices
    }


def question_from_json(saved: Mapping[str, Any]) -> Question:
    return Question(
        present=tuple(map(tuple, saved["present"])),
        shape=_shape_from_json(saved["shape"]),
        other_shapes=tuple(map(_shape_from_json, saved["other_shapes"])),
        odd_tables=saved["odd_tables"],
        played=tuple(map(round_from_json, saved["played"])),
        locked=tuple(map(_table_from_json, saved["locked"])),
        wishes=Wishes(
            keeps=dict(saved["keeps"]),
            apart=frozenset(map(frozenset, saved["apart"])),
            not_partners=frozenset(map(frozenset, saved["not_partners"])),
        ),
        standing=tuple(map(tuple, saved["places"])),
        points=tuple(map(Fraction, saved.get("points", ()))),  # older draws have none
        seeds=tuple(saved["seeds"]),
        deal_counts={
            unit: DealCounts(opened=opened, dealt=dealt, last_dealt=last)
            for unit, opened, dealt, last in saved["dealt"]
        },
        opened_by=OpenedBy(saved["opened_by"]),
        third_place=saved["third_place"],
        seed=saved["seed"],
    )


def _pairs(pairs: frozenset[frozenset[int]]) -> list[list[int]]:
    return sorted(sorted(pair) for pair in pairs)


def _shape_to_json(shape: TableShape) -> dict[str, Any]:
    return {"code": shape.code, "sides": list(map(list, shape.sides))}


def _shape_from_json(saved: Mapping[str, Any]) -> TableShape:
    return TableShape(saved["code"], tuple(map(tuple, saved["sides"])))


def _table_to_json(table: TableSeating) -> dict[str, Any]:
    merits = table.merits  # each unit's result, if known: numbers compared one after another
    return {
        "shape": _shape_to_json(table.shape),
        "units": list(table.units),
        "opener": table.opener,
        "number": table.number,
        "label": table.label,  # such as the name of a match of a knock-out
        "merits": None if merits is None else [list(map(str, merit)) for merit in merits],
    }


def _table_from_json(saved: Mapping[str, Any]) -> TableSeating:
    merits = saved["merits"]
    return TableSeating(
        shape=_shape_from_json(saved["shape"]),
        units=tuple(saved["units"]),
        opener=saved["opener"],
        number=saved["number"],
        label=saved["label"],
        merits=None if merits is None else tuple(tuple(map(Fraction, merit)) for merit in merits),
    )
