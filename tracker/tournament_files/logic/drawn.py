"""How a round was drawn, in shapes: its settings, the question, the seating, and the account of it."""

from tracker.seating.logic.movements.catalogue import MOVEMENTS
from tracker.seating.logic.movements.seam import Kind, OpenedBy
from tracker.tournament_files.logic.shapes import Choice, Flag, Int, Moment, Opt, Ref, Text
from tracker.tournament_files.logic.structures import (
    SENTENCE,
    Many,
    Record,
    Row,
    Sentence,
    Withheld,
)

SMALL, FROM_ONE, WHEN, LARGE = Int(), Int(1), Opt(Moment()), Int(-(2**63), 2**63 - 1)
LENGTH, UNIT = Opt(FROM_ONE), Ref("entrants", gone=True)
UNITS = Many(UNIT)
FRACTION = Text(60, 1, r"-?\d{1,25}(/[1-9]\d{0,24})?")

MODE_SHAPE = Record({"code": Text(8), "sides": Many(Many(SMALL))})
TABLE_SEATING = Record(
    {
        "shape": MODE_SHAPE,
        "units": UNITS,
        "opener": Opt(SMALL),
        "number": Opt(SMALL),
        "label": Text(80),
        "merits": Opt(Many(Many(FRACTION))),
    },
    maybe={"locked": Flag(), "by_hand": Flag()},
)
ACCOUNT = Record(
    {
        "repeats": Many(Row((Choice(tuple(Kind)), UNIT, UNIT, SMALL, Many(SMALL))), 100_000),
        "bounds": Record({}, maybe={kind.value: SMALL for kind in Kind}),
        "notes": Many(
            Sentence({**SENTENCE, "code": Text(40), "units": UNITS, "round": Opt(SMALL)})
        ),
    }
)
ROUND_SEATING = Record(
    {"tables": Many(TABLE_SEATING), "resting": UNITS}, maybe={"account": Opt(ACCOUNT)}
)
QUESTION = Record(
    {
        "present": Many(UNITS),
        "shape": MODE_SHAPE,
        "other_shapes": Many(MODE_SHAPE),
        "odd_tables": Flag(),
        "tables": Opt(SMALL),
        "played": Many(ROUND_SEATING),
        "locked": Many(TABLE_SEATING),
        "keeps": Withheld(),
        "apart": Withheld(),
        "not_partners": Withheld(),
        "places": Many(UNITS),
        "seeds": UNITS,
        "dealt": Many(Row((UNIT, SMALL, SMALL, Opt(Int(-(2**15), -1))))),
        "opened_by": Choice(tuple(OpenedBy)),
        "third_place": Flag(),
        "seed": LARGE,
    },
    maybe={"points": Many(FRACTION)},
)
SETTINGS = Record(
    {
        "movement": Choice(tuple(MOVEMENTS)),
        "mode": Text(8),
        "odd_tables": Flag(),
        "length": LENGTH,
        "minutes": LENGTH,
    }
)
SEATING_PLAN = Record(
    {
        "settings": SETTINGS,
        "order": UNITS,
        "left_out": UNITS,
        "question": QUESTION,
        "seating": ROUND_SEATING,
        "account": ACCOUNT,
    },
    empty=True,
)
DRAW = {
    "number": FROM_ONE,
    "question": Record(
        {"settings": SETTINGS, "present": UNITS, "left_out": UNITS, "question": QUESTION}
    ),
    "seed": LARGE,
    "plan": Record({"tables": Many(TABLE_SEATING), "resting": UNITS, "account": ACCOUNT}),
    "drawn_at": Moment(),
    "published_at": WHEN,
}
