"""A caution is kept as JSON, and comes back as it was."""

import json

from games.wording import AtSeat, Caution, OnSide, Text
from tracker.logic.cautions import caution_from, kept_caution


def test_caution_comes_back_from_json_with_everything_its_sentence_names() -> None:
    caution = Caution(
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

    assert caution_from(json.loads(json.dumps(kept_caution(caution)))) == caution
