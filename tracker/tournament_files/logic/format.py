"""The models of ``tournament.json``, the document in a tournament file.

A field that is a column of a model of the site (of ``Tournament`` in ``Stage``, of ``Sitting`` in
``Table``) has its name, by which export and import read and write rows. A field with a default is
not in every file. ``FORMAT.md`` explains the fields.
"""

from typing import Annotated, Literal, Self, TypeAlias, TypeVar
from uuid import UUID

from pydantic import AfterValidator, Field, StringConstraints, model_validator

from games import catalogue
from games.game import AnyGame
from tracker.criteria.tie_breaks import KEYS_OF_EVERY_GAME, LOTS
from tracker.movements.catalogue import MOVEMENTS
from tracker.movements.types import MeetingKind, OpenedBy
from tracker.tournament_files.logic.errors import TABLE_NUMBER, InvalidFileError
from tracker.tournament_files.logic.fields import (
    DealtBefore,
    EntrantRef,
    Flag,
    Fraction,
    FromOne,
    GameData,
    Info,
    IsName,
    IsoMoment,
    Large,
    Many,
    Medium,
    ModeCode,
    Moment,
    MomentText,
    Nothing,
    Part,
    PersonRef,
    PlannedMoment,
    Ref,
    Sentence,
    Small,
    When,
    Withheld,
    letters,
    reading,
)
from tracker.tournament_files.logic.tables import GAME, Reason, Table, checked_mode

# A unit is what a movement seats: an entrant; null if it was deleted since.
Unit = Annotated[int | None, Ref("entrants", gone=True)]
Units = Many[Unit]
Movement: TypeAlias = Literal[tuple(MOVEMENTS)]  # type: ignore[valid-type]
RankedBy = Literal["game", "points", "share", "match_points"]
FigureKey = Annotated[str, letters(40)]
# Enough for 7,500 hands. While more rows are stored, tables would wait too long to report.
MOST_ROWS = 25_000
Named = TypeVar("Named", "Person", "Team")
Ranking = TypeVar("Ranking", "Stage", "Published")


# How a round was drawn ----------------------------------------------------------------------------
# A movement (a way to find who sits where) answers a question (all that it may know) with a plan.


class Shape(Part):
    """How many sit at a table: a code such as "4t2", and the places of each side."""

    code: ModeCode
    sides: Many[Many[Small]]


class TableSeating(Part):
    """Who sits at a table: ``units`` and ``merits`` (the results, once known) are by place."""

    shape: Shape
    units: Units
    opener: Small | None
    number: Small | None
    label: Annotated[str, letters(80)]
    merits: Many[Many[Fraction]] | None
    locked: Flag = False
    by_hand: Flag = False

    @model_validator(mode="after")
    def _check_size(self) -> Self:
        if len(self.units) != sum(map(len, self.shape.sides)):
            raise InvalidFileError("units", ".units")
        return self


class Note(Sentence):
    code: Annotated[str, letters(40)]
    units: Units
    round: Small | None


class Account(Part):
    """What a plan repeats, each as its kind, two units, the round and the earlier rounds."""

    repeats: Annotated[
        Many[tuple[MeetingKind, Unit, Unit, Small, Many[Small]]], Field(max_length=100_000)
    ]
    bounds: dict[MeetingKind, Small]  # how many repeats no plan can avoid
    notes: Many[Note]


class RoundSeating(Part):
    tables: Many[TableSeating]
    resting: Units
    account: Account | None = None


class Plan(RoundSeating):
    account: Account


class Question(Part):
    present: Many[Units]
    shape: Shape
    other_shapes: Many[Shape]
    odd_tables: Flag
    tables: Small | None  # not used any more; null in new files
    played: Many[RoundSeating]
    locked: Many[TableSeating]
    keeps: Withheld
    apart: Withheld
    not_partners: Withheld
    places: Many[Units]
    points: Many[Fraction] = []
    seeds: Units
    dealt: Many[tuple[Unit, Small, Small, DealtBefore]]
    opened_by: OpenedBy
    third_place: Flag
    seed: Large


class Settings(Part):
    """What the organiser chose for the draw."""

    movement: Movement
    mode: ModeCode
    odd_tables: Flag
    length: FromOne | None
    minutes: FromOne | None


class SeatingPlan(Part):
    settings: Settings
    order: Units
    left_out: Units
    question: Question
    seating: RoundSeating
    account: Account


class DrawQuestion(Part):
    settings: Settings
    present: Units
    left_out: Units
    question: Question


class Draw(Part):
    """A round to come, which is drawn but not opened yet."""

    number: FromOne
    question: DrawQuestion
    seed: Large
    plan: Plan
    drawn_at: Moment
    published_at: When


# A tournament -------------------------------------------------------------------------------------


class Clock(Part):
    minutes: Small
    started_at: IsoMoment
    paused_at: IsoMoment | None
    pauses: Many[tuple[IsoMoment, IsoMoment]]
    # More minutes for a table, by its number.
    extra: dict[Annotated[str, StringConstraints(pattern=TABLE_NUMBER)], Small]


class Ranked(Part):
    entrant: Unit
    place: Small
    tied: Flag
    points: Fraction


class Missing(Part):
    """What a table lacked when its round closed: ``short`` are hands that were not reported."""

    table: Small
    short: Small
    issues: Small
    unconfirmed: Small = 0


class Published(Part):
    standing: Many[Ranked]
    ranked_by: RankedBy | None = None
    tie_breaks: Many[FigureKey] = []
    missing: Many[Missing] = []


class Round(Part):
    uid: UUID
    number: FromOne
    state: Literal["open", "closed", "undone"]
    hands: FromOne | None
    games: FromOne | None
    clock: Clock | Nothing
    seating_plan: SeatingPlan | Nothing
    published_standing: Published | None
    opened_at: When
    closed_at: When
    rests: Many[EntrantRef]
    tables: Annotated[Many[Table], Field(max_length=1000)]


class Entrant(Part):
    uid: UUID
    player: PersonRef | None
    team: Annotated[int, Ref("teams")] | None
    withdrawn_at: When
    expelled: Flag = False
    reserve_since: When
    seed: FromOne | None


class Award(Part):
    uid: UUID
    entrant: EntrantRef
    round: Annotated[int, Ref("rounds")] | None
    kind: Literal["penalty", "award", "resting", "bye", "forfeit"]
    amount: Medium | None
    rule: Literal["", "average"]
    unit: FigureKey = ""
    reason: Reason
    given_at: When = None
    withdrawn_at: When


class Tie(Part):
    how: Literal["share", "cut", "play_off", "lot"]
    order: Units


class RankingChange(Part):
    """The criteria before and after a change since the first hand, and the last round by then."""

    at: MomentText
    round: Small
    before: Many[FigureKey]
    after: Many[FigureKey]


def _known_game(name: str, info: Info) -> str:
    info.context[GAME] = catalogue.GAMES.get(name)
    if info.context[GAME] is None and reading(info):
        raise InvalidFileError("game", game=name)
    return name


class Stage(Part):
    uid: UUID
    name: Annotated[str, letters(80, 1)]
    game: Annotated[str, letters(30, 1), AfterValidator(_known_game)]
    mode: ModeCode
    format: Literal["players", "teams"]
    options: GameData
    ranked_by: RankedBy | None = None
    tie_breaks: Many[FigureKey]
    ranking_changes: Many[RankingChange] = []
    lots_seed: Annotated[Large, Field(ge=0)] | None = None
    hands: FromOne | None
    games: FromOne | None
    planned: FromOne | None
    minutes: FromOne | None
    confirm: Literal["one", "both"]
    movement: Movement
    leftover: Literal["rest", "odd_table"]
    third_place: Flag
    rest_credit: Literal["average", "win", "draw", "nothing", "fixed"]
    rest_points: Small | None
    substitution: Literal["own", "absent"]
    places: FromOne | None
    follows: Annotated[int, Ref("stages")] | None
    stage: Annotated[str, letters(40)]
    carry_over: Literal["nothing", "half", "all"]
    created_at: Moment
    provisional_until: PlannedMoment | None
    official_at: When
    tie_resolutions: Many[Tie] | None
    entrants: Many[Entrant]
    rounds: Annotated[Many[Round], Field(max_length=500)]
    awards: Annotated[Many[Award], Field(max_length=20_000)]
    draws: Annotated[Many[Draw], Field(max_length=200)]

    @model_validator(mode="after")
    def _check(self, info: Info) -> Self:
        if reading(info):
            checked_mode(self.rules, self.mode, self.options)
            criteria = self.rules.tie_breaks(self.rules.resume_options(self.options))
            known = {criterion.key for criterion in criteria} | KEYS_OF_EVERY_GAME
            for index, key in enumerate(self.tie_breaks):
                if key not in known:
                    raise InvalidFileError("tie-break", f".tie_breaks[{index}]", key=key)
            by_lot = any(tie.how == "lot" for tie in self.tie_resolutions or ())
            if self.lots_seed is None and (by_lot or LOTS.key in self.tie_breaks):
                raise InvalidFileError("missing", name="lots_seed")
            if self.ranked_by is None:
                return self._with_ranking()
        return self

    @property
    def rules(self) -> AnyGame:
        return catalogue.GAMES[self.game]

    @property
    def tables(self) -> list[Table]:
        return [table for round_ in self.rounds for table in round_.tables]

    @property
    def hands_reported(self) -> int:
        return sum(len(table.hands) for table in self.tables)

    def with_game_points_first(self) -> "Stage":
        """Return the stage with the game's points before other tie-breaks of match points.

        In files of versions 1 to 3 they broke ties before all others, and were not in the lists.
        """
        options = self.rules.resume_options(self.options)
        alone = self.rules.mode(self.mode, options).individual
        points = self.rules.ranking(options, self.format == "players" and not alone)[0].key
        rounds = [
            round_.model_copy(update={"published_standing": _with_first(points, published)})
            if (published := round_.published_standing)
            else round_
            for round_ in self.rounds
        ]
        return _with_first(points, self).model_copy(update={"rounds": rounds})

    def _with_ranking(self) -> Self:
        """Return the stage with what it was ranked by, which files of versions 1 and 2 lack."""
        rounds = list(self.rounds)
        for index, round_ in enumerate(rounds):
            if published := round_.published_standing:
                ranked_by = {"ranked_by": self._ranking(round_.number)}
                update = {"published_standing": published.model_copy(update=ranked_by)}
                rounds[index] = round_.model_copy(update=update)
        return self.model_copy(update={"ranked_by": self._ranking(), "rounds": rounds})

    def _ranking(self, last_round: float = float("inf")) -> str:
        """Return what ranked it after *last_round*: it follows from the numbers of its tables."""
        if self.rules.across is None:  # no way to compare several tables
            return "game"
        # For each round the sizes of its tables: ``dealt_before`` has an item for each seat.
        table_sizes = [
            [len(table.dealt_before) for table in round_.tables]
            for round_ in self.rounds
            if round_.state != "undone" and round_.number <= last_round
        ]
        if len({size for sizes in table_sizes for size in sizes}) > 1:
            return "share"
        several = any(len(sizes) > 1 for sizes in table_sizes) or self.carry_over != "nothing"
        return "points" if several else "game"


def _with_first(points: str, ranking: Ranking) -> Ranking:
    """Return what match points rank with the key *points* first among its tie-breaks, if any."""
    if ranking.ranked_by != "match_points" or not ranking.tie_breaks:
        return ranking
    tie_breaks = [points, *(key for key in ranking.tie_breaks if key != points)]
    return ranking.model_copy(update={"tie_breaks": tie_breaks})


class Origin(Part):
    """Where the tournament was played, only for display."""

    club: Annotated[str, letters(80, 1)]
    season: Annotated[str, letters(80)]
    nights: Annotated[Many[MomentText], Field(max_length=400)]


class Person(Part):
    name: Annotated[str, letters(60, 1), IsName]
    erased_at: When


def _once(roster: list[int]) -> list[int]:
    if len(set(roster)) < len(roster):
        raise InvalidFileError("roster")
    return roster


class Team(Part):
    name: Annotated[str, letters(80, 1), IsName]
    roster: Annotated[Many[PersonRef], Field(max_length=50), AfterValidator(_once)]


def _called_differently(items: list[Named]) -> list[Named]:
    names: set[str] = set()
    for index, item in enumerate(items):
        if item.name.casefold() in names:
            raise InvalidFileError("name-twice", f"[{index}].name", name=item.name)
        names.add(item.name.casefold())
    return items


class Document(Part):
    format: Literal["kula-tournament"]
    version: Literal[1, 2, 3, 4]
    origin: Origin
    people: Annotated[Many[Person], AfterValidator(_called_differently)]
    teams: Annotated[Many[Team], AfterValidator(_called_differently)]
    stages: Annotated[Many[Stage], Field(min_length=1, max_length=50)]

    @model_validator(mode="after")
    def _check(self, info: Info) -> Self:
        if not reading(info):
            return self
        rows = sum(
            len(rows)
            for stage in self.stages
            for table in stage.tables
            for rows in (table.seats, table.reports, table.hands, table.issues, table.acts)
        )
        if rows > MOST_ROWS:
            raise InvalidFileError("rows", ".stages", rows=rows, most=MOST_ROWS)
        for index, stage in enumerate(self.stages):
            if stage.follows is not None and stage.follows >= index:
                raise InvalidFileError("follows", f".stages[{index}].follows")
        if self.version > 3:
            return self
        stages = [stage.with_game_points_first() for stage in self.stages]
        return self.model_copy(update={"stages": stages})
