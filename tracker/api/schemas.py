"""What the JSON of the API has: rows as they are stored, and the values that pages show.

Keys end in ``_id``, places and sides begin at 0, moments are ISO 8601. A figure is a number as in
exported files; its ``text`` is what the page shows.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from fractions import Fraction
from typing import Annotated, Any, Generic, Self, TypeVar
from uuid import UUID

from django.utils.timezone import is_aware, make_aware
from django.utils.translation import gettext
from ninja import Field, Schema
from pydantic import StringConstraints, ValidatorFunctionWrapHandler, WrapValidator
from pydantic_core import PydanticCustomError

from games.sheet import Criterion, Question
from tracker.common.figures import file_figure
from tracker.models import Draw, RoundState, Season
from tracker.nights.services.closing import Unconfirmed
from tracker.results.pages.hands import HandRow, HandState
from tracker.results.services.report_hand import SubmissionResult
from tracker.seating.queries.drawn_round import DrawnRound
from tracker.standings.queries.seasons import SeasonStanding
from tracker.standings.queries.standings import Standing, StandingRow
from tracker.tables.sql import LARGEST_KEY
from tracker.tables.table_now import TableNow

ItemT = TypeVar("ItemT")
Key = Annotated[int, Field(ge=1, le=LARGEST_KEY)]
Figure = int | float


def number(value: Fraction | Decimal | int) -> Figure:
    """Return a figure as JSON has it: a whole one without a point."""
    return int(value) if value == int(value) else float(value)


def _moment(at: datetime | None) -> datetime | None:
    """Return a moment with its time zone, which SQL on SQLite leaves out."""
    return at if at is None or is_aware(at) else make_aware(at, UTC)


class PageOut(Schema, Generic[ItemT]):
    """Some of the rows, in the order of their keys: those behind the cursor."""

    items: list[ItemT]
    total: int  # of all pages
    next: int | None  # the cursor of the next page; null on the last


class PersonOut(Schema):
    id: int
    name: str


class ClubOut(Schema):
    id: int
    uid: UUID
    name: str
    public: bool


class PlayerOut(Schema):
    id: int
    uid: UUID
    club_id: int
    name: str
    visitor_from: str  # the name of the home club; empty for players of this one


class SeasonOut(Schema):
    id: int
    uid: UUID
    club_id: int
    name: str
    rule: str  # best_n, sum, average
    best_of: int | None
    least_played: int


class TournamentOut(Schema):
    id: int
    uid: UUID
    club_id: int
    season_id: int | None
    name: str
    game: str
    mode: str
    format: str
    movement: str
    ranked_by: str
    hands: int | None  # of a round
    games: int | None
    planned: int | None  # rounds
    minutes: int | None
    follows_id: int | None  # the stage before it
    stage: str
    created_at: datetime
    provisional_until: datetime | None
    official_at: datetime | None


class NightOut(Schema):
    id: int
    uid: UUID
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
    """What the sheet of the coming hand asks: see *Sheets* in the documentation."""

    name: str  # its key in the sheet
    label: str
    kind: str  # number, order, choice, card, seat, seats
    per: str  # hand, side, seat: of the latter two the answer is a list
    least: int  # how many values an answer holds
    most: int
    required: bool
    low: int | None = None  # of a number
    high: int | None = None
    values: list[int | str | None] | None = None  # of a choice or a card
    seats: list[int] | None = None

    @classmethod
    def of(cls, question: Question) -> "QuestionOut":
        choices = getattr(question, "choices", getattr(question, "cards", None))
        return cls(
            name=question.name,
            label=gettext(question.label),
            kind=type(question).__name__.lower(),
            per=question.per,
            least=question.count[0],
            most=question.count[1],
            required=question.required,
            low=getattr(question, "low", None),
            high=getattr(question, "high", None),
            values=choices and [value for value, _label in choices],
            seats=getattr(question, "seats", None),
        )


class TurnOut(Schema):
    """Who deals after the coming hand, if it ends so."""

    outcome: str
    side: int | None  # that wins
    place: int | None  # that deals then; null if cards decide
    dealer: str | None


class TableOut(Schema):
    """A table of a round as it is now."""

    id: int
    uid: UUID
    number: int
    round_id: int
    round_number: int
    tournament_id: int
    game: str
    mode: str
    open: bool  # whether it takes reports
    done: bool  # whether no more results are expected
    seats: list[SeatOut]  # of the coming hand
    number_of_hand: int  # the number of the coming hand
    dealer_place: int | None  # null while cards are still drawn for it
    dealer: str | None
    dealer_text: str
    may_deal: list[int]
    turns: list[TurnOut]
    results: int  # of hands, or of games if the round counts those
    not_played: int
    expected: int | None  # how many results there should be
    owed: int
    match_text: str
    issues: int  # for the organiser to settle
    calls: int
    unconfirmed: list[int]  # numbers of hands
    last_at: datetime | None

    @classmethod
    def of(cls, table: TableNow, **more: Any) -> Self:
        progress, to_do, names = table.progress, table.to_do, table.full_names
        return cls(
            id=table.sitting_id,
            uid=table.uid,
            number=table.number,
            round_id=table.round_id,
            round_number=table.round_number,
            tournament_id=table.tournament_id,
            game=table.game_slug,
            mode=table.mode_code,
            open=table.takes_reports,
            done=table.done,
            seats=[SeatOut.model_validate(s) for s in table.during(table.coming_number)],
            number_of_hand=table.coming_number,
            dealer_place=table.dealer_place,
            dealer=None if table.dealer_place is None else names.at(table.dealer_place),
            dealer_text=table.dealer_sentence,
            may_deal=list(table.may_deal),
            turns=[TurnOut.model_validate(turn) for turn in table.forecast.turns],
            results=progress.done,
            not_played=progress.not_played,
            expected=progress.of,
            owed=progress.owed,
            match_text=table.match_text,
            issues=to_do.issues,
            calls=to_do.calls,
            unconfirmed=list(to_do.unconfirmed_numbers),
            last_at=_moment(table.last_at),
            **more,
        )


class TableWithSheetOut(TableOut):
    questions: list[QuestionOut]  # of the sheet of the coming hand
    bare_question: QuestionOut  # asked in place of all others if nobody counted

    @classmethod
    def with_sheet(cls, table: TableNow) -> Self:
        game, session = table.game, table.coming_session()
        questions = [QuestionOut.of(each) for each in game.questions(session)]
        bare = QuestionOut.of(game.bare_question(session))
        return cls.of(table, questions=questions, bare_question=bare)


class RoundOut(Schema):
    id: int
    uid: UUID
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
    resting: list[PersonOut]  # entrants who sit out


class HandSideOut(Schema):
    side: int
    players: list[PersonOut]
    place: int | None  # in its game; null in a game without places, and while it goes on
    counted: Any  # what the side counted; null if nobody did
    figures: dict[str, Figure]  # keyed like the criteria of the standing; empty if nothing counts


class HandOut(Schema):
    id: int
    table_id: int
    round_number: int
    table_number: int
    number: int
    state: HandState
    kind: str  # counted, bare, derived
    dealer_place: int | None
    dealer: str | None
    sheet: dict[str, Any]
    text: str  # the result in words
    sides: list[HandSideOut]
    conflict: bool  # whether two reports of it differ
    result_type: str  # walkover and the like; empty if it was played
    confirmed_at: datetime | None
    recorded_at: datetime

    @classmethod
    def of(cls, row: HandRow) -> "HandOut":
        hand, sides = row.row, range(len(row.people))

        def of(values: Sequence[Any], side: int) -> Any:  # a void hand has none
            return values[side] if values else None

        return cls(
            id=hand.pk,
            table_id=hand.sitting_id,
            round_number=hand.sitting.round.number,
            table_number=hand.sitting.number,
            number=hand.number,
            state=row.state,
            kind=hand.kind,
            dealer_place=hand.dealer,
            dealer=row.dealt_by or None,
            sheet=hand.sheet,
            text=row.headline,
            sides=[
                HandSideOut(
                    side=side,
                    players=[
                        PersonOut(id=who.player_id, name=who.name) for who in row.people[side]
                    ],
                    counted=of(row.counts, side),
                    place=of(row.places, side),
                    figures=figures_of(of(row.marks_by_side, side), row.columns),
                )
                for side in sides
            ],
            conflict=row.conflict,
            result_type=hand.result_type,
            confirmed_at=hand.confirmed_at,
            recorded_at=hand.recorded_at,
        )


def figures_of(marks: Mapping[str, int] | None, criteria: Sequence[Criterion]) -> dict[str, Figure]:
    """Return the figure of each criterion, keyed by its key, from marks; empty without marks."""
    if marks is None:
        return {}
    return {each.key: number(file_figure(each.value(marks), each)) for each in criteria}


class CriterionOut(Schema):
    key: str
    label: str
    short: str
    meaning: str
    fewest: bool  # whether the least is best
    source: str  # the regulation that defines it


class PlaceOut(Schema):
    place: int
    tied: bool
    entrant_id: int
    player_id: int | None
    team_id: int | None
    name: str
    withdrawn: bool
    expelled: bool
    hands: int
    opened: int  # at how many tables they dealt the first hand
    dealt: int
    points: Figure
    text: str  # the points in words
    placed_by: str  # what set it apart from the next better place
    figures: dict[str, Figure]  # those of the criteria and of the page's columns

    @classmethod
    def of(cls, row: StandingRow, standing: Standing, placed_by: str) -> "PlaceOut":
        shown = (*standing.criteria, *standing.columns)
        figures = {
            each.key: number(file_figure(row.figures[each.key], each))
            for each in shown
            if each.key in row.figures
        }
        return cls(
            place=row.place,
            tied=row.tied,
            entrant_id=row.entrant,
            player_id=row.player,
            team_id=row.team,
            name=row.name,
            withdrawn=row.withdrawn,
            expelled=row.expelled,
            hands=row.hands,
            opened=row.opened,
            dealt=row.dealt,
            points=figures[standing.criteria[0].key],
            text=standing.points_of(row),
            placed_by=placed_by,
            figures=figures,
        )


class StandingOut(Schema):
    tournament_id: int
    round_number: int | None  # after which round; null for today's
    ranked_by: str
    criteria: list[CriterionOut]  # in their order
    complete: bool  # whether all results are in
    missing: str  # a sentence on what is not; empty if nothing
    provisional_until: datetime | None
    official_at: datetime | None
    rows: list[PlaceOut]


class DealsOut(Schema):
    entrant_id: int
    table: int
    when: str  # now, next, if_they_win, perhaps


class DealersOut(Schema):
    tables: list[TableOut]
    entrants: list[DealsOut]


class ScoreOut(Schema):
    tournament_id: int
    place: int
    of: int
    points: Figure
    counts: bool


class SeasonPlaceOut(Schema):
    place: int | None  # null if they have played too little
    tied: bool
    player_id: int
    name: str
    points: Figure
    scores: list[ScoreOut]


class SeasonStandingOut(SeasonOut):
    rule_in_words: str
    rows: list[SeasonPlaceOut]

    @classmethod
    def of(cls, season: Season, standing: SeasonStanding) -> "SeasonStandingOut":
        rows = [
            SeasonPlaceOut(
                place=row.place,
                tied=row.tied,
                player_id=row.player,
                name=row.name,
                points=number(row.points),
                scores=[
                    ScoreOut(
                        tournament_id=score.tournament.pk,
                        place=score.place,
                        of=score.of,
                        points=number(score.worth),
                        counts=score.counts,
                    )
                    for score in row.scores
                ],
            )
            for row in standing.rows
        ]
        own = SeasonOut.model_validate(season).model_dump()
        return cls(**own, rule_in_words=season.rule_in_words, rows=rows)


# What is written ------------------------------------------------------------------------------

# No control characters: PostgreSQL refuses a NUL.
_Text = Annotated[str, StringConstraints(max_length=40, pattern=r"^[^\x00-\x1f]*$")]
_Whole = Annotated[int, Field(strict=True, ge=-10_000, le=10_000)]
_Value = _Whole | _Text | bool | None
_Values = Annotated[list[_Value], Field(max_length=99)]
_Rows = Annotated[list[_Value | _Values], Field(max_length=99)]


def _in_one_sentence(answer: Any, validate: ValidatorFunctionWrapHandler) -> Any:
    """Validate an answer; pydantic alone would tell of each kind of answer why it is not that."""
    try:
        return validate(answer)
    except ValueError:
        sentence = gettext(
            "An answer is a whole number, a short text, true, false, null, or a list"
        )
        raise PydanticCustomError("answer", str(sentence)) from None


_Answer = Annotated[_Value | _Rows, WrapValidator(_in_one_sentence)]


class ReportIn(Schema):
    entry: UUID  # made anew for each report; sent again, the report is answered as at first
    number: Annotated[int, Field(ge=1, le=999)]  # of the hand
    sheet: Annotated[dict[_Text, _Answer], Field(max_length=30)]
    side: Annotated[int, Field(ge=0, le=9)] | None = None  # for which it speaks
    # The reply to “which-hand”: whether the sheet is of the coming hand, and not of a recorded one.
    is_next: bool | None = None
    parked: bool = False  # the count does not add up: only ``bare``, who won, counts for now


class ReportOut(Schema):
    verdict: str  # accepted, agrees, amends, parked
    number: int
    next_dealer: int | None  # a place
    may_deal: list[int]
    over: bool  # whether a game has just ended

    @classmethod
    def of(cls, result: SubmissionResult) -> "ReportOut":
        return cls.model_validate(result)


class ArrivalsIn(Schema):
    players: Annotated[list[Key], Field(max_length=200)] = []
    names: Annotated[list[_Text], Field(max_length=40)] = []  # of people who are new to the club


class ArrivalsOut(Schema):
    here: list[PersonOut]  # those named in the request
    new: list[PersonOut]  # of these, who was not checked in before


class SeatedOut(Schema):
    entrant_id: int
    name: str
    opens: bool  # whether they deal first


class DrawnTableOut(Schema):
    number: int
    match: str
    sides: list[list[SeatedOut]]


class DrawOut(Schema):
    """The coming round before it is open."""

    number: int
    published_at: datetime | None
    tables: list[DrawnTableOut]
    resting: list[SeatedOut]

    @classmethod
    def of(cls, draw: Draw, drawn: DrawnRound) -> "DrawOut":
        def seated(people: Sequence[Any]) -> list[SeatedOut]:
            return [SeatedOut(entrant_id=p.entrant, name=p.name, opens=p.opens) for p in people]

        return cls(
            number=draw.number,
            published_at=draw.published_at,
            tables=[
                DrawnTableOut(
                    number=table.number, match=table.match, sides=list(map(seated, table.sides))
                )
                for table in drawn.tables
            ],
            resting=seated(drawn.resting),
        )


class CloseIn(Schema):
    """What to do with what the round lacks; if it lacks something and this is left out: refused."""

    anyway: bool = False  # close it although results are missing
    not_played: bool = False  # record those as not played
    unconfirmed: Unconfirmed | None = None  # what to do with hands that no other side confirmed
