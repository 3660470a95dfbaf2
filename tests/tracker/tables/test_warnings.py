"""A warning is kept as JSON, and comes back as it was."""

import json

from games.wording import AtSeat, OnSide, SheetWarning, Text
from tracker.tables.stored_hands import warning_from_json, warning_to_json


def test_warning_comes_back_from_json_with_everything_its_sentence_names() -> None:
    warning = SheetWarning(
        "odd",
        Text(
            "%(who)s of %(side)s, %(points)d: %(why)s",
            {
                "who": AtSeat(2),
                "side": OnSide(1),
                "points": 7,
                "why": Text("%(who)s said so", {"who": AtSeat(0)}),
            },
        ),
    )

    assert warning_from_json(json.loads(json.dumps(warning_to_json(warning)))) == warning
