"""Game: what every game offers, as a frozen value of functions."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields
from enum import StrEnum
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from random import Random
from types import FunctionType, MethodType, ModuleType
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeAlias, TypeVar

from games.cards import Countable, Face
from games.errors import ModeError, OptionError, RuleError, gettext_noop
from games.mode import Mode, listed_modes
from games.option import Option, Options, OptionValue
from games.sheet import Criterion, Mark, Question, Scope, Scored, Sheet
from games.wording import Text

if TYPE_CHECKING:
    from games.play.playing import AnyPlay


class Session(Protocol):
    """What one hand leaves to the next. Each game has its own frozen type.

    ``dealer`` is who should deal the coming hand, ``may_deal`` everybody who may,
    ``leader`` who plays first; ``over`` says that a game has just ended, so that
    the next sheet begins another. A session holds whole numbers, truth values,
    ``None`` and tuples of these beside its mode and options, so that it can be
    kept as JSON.
    """

    @property
    def mode(self) -> Mode: ...
    @property
    def options(self) -> Options: ...
    @property
    def dealer(self) -> int: ...
    @property
    def may_deal(self) -> tuple[int, ...]: ...
    @property
    def leader(self) -> int: ...
    @property
    def over(self) -> bool: ...


SessionT = TypeVar("SessionT", bound=Session)


class FirstDealer(StrEnum):
    """How the very first dealer of a sitting is found."""

    CHOSEN = "chosen"  # by whoever seats the table: the one who opened least
    LOT = "lot"  # at random
    DRAWN = "drawn"  # by the table's own opening draw


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """What one hand is called at this game's table."""

    one: str  # "hand"
    many: str  # "hands"
    numbered: str  # "Hand %(number)d"
    numbered_of: str  # "Hand %(number)d of %(all)d"


DEAL = Unit(
    one=gettext_noop("deal"),
    many=gettext_noop("deals"),
    numbered=gettext_noop("Deal %(number)d"),
    numbered_of=gettext_noop("Deal %(number)d of %(all)d"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Typical:
    """Averages of one hand for planning an evening.

    Where rounds count games, it is of one game, won by the first side with ``wins`` hands.
    ``minutes`` is how long it lasts, dealing and counting with it. ``placed`` says that every
    place earns; otherwise only who wins does, and twice as much in the share ``double`` of hands.
    """

    minutes: int = 5
    wins: int = 1
    placed: bool = False
    double: float = 0.0


@dataclass(frozen=True, slots=True)
class Forecast:
    """Who deals next after an outcome; ``dealer`` is ``None`` while it is undecided."""

    outcome: Text
    side: int | None
    dealer: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TableNotes:
    """What a table likes to see beside the names: of the whole table, and of each seat."""

    table: Text | None = None
    seats: tuple[Text | None, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatDraw:
    """Who sits where by the luck of the cards.

    ``places`` names, for every seat, the place of whoever takes it in the order in which
    people came to the table; an ``AtSeat`` in ``story`` means that place, too.
    """

    places: tuple[int, ...]
    story: tuple[Text, ...]


def _no_card(code: str) -> Face:
    raise ValueError(f"not a card: {code!r}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Game(Generic[SessionT]):
    """One game, as a value. Everything it says to people is English to be translated."""

    slug: str
    name: str
    unit: Unit
    modes: Callable[[Options], tuple[Mode, ...]]  # the usual one of each size first
    marks: tuple[Mark, ...]
    ranking: Callable[[Options, bool], tuple[Criterion, ...]]  # options, partners change
    columns: Callable[[Options], tuple[Criterion, ...]]
    session: type[SessionT]
    open_session: Callable[[Mode, Options, int, Sequence[int | None]], SessionT]
    questions: Callable[[SessionT], tuple[Question, ...]]
    bare_question: Callable[[SessionT], Question]
    add_sheet: Callable[[SessionT, Sheet], Scored[SessionT]]
    headline: Callable[[SessionT, Sheet], Text]  # the session before, the completed sheet
    forecast: Callable[[SessionT], tuple[Forecast, ...]]
    explain: Callable[[SessionT, Sheet], Text | None] = lambda _session, _sheet: None  # why so
    notes: Callable[[SessionT], TableNotes] = lambda _session: TableNotes()
    first_dealer: FirstDealer = FirstDealer.CHOSEN
    options: tuple[Option, ...] = ()
    summary: str = ""
    deals_next: str = ""  # the rule of who deals, in a sentence for whoever reads a standing
    # What decides where several tables play, which may differ in size; without it, the ranking.
    across: Callable[[Options, bool], tuple[Criterion, ...]] | None = None
    # A round's usual length, in hands, or, where games end by themselves, in games.
    round_in_games: bool = False
    usual_length: int = 8
    typical: Typical = Typical()
    # By which people draw for their seats where the house rules say so, and ``None`` where not.
    draw_seats: Callable[[Mode, Options, Random], SeatDraw | None] | None = None
    # How a card is drawn, by its code; a ``ValueError`` if there is no such card.
    face: Callable[[str], Face] = _no_card
    # Of games in which a side counts the cards it has taken.
    countable: Callable[[SessionT], Countable] | None = None

    @classmethod
    def of(cls, *modules: ModuleType, session: type[SessionT], **more: Any) -> "Game[SessionT]":
        """Return a game with every function that *modules* have under the name of a field here.

        So it is with the constants ``OPTIONS`` and ``MARKS``. Its slug is the name of their folder.
        """
        constants = {
            name.lower(): getattr(module, name)
            for name in ("OPTIONS", "MARKS")
            for module in modules
            if hasattr(module, name)
        }
        slug = session.__module__.split(".")[1]
        parts = {**constants, **named_parts(cls, *modules), **more}
        return cls(slug=slug, session=session, **parts)

    @property
    def play(self) -> "AnyPlay | None":
        """How it is played, card by card; without its folder ``play`` a game is only scored."""
        folder = _play_folder(self.slug)
        return None if folder is None else folder.PLAY

    @property
    def seat_scoped(self) -> frozenset[str]:
        """Return the keys of the marks that each seat has for itself, not with its side."""
        return frozenset(mark.key for mark in self.marks if mark.scope is Scope.SEAT)

    @property
    def usual_points(self) -> Criterion:
        """Return the points that compare evenings of this game, also where partners change."""
        return self.ranking(self.default_options(), True)[0]

    @property
    def share_beaten(self) -> Criterion | None:
        """Return the share of the others that a player finished before, in a game with an order."""
        return self.across(self.default_options(), True)[0] if self.across else None

    def match_points(self, options: Options, *, in_games: bool) -> Criterion:
        """Return what decides a match of two sides: whole games in rounds of games, or hands."""
        return self.ranking(options, not in_games)[0]

    def columns_after(self, points: Criterion, options: Options) -> tuple[Criterion, ...]:
        """Return the columns of a standing: the *points* first, then the others.

        What follows from figures of its own is left out where it does not rank.
        """
        others = (column for column in self.columns(options) if column.key != points.key)
        return (points, *points.follows_from, *(each for each in others if not each.follows_from))

    def tie_breaks(self, options: Options) -> tuple[Criterion, ...]:
        """Return everything that can part equals, the game's own tie-breaks first."""
        rankings = [self.ranking(options, changing) for changing in (False, True)]
        if self.across is not None:
            rankings += [self.across(options, unequal) for unequal in (False, True)]
        breaks = [criterion for ranking in rankings for criterion in ranking[1:]]
        points = [ranking[0] for ranking in rankings]
        by_key = {each.key: each for each in (*breaks, *self.columns(options), *points)}
        return tuple(by_key.values())

    def default_options(self) -> dict[str, OptionValue]:
        """Return the rule book's answer to every house rule."""
        return {option.name: option.default for option in self.options}

    def complete_options(self, given: Options) -> dict[str, OptionValue]:
        """Return *given* with the rule book's answers where it says nothing.

        :raises OptionError: if the game has no such house rule, or it cannot take the value.
        """
        known = {option.name: option for option in self.options}
        for name, value in given.items():
            if name not in known:
                raise OptionError(
                    "option-unknown",
                    gettext_noop("%(game)s has no house rule “%(name)s”. It has: %(known)s."),
                    game=self.name,
                    name=name,
                    known=", ".join(known),
                )
            if not known[name].takes(value):
                raise OptionError(
                    "option-value",
                    gettext_noop("House rule “%(name)s” is not “%(value)s”. It can be: %(known)s."),
                    name=name,
                    value=value,
                    known=known[name].listed_values(),
                )
        return {**self.default_options(), **given}

    def resume_options(self, saved: Options) -> dict[str, OptionValue]:
        """Return stored house rules as the game knows them today.

        A house rule that the game has dropped is passed over; where it has learnt one since,
        or can no longer take the value, the rule book answers.
        """
        return {
            option.name: saved[option.name]
            if option.name in saved and option.takes(saved[option.name])
            else option.default
            for option in self.options
        }

    def is_drawn(self, may_deal: Sequence[int]) -> bool:
        """Return whether the table's own draw decides who deals, of those who may by the rules.

        A sheet that neither names the dealer nor tells the draw leaves the dealer unknown.
        """
        return self.first_dealer is FirstDealer.DRAWN and len(may_deal) > 1

    def house_rules(self, options: Options) -> dict[str, OptionValue]:
        """Return the *options* that differ from the rule book."""
        usual = self.default_options()
        return {name: value for name, value in options.items() if value != usual[name]}

    def mode(self, code: str, options: Options) -> Mode:
        """Return the mode with this code.

        :raises ModeError: if these house rules do not offer it.
        """
        for mode in self.modes(options):
            if mode.code == code:
                return mode
        raise ModeError(
            "mode-unknown",
            gettext_noop("%(game)s has no “%(code)s” under these house rules. It has: %(known)s."),
            game=self.name,
            code=code,
            known=listed_modes(self.modes(options)),
        )

    def all_modes(self) -> tuple[Mode, ...]:
        """Return every mode that some answer to one house rule allows, the usual ones first."""
        usual = self.default_options()
        otherwise = [
            {**usual, option.name: value} for option in self.options for value in option.values
        ]
        by_code: dict[str, Mode] = {}
        for options in (usual, *otherwise):
            with suppress(RuleError):  # answers that do not go together seat nobody
                for mode in self.modes(options):
                    by_code.setdefault(mode.code, mode)
        return tuple(by_code.values())

    def save_session(self, session: SessionT) -> dict[str, Any]:
        """Return what a session holds beside mode and options, as JSON can keep it."""
        return {
            held.name: getattr(session, held.name)
            for held in fields(session)  # type: ignore[arg-type]
            if held.name not in {"mode", "options"}
        }

    def resume_session(self, mode: Mode, options: Options, saved: Mapping[str, Any]) -> SessionT:
        """Return the session that ``save_session`` wrote down."""
        held = {name: _as_tuple(value) for name, value in saved.items()}
        # Every game's session is a dataclass whose fields these are; the protocol cannot say so.
        return self.session(mode=mode, options=options, **held)  # type: ignore[call-arg]


AnyGame: TypeAlias = Game[Any]


@cache
def _play_folder(slug: str) -> ModuleType | None:
    """Return the package ``play`` of a game, if it has one."""
    name = f"games.{slug}.play"
    return import_module(name) if is_installed(name) else None


def is_installed(package: str) -> bool:
    """Return whether there is this package, and not only a folder that was left of it."""
    found = find_spec(package)
    return found is not None and found.origin is not None


def named_parts(kind: type, *modules: ModuleType) -> dict[str, Any]:
    """Return the functions that a game's modules have under the names of this dataclass's fields."""
    return {
        part.name: getattr(module, part.name)
        for part in fields(kind)
        for module in modules
        if isinstance(getattr(module, part.name, None), FunctionType | MethodType)
    }


def _as_tuple(value: Any) -> Any:
    return tuple(map(_as_tuple, value)) if isinstance(value, list | tuple) else value
