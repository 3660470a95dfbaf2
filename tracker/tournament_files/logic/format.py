"""The schemas of ``tournament.json``, the document in a tournament file.

Each ``dict`` has columns of one model (``STAGE`` of ``Tournament``, ``TABLE`` of ``Sitting``), by
whose names export and import read and write its rows; ``WHOLE_...`` adds the lists in it.
``FORMAT.md`` explains the fields, and ``movements.types`` those of a question and its plan.
"""

from collections.abc import Mapping

from tracker.movements.catalogue import MOVEMENTS
from tracker.movements.types import MeetingKind, OpenedBy
from tracker.tournament_files.logic.schema import (
    AnyJson,
    Boolean,
    ByRef,
    Integer,
    IsoMoment,
    ListOf,
    Moment,
    Nullable,
    Object,
    OneOf,
    Redacted,
    Ref,
    Schema,
    Sentence,
    String,
    TupleOf,
    Uid,
)

# Versions 1 and 2 lack the fields in ``SINCE_3`` (see ``document.with_ranking``), and have a dealer
# for every hand; version 1 has fewer kinds of acts, verdicts and issues.
FORMAT, FIRST_VERSION, VERSION = "kula-tournament", 1, 3
SINCE_3 = frozenset({"ranked_by", "unit", "given_at", "side_points", "decided_side", "decided_by"})

# Whole numbers as the database has them: in two bytes, from 0 or 1, and in eight bytes.
SMALL, FROM_ONE, LARGE = Integer(), Integer(1), Integer(-(2**63), 2**63 - 1)
FROM_ONE_OR_NULL, WHEN = Nullable(FROM_ONE), Nullable(Moment())
# A unit is what a movement seats: an entrant (a player or a team); null if it was deleted since.
UNIT = Ref("entrants", gone=True)
UNITS = ListOf(UNIT)
FRACTION = String(60, 1, r"-?\d{1,25}(/[1-9]\d{0,24})?")  # as text, such as "7" or "-9/2"


def _versioned_object(fields: Mapping[str, Schema]) -> Object:
    """Return the schema of an object; those of its fields in ``SINCE_3`` may be missing."""
    in_all_versions = {name: schema for name, schema in fields.items() if name not in SINCE_3}
    return Object(in_all_versions, {name: fields[name] for name in fields if name in SINCE_3})


# How a round was drawn ----------------------------------------------------------------------------
# A movement (a way to find who sits where) answers a question (all that it may know) with a plan.

# How many sit at a table: a code such as "4t2" (four in teams of two), and the places of each side.
MODE_SHAPE = Object({"code": String(8), "sides": ListOf(ListOf(SMALL))})
TABLE_SEATING = Object(
    {
        "shape": MODE_SHAPE,
        "units": UNITS,  # by place
        "opener": Nullable(SMALL),  # the place that deals first; null: the table draws for it
        "number": Nullable(SMALL),  # of the table in the hall; null until it has one
        "label": String(80),  # the name of a match of a bracket
        "merits": Nullable(ListOf(ListOf(FRACTION))),  # the result at each place, once it is known
    },
    optional={"locked": Boolean(), "by_hand": Boolean()},  # kept, or changed, by an organiser
)
# Two units who meet again: how (``MeetingKind``), both units, the round, and the earlier rounds.
REPEAT = TupleOf((OneOf(tuple(MeetingKind)), UNIT, UNIT, SMALL, ListOf(SMALL)))
NOTE = Sentence({**Sentence.FIELDS, "code": String(40), "units": UNITS, "round": Nullable(SMALL)})
# What a plan repeats, how many repeats of each kind no plan can avoid, and sentences on why.
ACCOUNT = Object(
    {
        "repeats": ListOf(REPEAT, 100_000),
        "bounds": Object({}, optional={kind.value: SMALL for kind in MeetingKind}),
        "notes": ListOf(NOTE),
    }
)
ROUND_SEATING = Object(
    {"tables": ListOf(TABLE_SEATING), "resting": UNITS}, optional={"account": Nullable(ACCOUNT)}
)
QUESTION = Object(
    {
        "present": ListOf(UNITS),  # who plays, for each round to be planned
        "shape": MODE_SHAPE,  # of the usual table
        "other_shapes": ListOf(MODE_SHAPE),  # of odd tables, if those are allowed
        "odd_tables": Boolean(),  # instead of resting, units left over sit at tables of other sizes
        "tables": Nullable(SMALL),  # not used any more; null in new files
        "played": ListOf(ROUND_SEATING),  # the earlier rounds
        "locked": ListOf(TABLE_SEATING),  # tables that the plan must keep
        # Seating wishes, which are private: always [].
        **dict.fromkeys(("keeps", "apart", "not_partners"), Redacted()),
        "places": ListOf(UNITS),  # the standing, the best first: units of equal rank together
        "seeds": UNITS,  # the strongest first
        # A unit, how often it dealt first and at all, and when last: -1 the latest, null never.
        "dealt": ListOf(TupleOf((UNIT, SMALL, SMALL, Nullable(Integer(-(2**15), -1))))),
        "opened_by": OneOf(tuple(OpenedBy)),  # how the first dealer of a table is chosen
        "third_place": Boolean(),  # whether a knock-out has a match for it
        "seed": LARGE,  # of the random choices
    },
    optional={"points": ListOf(FRACTION)},  # for each item of "places"
)
# What the organiser chose for the draw.
SETTINGS = Object(
    {
        "movement": OneOf(tuple(MOVEMENTS)),
        "mode": String(8),
        "odd_tables": Boolean(),
        **dict.fromkeys(("length", "minutes"), FROM_ONE_OR_NULL),  # of the round
    }
)
SEATING_PLAN = Object(
    {
        "settings": SETTINGS,
        "order": UNITS,  # who plays
        "left_out": UNITS,  # who could have played
        "question": QUESTION,
        "seating": ROUND_SEATING,
        "account": ACCOUNT,
    },
    empty=True,  # {} if there is no record of a draw
)
DRAW = {  # a round to come, which is drawn but not opened yet
    "number": FROM_ONE,
    "question": Object(
        {"settings": SETTINGS, "present": UNITS, "left_out": UNITS, "question": QUESTION}
    ),
    "seed": LARGE,
    "plan": Object({"tables": ListOf(TABLE_SEATING), "resting": UNITS, "account": ACCOUNT}),
    "drawn_at": Moment(),
    "published_at": WHEN,
}

# A table and its hands ----------------------------------------------------------------------------

SEAT: dict[str, Schema] = {
    "place": SMALL,
    "side": SMALL,
    "player": Ref("people"),
    "entrant": Ref("entrants"),
    "from_hand": FROM_ONE,
    "to_hand": Nullable(SMALL),  # the last hand of this stint; null while it runs
}
REPORT: dict[str, Schema] = {
    "entry": Uid(),  # from the phone: the same if it sends the report again
    "number": FROM_ONE,  # of the hand
    "side": Nullable(SMALL),  # for which it was sent; null for the whole table
    "device": Nullable(FROM_ONE),  # the same number for all reports of one phone
    "sheet": AnyJson(),
    "received_at": Moment(),
    "verdict": String(10),  # what became of it: a ``Verdict``
    "answer": Object(
        {},
        optional={
            "sent": Integer(-(2**31), 2**31),  # the number that the phone gave the hand
            "next_dealer": Nullable(SMALL),
            "may_deal": ListOf(SMALL),
            "over": Boolean(),  # whether the game is
        },
    ),
}
HAND: dict[str, Schema] = {
    "number": FROM_ONE,
    "session_before": AnyJson(),  # the state of the game before it
    "sheet": AnyJson(),  # the answers that the table wrote down
    "dealer": Nullable(SMALL),
    "marks": Nullable(ListOf(AnyJson(), 60)),  # the results by place; null if it does not count
    "kind": String(7),  # how much of it was counted: a ``HandKind``
    "warnings": ListOf(Sentence({**Sentence.FIELDS, "code": String(60)})),
    "ends_game": Boolean(),
    **dict.fromkeys(("confirmed_at", "struck_at"), WHEN),
    "recorded_at": Moment(),
    "result_type": String(15),  # of a result that an organiser entered, with the reason; or ""
    "reason": String(300),
}
HAND_RECORD: dict[str, Schema] = {"text": String(20_000), "kept_at": Moment()}  # the moves
ISSUE: dict[str, Schema] = {  # what a person has to settle, or a call for the organiser
    "number": SMALL,  # of the hand
    "kind": String(8),
    "report": Nullable(Ref("reports")),
    "note": String(200),
    "raised_at": Moment(),
    "settled_at": WHEN,
    "outcome": String(12),
    "reason": String(6),  # of a call, as the next: since when an organiser is on the way
    "taken_at": WHEN,
}
# Acts: log entries about hands. Others are not exported: the rest of the log belongs to the club.
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
ACT: dict[str, Schema] = {
    "verb": OneOf(ACTS),
    "at": Moment(),
    "on": Object({}, optional={"hand": SMALL, "hands": ListOf(SMALL), "issue": Ref("issues")}),
    "numbers": Object(
        {},
        optional={
            "before": AnyJson(),  # the sheet before the act, and after it
            "after": AnyJson(),
            "points": ByRef("entrants"),  # keyed by entrant: by how much the points changed
            "kind": String(8),
            "outcome": String(12),
            "after_hand": SMALL,
            "place": Nullable(SMALL),
        },
    ),
    "reason": String(300),
}
TABLE: dict[str, Schema] = {
    "uid": Uid(),
    "number": FROM_ONE,
    "mode": String(8, 1),
    "options": AnyJson(),
    "token_state": String(7),  # whether its address takes reports
    "first_dealer": SMALL,  # a place, as are the other dealers
    "dealt_before": ListOf(Nullable(Integer(-(2**15), -1))),  # by place, as in "dealt" above
    **dict.fromkeys(("chosen_dealer", "chosen_after"), Nullable(SMALL)),
    "started_at": Moment(),
    "finished_at": WHEN,
    "session": AnyJson(),  # the state of the game after the last hand
    "last_number": SMALL,  # of the last hand
    "last_at": WHEN,
    "next_dealer": SMALL,
    "may_deal": ListOf(SMALL),
    "over": Boolean(),  # no hand can follow
    **dict.fromkeys(("hands_standing", "games_over", "not_played", "open_conflicts"), SMALL),
    "side_points": Nullable(ListOf(Integer(-(2**31), 2**31 - 1), 60)),
    "decided_side": Nullable(SMALL),  # the winner, chosen while both sides had equal points
    "decided_by": String(9),
}

# A tournament -------------------------------------------------------------------------------------

# The clock of a round; {} without one. The site keeps its moments as text, as ``IsoMoment`` does.
CLOCK = Object(
    {
        "minutes": SMALL,
        "started_at": IsoMoment(),
        "paused_at": Nullable(IsoMoment()),
        "pauses": ListOf(TupleOf((IsoMoment(), IsoMoment()))),
        # More minutes for a table, keyed by its number.
        "extra": Object({}, optional={str(table): SMALL for table in range(1000)}),
    },
    empty=True,
)
RANKED_BY = OneOf(("game", "points", "share", "match_points"))
RANKED = Object({"entrant": UNIT, "place": SMALL, "tied": Boolean(), "points": FRACTION})
# What a table lacked when its round closed. "short": how many hands were not reported.
MISSING = Object({"table": SMALL, "short": SMALL, "issues": SMALL}, optional={"unconfirmed": SMALL})
PUBLISHED = Object(
    {"standing": ListOf(RANKED)},
    # Older sites did not store these.
    optional={"ranked_by": RANKED_BY, "tie_breaks": ListOf(String(40)), "missing": ListOf(MISSING)},
)
ROUND: dict[str, Schema] = {
    "uid": Uid(),
    "number": FROM_ONE,
    "state": String(7),
    **dict.fromkeys(("hands", "games"), FROM_ONE_OR_NULL),
    "clock": CLOCK,
    "seating_plan": SEATING_PLAN,
    "published_standing": Nullable(PUBLISHED),
    **dict.fromkeys(("opened_at", "closed_at"), WHEN),
}
ENTRANT: dict[str, Schema] = {
    "uid": Uid(),
    "player": Nullable(Ref("people")),
    "team": Nullable(Ref("teams")),
    **dict.fromkeys(("withdrawn_at", "reserve_since"), WHEN),
    "seed": FROM_ONE_OR_NULL,
}
AWARD: dict[str, Schema] = {
    "uid": Uid(),
    "entrant": Ref("entrants"),
    "round": Nullable(Ref("rounds")),
    "kind": String(7),
    "amount": Nullable(Integer(-(2**31), 2**31 - 1)),  # null: by the rule
    "rule": String(7),
    "unit": String(40),  # the figure that the amount adds to; "": the first
    "reason": String(300),
    "given_at": WHEN,
    "withdrawn_at": WHEN,
}
SETTLED_TIE = Object({"how": OneOf(("share", "cut", "play_off")), "order": UNITS})
STAGE: dict[str, Schema] = {
    "uid": Uid(),
    "name": String(80, 1),
    "game": String(30, 1),
    "mode": String(8, 1),
    "format": String(7),
    "options": AnyJson(),
    "ranked_by": RANKED_BY,
    "tie_breaks": ListOf(String(40)),
    **dict.fromkeys(("hands", "games", "planned", "minutes"), FROM_ONE_OR_NULL),
    "confirm": String(4),
    "movement": String(18),
    "leftover": String(9),
    "third_place": Boolean(),
    "rest_credit": String(7),
    "rest_points": Nullable(SMALL),
    "substitution": String(6),
    "places": FROM_ONE_OR_NULL,  # how many may enter
    "follows": Nullable(Ref("stages")),
    "stage": String(40),  # what it is called among the stages
    "carry_over": String(7),
    "created_at": Moment(),
    "provisional_until": Nullable(Moment(planned=True)),  # it may lie ahead
    "official_at": WHEN,
    "tie_resolutions": Nullable(ListOf(SETTLED_TIE)),
}
# Where the tournament was played, only for display.
ORIGIN: dict[str, Schema] = {
    "club": String(80, 1),
    "season": String(80),
    "nights": ListOf(Moment(as_text=True), 400),  # the site, too, keeps these as text
}
PERSON: dict[str, Schema] = {"name": String(60, 1), "erased_at": WHEN}
TEAM: dict[str, Schema] = {"name": String(80, 1), "roster": ListOf(Ref("people"), 50)}
WHOLE_HAND = Object({**HAND, "report": Ref("reports"), "record": Nullable(Object(HAND_RECORD))})
WHOLE_TABLE = _versioned_object(
    {
        **TABLE,
        "seats": ListOf(Object(SEAT), 500, least=1),
        "reports": ListOf(Object(REPORT), 20_000),
        "hands": ListOf(WHOLE_HAND, 1000),
        "issues": ListOf(Object(ISSUE), 20_000),
        "acts": ListOf(Object(ACT), 20_000),
    }
)
WHOLE_ROUND = Object(
    {**ROUND, "rests": ListOf(Ref("entrants")), "tables": ListOf(WHOLE_TABLE, 1000)}
)
WHOLE_STAGE = _versioned_object(
    {
        **STAGE,
        "entrants": ListOf(Object(ENTRANT)),
        "rounds": ListOf(WHOLE_ROUND, 500),
        "awards": ListOf(_versioned_object(AWARD), 20_000),
        "draws": ListOf(Object(DRAW), 200),
    }
)
DOCUMENT = Object(
    {
        "format": OneOf((FORMAT,)),
        "version": Integer(FIRST_VERSION, VERSION),
        "origin": Object(ORIGIN),
        "people": ListOf(Object(PERSON)),
        "teams": ListOf(Object(TEAM)),
        "stages": ListOf(WHOLE_STAGE, 50, least=1),
    }
)
