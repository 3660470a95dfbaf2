"""Play: what a game knows of its own moves, and how any bots play a hand of any game.

A hand begins from one or more whole orders of the pack, so that the same orders
and the same moves are always the same hand. Dice never roll below this module.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from random import Random
from types import MappingProxyType
from typing import Any, Generic, TypeAlias, TypeVar

from games.errors import RuleError, gettext_noop
from games.game import named_parts
from games.play.layout import Layout
from games.play.views import MoveT, StateT, ViewT
from games.sheet import Sheet
from games.wording import AtSeat, Text

Pack: TypeAlias = tuple[str, ...]
STRENGTHS = ("beginner", "steady", "strong")  # the bots that every game has


class IllegalMoveError(RuleError):
    """A move that the rules do not allow now. Nothing has changed."""


def not_held(seat: int, label: str) -> IllegalMoveError:
    """Return the refusal of a card that this seat does not hold; *label* is its name."""
    return IllegalMoveError(
        "not-held",
        gettext_noop("%(who)s does not hold the %(card)s."),
        who=AtSeat(seat),
        card=Text(label),
    )


@dataclass(frozen=True, slots=True)
class Budget:
    """How long a bot may think: so many rounds of its search, or so many seconds.

    With ``iterations`` the same seed gives the same move on any machine; with
    ``seconds`` it does not.
    """

    iterations: int | None = None
    seconds: float | None = None


SessionT = TypeVar("SessionT")


class MoveCodes(Generic[MoveT]):
    """How the moves of a game are written: every move there is, by its code."""

    def __init__(self, moves: Mapping[str, MoveT], unknown: str) -> None:
        """Take the moves, and the sentence that refuses a ``text`` which is none of them."""
        self._moves = moves
        self._codes = {move: code for code, move in moves.items()}
        self._unknown = unknown

    def move_code(self, move: MoveT) -> str:
        """Return what is written for a move."""
        return self._codes[move]

    def parse_move(self, text: str) -> MoveT:
        """Return the move that is written like this.

        :raises IllegalMoveError: ``not-a-move``, if none is.
        """
        if text in self._moves:
            return self._moves[text]
        raise IllegalMoveError("not-a-move", self._unknown, text=text)


@dataclass(frozen=True, slots=True, kw_only=True)
class Play(Generic[SessionT, StateT, MoveT, ViewT]):
    """The moves of one game, as a value of functions. States and moves are frozen values.

    ``deal`` takes the session and ``shuffles(session)`` orders of ``pack(session)``,
    each a permutation of its card codes, and gives the state before the first move.
    ``seat_to_move`` is ``None`` when the hand is over; then ``fill_sheet`` gives the
    sheet it leaves, which ``add_sheet`` of the same session accepts. ``play`` raises
    ``IllegalMoveError`` with a reason for whatever is not in ``legal_moves``.
    ``move_code`` and ``parse_move`` are each other's inverse; ``parse_move`` raises
    ``IllegalMoveError`` for a text that is no move at all. A code has no spaces.
    ``prompt`` is for somebody who has heard of every move; ``describe`` says it all anew.
    ``learns`` is asked of the states before and after a move.
    """

    pack: Callable[[SessionT], Pack]
    deal: Callable[[SessionT, Sequence[Pack]], StateT]
    seat_to_move: Callable[[StateT], int | None]
    legal_moves: Callable[[StateT], tuple[MoveT, ...]]
    play: Callable[[StateT, MoveT], StateT]
    view: Callable[[StateT, int], ViewT]
    fill_sheet: Callable[[StateT], Sheet]
    move_code: Callable[[MoveT], str]
    parse_move: Callable[[str], MoveT]
    describe: Callable[[ViewT], tuple[Text, ...]]  # what the seat sees, line by line
    prompt: Callable[[ViewT], tuple[Text, ...]]  # what of it matters at one's turn
    layout: Callable[[ViewT], Layout]  # the cards to draw and to tap
    describe_move: Callable[[StateT, MoveT], Text]  # what happens, seen by the whole table
    bots: Mapping[str, "Bot"]  # beginner, steady, strong, and any styles of the game's own
    styles: Mapping[str, str] = field(default_factory=dict)  # the game's own: what each does
    shuffles: Callable[[SessionT], int] = lambda _session: 1  # how many orders make a hand
    last_trick: Callable[[ViewT], tuple[Text, ...]] | None = None  # who played what to it
    learns: Callable[[StateT, StateT, int], Text | None] | None = None  # what one seat alone sees
    showdown: Callable[[StateT], tuple[Text, ...]] | None = None  # what all show at the end
    critic: "AnyCritic | None" = None  # without it nothing is said of a hand's moves afterwards

    @classmethod
    def in_folder(cls, package: str, styles: Mapping[str, str] = MappingProxyType({})) -> "AnyPlay":
        """Return what the modules of a game's package ``play`` have under the names of the fields.

        Its ``bots`` has a function for each strength and style, ``hindsight`` the critic's parts.
        """
        names = ("rules", "state", "view", "narration", "layout", "bots", "hindsight")
        *modules, bots, hindsight = (import_module(f"{package}.{name}") for name in names)
        return cls(
            **named_parts(cls, *modules),
            bots={name: getattr(bots, name) for name in (*STRENGTHS, *styles)},
            styles=styles,
            critic=Critic(least=hindsight.LEAST, **named_parts(Critic, hindsight)),
        )


AnyPlay: TypeAlias = Play[Any, Any, Any, Any]
AnyCritic: TypeAlias = "Critic[Any, Any, Any]"
Bot: TypeAlias = Callable[[Any, Random, Budget], Any]  # a View, its own dice, a budget: a move


@dataclass(frozen=True, slots=True)
class Step:
    """One move of a hand: the state it was made in, who made it, and the state after."""

    before: Any
    seat: int
    move: Any
    after: Any


@dataclass(frozen=True, slots=True)
class Prospect:
    """What a move leads to on average: by what a strong player chooses, and as people count it.

    Of both more is better.
    """

    merit: float
    amount: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision(Generic[StateT, MoveT]):
    """A move that was made, beside another one: ``end`` is the state in which the hand ended."""

    before: StateT
    seat: int
    move: MoveT
    other: MoveT
    made: Prospect
    otherwise: Prospect
    end: StateT

    @property
    def gain(self) -> Prospect:
        """Return by how much the other move would have been better; worse is less than nothing."""
        return Prospect(
            self.otherwise.merit - self.made.merit, self.otherwise.amount - self.made.amount
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Critic(Generic[StateT, MoveT, ViewT]):
    """How the strong bot reviews the moves of a player's hand.

    ``moves`` lists what deserves a thought besides the move made, which is among it, and
    ``worlds`` says how many ways the hidden cards may lie the strong bot looks at there.
    ``weigh`` says what moves lead to, in so many of these ways, the same for all of them. A
    difference of ``least`` in the amount is worth a word: ``made`` says what was done, and then
    ``better`` what another move would have brought, or ``cost`` what the next best would have
    cost.
    """

    moves: Callable[[ViewT, MoveT], Sequence[MoveT]] = lambda view, _made: view.legal
    worlds: Callable[[ViewT], int]
    weigh: Callable[[ViewT, Sequence[MoveT], Random, int], Sequence[Prospect]]
    least: float
    made: Callable[[Decision[StateT, MoveT]], Text]
    better: Callable[[Decision[StateT, MoveT]], Text]
    cost: Callable[[Decision[StateT, MoveT]], Text]


def shuffled(play: AnyPlay, session: Any, rng: Random) -> tuple[Pack, ...]:
    """Return as many orders of the pack as a hand of this session takes."""
    pack = play.pack(session)
    return tuple(tuple(rng.sample(pack, len(pack))) for _ in range(play.shuffles(session)))


def play_hand(
    play: AnyPlay,
    session: Any,
    packs: Sequence[Pack],
    *,
    bots: Sequence[Bot],
    rng: Random,
    budget: Budget = Budget(),
) -> Iterator[Step]:
    """Play a hand with one bot a seat, and yield every move as it is made.

    Every bot gets dice of its own, cast from *rng*: what one of them rolls never
    changes what another does.
    """
    dice = [Random(rng.getrandbits(64)) for _ in bots]
    state = play.deal(session, packs)
    while (seat := play.seat_to_move(state)) is not None:
        move = bots[seat](play.view(state, seat), dice[seat], budget)
        after = play.play(state, move)
        yield Step(state, seat, move, after)
        state = after
