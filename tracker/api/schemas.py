"""The schemas of requests and responses: rows as they are stored, and the values that pages show.

A field is read from the attribute of its name or alias. Keys of other rows end in ``_id`` (a
``table_id`` is that of a sitting, a table in one round), places and sides begin at 0, moments are
ISO 8601. A figure is a number as in exported files.
"""

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from fractions import Fraction
from typing import Annotated, Any, Generic, TypeVar
from uuid import UUID

from django.utils.translation import gettext
from ninja import Field, Schema
from pydantic import BeforeValidator, StringConstraints, ValidatorFunctionWrapHandler, WrapValidator
from pydantic_core import PydanticCustomError

from games.sheet import Question
from tracker.common.figures import file_figure
from tracker.models import RoundState
from tracker.nights.services.closing import Unconfirmed
from tracker.results.pages.hands import HandRow, HandState
from tracker.standings.queries.standings import Standing, StandingRow
from tracker.tables.sql import LARGEST_KEY
from tracker.tables.table_now import TableNow, aware
from tracker.tables.table_row import Stint


def _number(value: Fraction | Decimal | int) -> int | float:
    return int(value) if value == int(value) else float(value)


ItemT = TypeVar("ItemT")
Key = Annotated[int, Field(ge=1, le=LARGEST_KEY)]
Figure = Annotated[int | float, BeforeValidator(_number)]  # a whole one without a point
Moment = Annotated[datetime, BeforeValidator(aware)]


class PageOut(Schema, Generic[ItemT]):
    """The rows after the cursor, in the order of their ids."""

    items: list[ItemT]
    total: int = Field(description="of all pages")
    next: int | None = Field(description="the cursor of the next page; null on the last")


class _RowOut(Schema):
    id: int
    uid: UUID


class PersonOut(Schema):
    id: int
    name: str


class ClubOut(_RowOut):
    name: str
    public: bool


class PlayerOut(_RowOut):
    club_id: int
    name: str
    visitor_from: str = Field(description="the home club of a visitor; empty for others")


class TournamentOut(_RowOut):
    club_id: int
    season_id: int | None
    name: str
    game: str
    mode: str
    format: str
    movement: str
    ranked_by: str
    hands: int | None = Field(description="of a round")
    games: int | None
    planned_rounds: int | None = Field(alias="planned")
    minutes: int | None
    previous_stage_id: int | None = Field(alias="follows_id")
    stage: str
    created_at: datetime
    provisional_until: datetime | None
    official_at: datetime | None


class NightOut(Schema):
    # No ``uid``: it is the secret in the link for replies.
    id: int
    club_id: int
    place: str
    games: str
    starts_at: datetime
    ended_at: datetime | None


class NightNowOut(NightOut):
    here: list[PersonOut]
    tournaments: list[TournamentOut]


class SeatOut(Schema):
    place: int
    side: int
    player_id: int
    entrant_id: int
    name: str


class QuestionOut(Schema):
    """What the sheet of the coming hand asks."""

    name: str = Field(description="its key in the sheet")
    label: str
    kind: str = Field(description="number, order, choice, card, seat, seats")
    per: str = Field(description="hand, side, seat: of the latter two the answer is a list")
    count: tuple[int, int] = Field(description="the least and most values of an answer")
    required: bool
    low: int | None = Field(None, description="of a number")
    high: int | None = None
    values: list[int | str | None] = Field(description="of a choice or a card")
    seats: list[int] = []

    @staticmethod
    def resolve_label(question: Question) -> str:
        return gettext(question.label)

    @staticmethod
    def resolve_kind(question: Question) -> str:
        return type(question).__name__.lower()

    @staticmethod
    def resolve_values(question: Question) -> list[int | str | None]:
        labelled = getattr(question, "choices", getattr(question, "cards", ()))
        return [value for value, _label in labelled]


class TurnOut(Schema):
    """One possible outcome of the coming hand, and who deals then."""

    outcome: str
    side: int | None = Field(description="that wins")
    place: int | None = Field(description="that deals then; null if cards decide")
    dealer: str | None


class ProgressOut(Schema):
    """How many results came, of hands or, if the round counts those, of games."""

    done: int
    not_played: int
    of: int | None = Field(description="how many there should be")
    owed: int


class ToDoOut(Schema):
    issues: int = Field(description="for the organiser to settle")
    calls: int
    unconfirmed_numbers: list[int] = Field(description="of hands")


class TableOut(Schema):
    """A table of a round as it is now."""

    id: int = Field(alias="sitting_id")
    uid: UUID
    number: int
    round_id: int
    round_number: int
    tournament_id: int
    game: str = Field(alias="game_slug")
    mode: str = Field(alias="mode_code")
    takes_reports: bool
    done: bool = Field(description="whether no more results are expected")
    seats: list[SeatOut] = Field(description="of the coming hand")
    coming_number: int = Field(description="of the coming hand")
    undone_report: int | None = Field(description="the table undid the coming hand: send this")
    dealer_place: int | None = Field(description="null while cards are still drawn for it")
    dealer: str | None
    dealer_sentence: str
    may_deal: list[int]
    turns: list[TurnOut] = Field(alias="forecast.turns")
    progress: ProgressOut
    match_text: str
    to_do: ToDoOut | None = Field(alias="read_to_do", description="for scorers only")
    last_hand_at: Moment | None = Field(alias="last_at")

    @staticmethod
    def resolve_seats(table: TableNow) -> list[Stint]:
        return list(table.during(table.coming_number))


class TableWithSheetOut(TableOut):
    questions: list[QuestionOut] = Field(description="of the sheet of the coming hand")
    bare_question: QuestionOut = Field(description="asked in place of all others if nobody counted")

    @staticmethod
    def resolve_questions(table: TableNow) -> Sequence[Question]:
        return table.game.questions(table.coming_session())

    @staticmethod
    def resolve_bare_question(table: TableNow) -> Question:
        return table.game.bare_question(table.coming_session())


class RoundOut(_RowOut):
    tournament_id: int
    night_id: int | None
    number: int
    state: RoundState
    hands: int | None
    games: int | None
    opened_at: datetime
    closed_at: datetime | None


class RoundNowOut(RoundOut):
    tables: list[TableOut]
    resting: list[PersonOut] = Field(description="entrants who sit out")


class DealsOut(Schema):
    entrant_id: int
    table_number: int
    when: str = Field(description="now, next, if_they_win, perhaps")


class DealersOut(Schema):
    tables: list[TableOut]
    entrants: list[DealsOut]


class HandSideOut(Schema):
    side: int
    players: list[PersonOut]
    place: int | None = Field(description="in its game; null until it ends, or if it has no places")
    counted: Any = Field(description="what the side counted; null if nobody did")
    figures: dict[str, Figure] = Field(description="keyed like criteria; empty if nothing counts")


class HandOut(Schema):
    id: int = Field(alias="row.pk")
    table_id: int = Field(alias="row.sitting_id")
    round_number: int = Field(alias="table.round_number")
    table_number: int = Field(alias="table.number")
    number: int
    state: HandState
    kind: str = Field(alias="row.kind", description="counted, bare, derived")
    dealer_place: int | None = Field(alias="row.dealer")
    dealer: str = Field(alias="dealt_by", description="empty if nobody wrote it down")
    sheet: dict[str, Any]
    headline: str = Field(description="the result in words")
    sides: list[HandSideOut]
    conflict: bool = Field(description="whether two reports of it differ")
    result_type: str = Field(alias="row.result_type", description="walkover etc.; empty if played")
    confirmed_at: datetime | None = Field(alias="row.confirmed_at")
    recorded_at: datetime = Field(alias="row.recorded_at")

    @staticmethod
    def resolve_sides(row: HandRow) -> list[dict[str, object]]:
        # ``next(…, None)``: a void hand has none.
        return [
            {
                "side": side,
                "players": [{"id": who.player_id, "name": who.name} for who in people],
                "place": next(iter(row.places[side:]), None),
                "counted": next(iter(row.counts[side:]), None),
                "figures": {
                    column.key: file_figure(column.value(marks), column)
                    for marks in row.marks_by_side[side : side + 1]
                    for column in row.columns
                },
            }
            for side, people in enumerate(row.people)
        ]


class CriterionOut(Schema):
    key: str
    label: str
    short: str
    meaning: str
    fewest: bool = Field(description="whether the least is best")
    source: str = Field(description="the regulation that defines it")


class PlaceOut(Schema):
    """A row of a standing."""

    place: int
    tied: bool
    entrant_id: int
    player_id: int | None
    team_id: int | None
    name: str
    withdrawn: bool
    expelled: bool
    hands: int
    opened: int = Field(description="at how many tables they dealt the first hand")
    dealt: int
    points: Figure
    text: str = Field(description="the points in words")
    placed_by: str = Field(description="what set it apart from the next better place")
    figures: dict[str, Figure] = Field(description="those of the criteria and the page's columns")


class StandingOut(Schema):
    tournament_id: int
    round_number: int | None = Field(description="after which round; null for today's")
    ranked_by: str
    criteria: list[CriterionOut] = Field(description="in their order")
    complete: bool = Field(description="whether all results are in")
    missing: str = Field(description="a sentence on what is not; empty if nothing")
    provisional_until: datetime | None
    official_at: datetime | None
    rows: list[PlaceOut]


def places_of(standing: Standing) -> list[PlaceOut]:
    shown, points = (*standing.criteria, *standing.columns), standing.criteria[0].key
    placed_by = standing.placed_by

    def place_of(row: StandingRow) -> PlaceOut:
        figures = {c.key: file_figure(row.figures[c.key], c) for c in shown if c.key in row.figures}
        words = {"text": standing.points_of(row), "placed_by": placed_by[row.entrant]}
        own = {name: getattr(row, name) for name in PlaceOut.model_fields if hasattr(row, name)}
        keys = {"entrant_id": row.entrant, "player_id": row.player, "team_id": row.team}
        return PlaceOut(**{**own, **keys, **words, "points": figures[points], "figures": figures})

    return list(map(place_of, standing.rows))


class SeasonOut(_RowOut):
    club_id: int
    name: str
    rule: str = Field(description="best_n, sum, average")
    rule_in_words: str
    best_of: int | None
    least_played: int


class ScoreOut(Schema):
    tournament_id: int = Field(alias="tournament.pk")
    place: int
    of: int
    points: Figure = Field(alias="worth")
    counts: bool


class SeasonPlaceOut(Schema):
    place: int | None = Field(description="null if they have played too little")
    tied: bool
    player_id: int = Field(alias="player")
    name: str
    points: Figure
    scores: list[ScoreOut]


class SeasonNowOut(SeasonOut):
    rows: list[SeasonPlaceOut]


# What is written ------------------------------------------------------------------------------

# No control characters: PostgreSQL refuses a NUL.
_Text = Annotated[str, StringConstraints(max_length=40, pattern=r"^[^\x00-\x1f]*$")]
_Whole = Annotated[int, Field(strict=True, ge=-10_000, le=10_000)]
_Value = _Whole | _Text | bool | None
_Values = Annotated[list[_Value], Field(max_length=99)]
_Rows = Annotated[list[_Value | _Values], Field(max_length=99)]


def _in_one_sentence(answer: Any, validate: ValidatorFunctionWrapHandler) -> Any:
    """Validate an answer with one message, instead of one for each type that it may have."""
    try:
        return validate(answer)
    except ValueError:
        text = gettext("An answer is a whole number, a short text, true, false, null, or a list")
        raise PydanticCustomError("answer", text) from None


_Answer = Annotated[_Value | _Rows, WrapValidator(_in_one_sentence)]


class _Body(Schema, extra="forbid"):
    """The body of a request; without ``forbid`` ninja takes any JSON for an object without fields."""


class ReportIn(_Body):
    entry: UUID = Field(description="new for each report; sent again, it is answered as at first")
    number: Annotated[int, Field(ge=1, le=999)] = Field(description="of the hand")
    sheet: Annotated[dict[_Text, _Answer], Field(max_length=30)]
    side: Annotated[int, Field(ge=0, le=9)] | None = Field(None, description="that reports")
    undone: Key | None = Field(None, description="undone_report of the table, as it was read")
    is_next: bool | None = Field(None, description="reply to which-hand: is it of the coming hand?")
    parked: bool = Field(False, description="its sum is wrong: for now only bare, who won, counts")


class ReportOut(Schema):
    verdict: str = Field(description="accepted, agrees, amends, parked")
    number: int
    next_dealer: int | None = Field(description="a place")
    may_deal: list[int]
    over: bool = Field(description="whether a game has just ended")


class ArrivalsIn(_Body):
    players: list[Key] = Field([], max_length=200)
    names: list[_Text] = Field([], max_length=40, description="of people who are new to the club")


class SeatedOut(Schema):
    entrant_id: int = Field(alias="entrant")
    name: str
    opens: bool = Field(description="whether they deal first")


class DrawnTableOut(Schema):
    number: int
    match: str
    sides: list[list[SeatedOut]]


class DrawOut(Schema):
    """The coming round before it is open."""

    number: int
    published_at: datetime | None = None
    tables: list[DrawnTableOut]
    resting: list[SeatedOut]


class CloseIn(_Body):
    """What to do with missing results, and with hands that no other side has confirmed."""

    anyway: bool = Field(False, description="close it although results are missing")
    not_played: bool = Field(False, description="record those as not played")
    unconfirmed: Unconfirmed | None = Field(None, description="what to do with unconfirmed hands")
