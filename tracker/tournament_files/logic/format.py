"""The file format: the shapes of ``tournament.json``, which ``FORMAT.md`` explains."""

from collections.abc import Mapping

from tracker.tournament_files.logic.drawn import (
    DRAW,
    FRACTION,
    FROM_ONE,
    LENGTH,
    SEATING_PLAN,
    SMALL,
    UNIT,
    UNITS,
    WHEN,
)
from tracker.tournament_files.logic.shapes import (
    Choice,
    Flag,
    Int,
    IsoMoment,
    Moment,
    Opt,
    Ref,
    Shape,
    Text,
    Uid,
    WrittenMoment,
)
from tracker.tournament_files.logic.structures import (
    SENTENCE,
    ByRef,
    Many,
    Plain,
    Record,
    Row,
    Scope,
    Sentence,
)

# Version 1 knew fewer acts, verdicts and issues, and 2 the dealer of every hand; whatever they
# say is said alike in 3. What is ``SINCE_3`` is missing in both, and ``incoming`` says what it was.
FORMAT, FIRST_VERSION, VERSION = "kula-tournament", 1, 3
SINCE_3 = frozenset({"ranked_by", "unit", "given_at", "side_points", "decided_side", "decided_by"})


def _record(fields: Mapping[str, Shape], kind: type[Record] = Record) -> Record:
    older = {name: shape for name, shape in fields.items() if name not in SINCE_3}
    return kind(older, {name: shape for name, shape in fields.items() if name in SINCE_3})


# A table and its hands ----------------------------------------------------------------------------

SHEET = Plain()
MARKS = Many(Plain(), 60)
WARNINGS = Many(Sentence({**SENTENCE, "code": Text(60)}))
DEALT_BEFORE = Many(Opt(Int(-(2**15), -1)))
SEAT: dict[str, Shape] = {
    "place": SMALL,
    "side": SMALL,
    "player": Ref("people"),
    "entrant": Ref("entrants"),
    "from_hand": FROM_ONE,
    "to_hand": Opt(SMALL),
}
REPORT: dict[str, Shape] = {
    "entry": Uid(),
    "number": FROM_ONE,
    "side": Opt(SMALL),
    "device": Opt(FROM_ONE),
    "sheet": SHEET,
    "received_at": Moment(),
    "verdict": Text(10),
    "answer": Record(
        {},
        maybe={
            "sent": Int(-(2**31), 2**31),
            "next_dealer": Opt(SMALL),
            "may_deal": Many(SMALL),
            "over": Flag(),
        },
    ),
}
HAND: dict[str, Shape] = {
    "number": FROM_ONE,
    "session_before": Plain(),
    "sheet": SHEET,
    "dealer": Opt(SMALL),
    "marks": Opt(MARKS),
    "kind": Text(7),
    "warnings": WARNINGS,
    "ends_game": Flag(),
    "confirmed_at": WHEN,
    "struck_at": WHEN,
    "recorded_at": Moment(),
    "result_type": Text(15),
    "reason": Text(300),
}
HAND_RECORD: dict[str, Shape] = {"text": Text(20_000), "kept_at": Moment()}
ISSUE: dict[str, Shape] = {
    "number": SMALL,
    "kind": Text(8),
    "report": Opt(Ref("reports")),
    "note": Text(200),
    "raised_at": Moment(),
    "settled_at": WHEN,
    "outcome": Text(12),
    "reason": Text(6),
    "taken_at": WHEN,
}
# What was done to hands. Only these go along: the rest of the log is the club's own.
ACTS = (
    "sitting-corrected",
    "issue-settled",
    "hand-amended",
    "paper-written-down",
    "dealer-chosen",
    "hand-confirmed",
    "hands-confirmed",
    "hand-taken-back",
    "hand-brought-back",
    "change-asked",
)
SHEETS = Plain()
POINTS = ByRef("entrants", Plain())
ACT: dict[str, Shape] = {
    "verb": Choice(ACTS),
    "at": Moment(),
    "on": Record({}, maybe={"hand": SMALL, "hands": Many(SMALL), "issue": Ref("issues")}),
    "numbers": Record(
        {},
        maybe={
            "before": SHEETS,
            "after": SHEETS,
            "points": POINTS,
            "kind": Text(8),
            "outcome": Text(12),
            "after_hand": SMALL,
            "place": Opt(SMALL),
        },
    ),
    "reason": Text(300),
}
TABLE: dict[str, Shape] = {
    "uid": Uid(),
    "number": FROM_ONE,
    "mode": Text(8, 1),
    "options": Plain(),
    "token_state": Text(7),
    "first_dealer": SMALL,
    "dealt_before": DEALT_BEFORE,
    "chosen_dealer": Opt(SMALL),
    "chosen_after": Opt(SMALL),
    "started_at": Moment(),
    "finished_at": WHEN,
    "session": Plain(),
    "last_number": SMALL,
    "last_at": WHEN,
    "next_dealer": SMALL,
    "may_deal": Many(SMALL),
    "over": Flag(),
    "hands_standing": SMALL,
    "games_over": SMALL,
    "not_played": SMALL,
    "open_conflicts": SMALL,
    "side_points": Opt(Many(Int(-(2**31), 2**31 - 1), 60)),
    "decided_side": Opt(SMALL),
    "decided_by": Text(9),
}

# A tournament -------------------------------------------------------------------------------------

CLOCK = Record(
    {
        "minutes": SMALL,
        "started_at": IsoMoment(),
        "paused_at": Opt(IsoMoment()),
        "pauses": Many(Row((IsoMoment(), IsoMoment()))),
        "extra": Record({}, maybe={str(table): SMALL for table in range(1000)}),
    },
    empty=True,
)
RANKED_BY = Choice(("game", "points", "share", "match_points"))
PUBLISHED = Record(
    {
        "standing": Many(
            Record({"entrant": UNIT, "place": SMALL, "tied": Flag(), "points": FRACTION})
        )
    },
    maybe={
        "ranked_by": RANKED_BY,
        "tie_breaks": Many(Text(40)),
        "missing": Many(
            Record({"table": SMALL, "short": SMALL, "issues": SMALL}, maybe={"unconfirmed": SMALL})
        ),
    },
)
ROUND: dict[str, Shape] = {
    "uid": Uid(),
    "number": FROM_ONE,
    "state": Text(7),
    "hands": LENGTH,
    "games": LENGTH,
    "clock": CLOCK,
    "seating_plan": SEATING_PLAN,
    "published_standing": Opt(PUBLISHED),
    "opened_at": WHEN,
    "closed_at": WHEN,
}
ENTRANT: dict[str, Shape] = {
    "uid": Uid(),
    "player": Opt(Ref("people")),
    "team": Opt(Ref("teams")),
    "withdrawn_at": WHEN,
    "reserve_since": WHEN,
    "seed": LENGTH,
}
AWARD: dict[str, Shape] = {
    "uid": Uid(),
    "entrant": Ref("entrants"),
    "round": Opt(Ref("rounds")),
    "kind": Text(7),
    "amount": Opt(Int(-(2**31), 2**31 - 1)),
    "rule": Text(7),
    "unit": Text(40),
    "reason": Text(300),
    "given_at": WHEN,
    "withdrawn_at": WHEN,
}
STAGE: dict[str, Shape] = {
    "uid": Uid(),
    "name": Text(80, 1),
    "game": Text(30, 1),
    "mode": Text(8, 1),
    "format": Text(7),
    "options": Plain(),
    "ranked_by": RANKED_BY,
    "tie_breaks": Many(Text(40)),
    "hands": LENGTH,
    "games": LENGTH,
    "planned": LENGTH,
    "minutes": LENGTH,
    "confirm": Text(4),
    "movement": Text(18),
    "leftover": Text(9),
    "third_place": Flag(),
    "rest_credit": Text(7),
    "rest_points": Opt(SMALL),
    "substitution": Text(6),
    "places": LENGTH,
    "follows": Opt(Ref("stages")),
    "stage": Text(40),
    "carry_over": Text(7),
    "created_at": Moment(),
    "provisional_until": Opt(Moment(planned=True)),
    "official_at": WHEN,
    "tie_resolutions": Opt(
        Many(Record({"how": Choice(("share", "cut", "play_off")), "order": UNITS}))
    ),
}
# Where it was played, to be read by people; nothing hangs on it.
ORIGIN: dict[str, Shape] = {
    "club": Text(80, 1),
    "season": Text(80),
    "nights": Many(WrittenMoment(), 400),
}
PERSON: dict[str, Shape] = {"name": Text(60, 1), "erased_at": WHEN}
TEAM: dict[str, Shape] = {"name": Text(80, 1), "roster": Many(Ref("people"), 50)}
WHOLE_HAND = Record(
    {**HAND, "report": Ref("reports"), "record": Opt(Record(HAND_RECORD))},
)
WHOLE_TABLE = _record(
    {
        **TABLE,
        "seats": Many(Record(SEAT), 500, least=1),
        "reports": Many(Record(REPORT), 20_000),
        "hands": Many(WHOLE_HAND, 1000),
        "issues": Many(Record(ISSUE), 20_000),
        "acts": Many(Record(ACT), 20_000),
    },
    Scope,
)
WHOLE_ROUND = Record({**ROUND, "rests": Many(Ref("entrants")), "tables": Many(WHOLE_TABLE, 1000)})
WHOLE_STAGE = _record(
    {
        **STAGE,
        "entrants": Many(Record(ENTRANT)),
        "rounds": Many(WHOLE_ROUND, 500),
        "awards": Many(_record(AWARD), 20_000),
        "draws": Many(Record(DRAW), 200),
    },
    Scope,
)
DOCUMENT = Scope(
    {
        "format": Choice((FORMAT,)),
        "version": Int(FIRST_VERSION, VERSION),
        "origin": Record(ORIGIN),
        "people": Many(Record(PERSON)),
        "teams": Many(Record(TEAM)),
        "stages": Many(WHOLE_STAGE, 50, least=1),
    }
)
