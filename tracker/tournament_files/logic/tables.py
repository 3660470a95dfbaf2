"""The models of a table in a tournament file: who sat there, what was reported, and what it counts."""

from typing import Annotated, Any, Literal, Self, get_args
from uuid import UUID

from pydantic import Field, model_validator

from games.errors import ModeError, RuleError
from games.game import AnyGame, FirstDealer
from games.mode import Mode
from tracker.tournament_files.logic.errors import InvalidFileError
from tracker.tournament_files.logic.fields import (
    ByEntrant,
    DealtBefore,
    Empty,
    EntrantRef,
    Flag,
    FromOne,
    GameData,
    Info,
    Many,
    Medium,
    ModeCode,
    Moment,
    Part,
    PersonRef,
    Ref,
    Sentence,
    Small,
    When,
    letters,
    reading,
)

GAME = "game"  # in the context: the game of the stage that is read
ReportRef = Annotated[int, Ref("reports")]
Reason = Annotated[str, letters(300)]


# Acts: log entries about hands. The rest of the log belongs to the club ---------------------------


class OnHand(Part):
    hand: Small


class OnHands(Part):
    hands: Many[Small]


class OnIssue(OnHand):
    issue: Annotated[int, Ref("issues")]


class Numbers(Part):
    """The sheets before and after an act, what it gave or took of each entrant, and more."""

    before: GameData = {}
    after: GameData = {}
    points: ByEntrant = {}
    kind: Annotated[str, letters(8)] = ""
    outcome: Annotated[str, letters(12)] = ""
    after_hand: Small = 0
    place: Small | None = None


class Act(Part):
    at: Moment
    numbers: Numbers
    reason: Reason


class HandAct(Act):
    verb: Literal["hand-amended", "hand-confirmed", "hand-taken-back", "hand-brought-back"]
    on: OnHand


class HandsAct(Act):
    verb: Literal["sitting-corrected", "paper-written-down", "hands-confirmed"]
    on: OnHands


class IssueAct(Act):
    verb: Literal["change-asked", "issue-settled"]
    on: OnIssue


class DealerAct(Act):
    verb: Literal["dealer-chosen"]
    on: Empty


AnyAct = Annotated[HandAct | HandsAct | IssueAct | DealerAct, Field(discriminator="verb")]
VERBS = tuple(
    verb
    for act in (HandAct, HandsAct, IssueAct, DealerAct)
    for verb in get_args(act.model_fields["verb"].annotation)
)


# Hands and tables ---------------------------------------------------------------------------------


class Seat(Part):
    place: Small
    side: Small
    player: PersonRef
    entrant: EntrantRef
    from_hand: FromOne
    to_hand: Small | None


class Answer(Part):
    """What the phone was told; ``sent`` is the number that it gave the hand."""

    sent: Medium = 0
    next_dealer: Small | None = None
    may_deal: Many[Small] = []
    over: Flag = False


class Report(Part):
    entry: UUID
    number: FromOne
    side: Small | None
    device: FromOne | None
    sheet: GameData
    received_at: Moment
    verdict: Literal[
        "accepted", "agrees", "amends", "conflicts", "late", "parked", "correction", "proposes"
    ]
    answer: Answer


class Warned(Sentence):
    code: Annotated[str, letters(60)]


class Record(Part):
    """The moves of a hand, in the format of ``games.records``."""

    text: Annotated[str, letters(20_000)]
    kept_at: Moment


class Hand(Part):
    number: FromOne
    session_before: GameData
    report: ReportRef
    sheet: GameData
    dealer: Small | None
    marks: Annotated[Many[GameData], Field(max_length=60)] | None
    kind: Literal["counted", "bare", "derived"]
    warnings: Many[Warned]
    ends_game: Flag
    confirmed_at: When
    struck_at: When
    recorded_at: Moment
    result_type: Literal["", "walkover", "assigned", "not_played", "game_not_played", "void"]
    reason: Reason
    record: Record | None


class Issue(Part):
    number: Small
    kind: Literal["conflict", "parked", "late", "query", "change", "call"]
    report: ReportRef | None
    note: Annotated[str, letters(200)]
    raised_at: Moment
    settled_at: When
    outcome: Annotated[str, letters(12)]
    reason: Literal["", "ruling", "count", "player", "cards", "other"]
    taken_at: When


class Table(Part):
    uid: UUID
    number: FromOne
    mode: ModeCode
    options: GameData
    token_state: Literal["open", "closed", "revoked"]
    first_dealer: Small
    dealt_before: Many[DealtBefore]
    chosen_dealer: Small | None
    chosen_after: Small | None
    started_at: Moment
    finished_at: When
    session: GameData
    last_number: Small
    last_at: When
    next_dealer: Small
    may_deal: Many[Small]
    over: Flag
    hands_standing: Small
    games_over: Small
    not_played: Small
    open_conflicts: Small
    side_points: Annotated[Many[Medium], Field(max_length=60)] | None = None
    decided_side: Small | None = None
    decided_by: Literal["", "lot", "organiser"] = ""
    seats: Annotated[Many[Seat], Field(min_length=1, max_length=500)]
    reports: Annotated[Many[Report], Field(max_length=20_000)]
    hands: Annotated[Many[Hand], Field(max_length=1000)]
    issues: Annotated[Many[Issue], Field(max_length=20_000)]
    acts: Annotated[Many[AnyAct], Field(max_length=20_000)]

    @model_validator(mode="after")
    def _check(self, info: Info) -> Self:
        """Check that places and sides exist in the mode, and what hands say of them."""
        game: AnyGame | None = info.context.get(GAME)
        if game is None or not reading(info):  # without a game the stage is refused
            return self
        mode = checked_mode(game, self.mode, self.options)
        dealers = (self.first_dealer, self.next_dealer, self.chosen_dealer)
        for name, dealer in zip(("first", "next", "chosen"), dealers, strict=True):
            if dealer is not None and dealer >= mode.seats:
                raise InvalidFileError("place", f".{name}_dealer")
        if (self.decided_side or 0) >= len(mode.sides):
            raise InvalidFileError("place", ".decided_side")
        if len(self.dealt_before) != mode.seats:
            raise InvalidFileError("place", ".dealt_before")
        for index, seat in enumerate(self.seats):
            if seat.place >= mode.seats or seat.side != mode.side_of(seat.place):
                raise InvalidFileError("place", f".seats[{index}]")
        if {seat.place for seat in self.seats} != set(range(mode.seats)):
            raise InvalidFileError("place-free", ".seats")
        for index, hand in enumerate(self.hands):
            _check_hand(hand, index, mode.seats, game)
        return self


def _check_hand(hand: Hand, index: int, seats: int, game: AnyGame) -> None:
    if hand.number != index + 1:
        raise InvalidFileError("hand-number", f".hands[{index}].number")
    if hand.dealer is None and game.first_dealer is not FirstDealer.DRAWN:
        raise InvalidFileError("dealer", f".hands[{index}].dealer")
    if (hand.dealer or 0) >= seats or (hand.marks and len(hand.marks) != seats):
        raise InvalidFileError("place", f".hands[{index}]")
    if hand.record is not None and game.play is not None:
        # Where games are only scored there are no records to look into.
        from games.records.parser import read
        from games.records.replayer import replay

        try:
            replay(read(hand.record.text))
        except RuleError as refusal:
            raise InvalidFileError.of(refusal, f".hands[{index}].record") from refusal


def checked_mode(game: AnyGame, code: str, options: dict[str, Any]) -> Mode:
    try:
        return game.mode(code, game.resume_options(options))
    except ModeError as refusal:
        raise InvalidFileError.of(refusal, ".mode") from refusal
