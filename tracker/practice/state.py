"""State of a practice table, stored in the URL of its page (``?hand=``) and not on the server.

It is signed, so that nobody can make up a hand. An older URL is the same hand some moves ago. A
finished hand can be downloaded as a *record*: a text with its cards and moves.
"""

from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass, field, replace
from random import Random
from typing import Any

from django.core import signing
from django.utils.translation import gettext

from games import catalogue
from games.errors import RuleError, gettext_noop
from games.game import AnyGame, FirstDealer, SeatDraw
from games.mode import Mode
from games.option import Options, OptionValue
from games.play.layout import Layout
from games.play.playing import AnyPlay, Step, shuffled
from games.records.format import Record, write
from games.records.replayer import with_steps
from games.sheet import Sheet
from tracker.common.wording import Names, names_of, say

ME = 0  # the seat of the person who practises
LONGEST = 12_000  # characters of a signed hand; longer ones are refused
REMEMBERED = 40  # earlier hands whose sheets fit in the URL
_SALT = "kula.practice."
# Names of bots: enough for a table of twenty.
_OPPONENTS = [
    *("Neema", "Juma", "Baraka", "Zuwena", "Omari", "Asha", "Rehema", "Said", "Tatu", "Upendo"),
    *("Hamisi", "Zawadi", "Salim", "Amina", "Rashid", "Saida", "Idi", "Mwanaidi", "Ali", "Halima"),
]


class UnreadableHand(RuleError):
    """The URL holds no practice hand, or one that the present rules do not allow."""


@dataclass(frozen=True, slots=True)
class PracticeHand:
    """A hand as it was dealt, with the moves made in it since.

    The URL has the values without names, in the order of these fields. A new field must have a
    default and stand just before ``codes``, the last: then older URLs can still be read.
    """

    game: str  # its code, as in ``catalogue.GAMES``
    mode: str  # a code: how many play, and in which sides
    options: Mapping[str, OptionValue]  # the house rules
    session: Mapping[str, Any]  # what the hand before left to this one: ``Game.save_session``
    seed: int  # the cards follow from it
    strength: str  # of the bots, a code
    name: str  # of the person who practises
    number: int = 1  # of the hand at this table, from 1
    sums: tuple[Mapping[str, int], ...] = ()  # of each mark in the earlier hands, for each seat
    first_dealer: int = 0  # the seat that dealt hand 1
    # The written results of the earlier hands; ``None`` once these are more than ``REMEMBERED``.
    earlier_sheets: Sequence[Sheet] | None = None
    drawn: Sequence[int] = ()  # if seats were drawn: for each seat, an index into ``seat_names``
    codes: tuple[str, ...] = field(default=(), kw_only=True)  # of the moves

    def signed(self) -> str:
        """Return the values of all fields as a signed string, which ``read_hand`` reads."""
        *values, codes = astuple(self)
        state = [*values, " ".join(codes)]
        return signing.dumps(state, salt=_SALT + self.game, compress=True)

    def sums_after(
        self, marks: Sequence[Mapping[str, int]] | None
    ) -> tuple[Mapping[str, int], ...]:
        """Return ``sums`` with the *marks* of this hand added; both are indexed by seat."""
        if not marks:
            return self.sums
        return tuple(
            {key: amount + seat_marks[key] for key, amount in seat_sums.items()}
            for seat_sums, seat_marks in zip(self.sums, marks, strict=True)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class PracticeTable:
    """A practice hand replayed: the state as *dealt* and each move, in types of the game's own.

    ``game`` has the rules, ``play`` deals and moves, and ``session`` is the table before the hand.
    """

    hand: PracticeHand
    game: AnyGame
    play: AnyPlay
    session: Any
    names: Names
    dealt: Any
    steps: tuple[Step, ...]

    @property
    def state(self) -> Any:
        return self.steps[-1].after if self.steps else self.dealt

    @property
    def to_move(self) -> int | None:
        """Return the seat whose turn it is; ``None`` if the hand is over."""
        return self.play.seat_to_move(self.state)

    @property
    def own_moves(self) -> tuple[int, ...]:
        """Return the indexes of the steps in which the person moved."""
        return tuple(index for index, step in enumerate(self.steps) if step.seat == ME)

    def at(self, moves: int) -> "PracticeTable":
        """Return the table as it was after this number of moves."""
        hand = replace(self.hand, codes=self.hand.codes[:moves])
        return replace(self, hand=hand, steps=self.steps[:moves])

    def layout_of(self, state: Any) -> Layout:
        """Return the layout of a state as seen from the person's seat."""
        layout: Layout = self.play.layout(self.play.view(state, ME))
        return layout

    def describe_step(self, index: int) -> str:
        step = self.steps[index]
        return say(self.play.describe_move(step.before, step.move), self.names)


def practisable() -> tuple[AnyGame, ...]:
    """Return the games that can be played card by card."""
    return tuple(game for game in catalogue.GAMES.values() if game.play)


def read_hand(text: str, game: str) -> PracticeTable:
    """Return the table of a signed hand of this game.

    :raises UnreadableHand: if the signature is wrong, or the present rules do not allow the hand.
    """
    try:
        # An older URL has fewer values: the fields after them keep their defaults.
        *values, codes = signing.loads(text[:LONGEST], salt=_SALT + game)
        return replay_hand(PracticeHand(*values, codes=tuple(codes.split())))
    # A signed hand fitted the rules of its time; they may have changed since, in any way.
    except (signing.BadSignature, RuleError, ValueError, TypeError, LookupError) as error:
        sentence = gettext_noop("That hand cannot be read any more. Deal another one.")
        raise UnreadableHand("practice-unreadable", sentence) from error


def replay_hand(hand: PracticeHand) -> PracticeTable:
    """Play the moves of a hand and return its table.

    :raises RuleError: if the rules do not allow a move, the mode or a house rule.
    :raises LookupError: if there is no such game, or it cannot be played here.
    """
    game = catalogue.GAMES[hand.game]
    if game.play is None:
        raise LookupError(hand.game)
    play = game.play
    options = game.complete_options(hand.options)
    mode = game.mode(hand.mode, options)
    session = game.resume_session(mode, options, hand.session)
    state = dealt = play.deal(session, shuffled(play, session, Random(hand.seed)))
    steps = []
    for code in hand.codes:
        seat, move = play.seat_to_move(state), play.parse_move(code)
        after = play.play(state, move)
        assert seat is not None  # noqa: S101 - after the end ``play`` refuses every move
        steps.append(Step(state, seat, move, after))
        state = after
    people = seat_names(hand.name, mode.seats)
    return PracticeTable(
        hand=hand,
        game=game,
        play=play,
        session=session,
        names=names_of(mode, [people[index] for index in hand.drawn] or people),
        dealt=dealt,
        steps=tuple(steps),
    )


def record_of(table: PracticeTable) -> str:
    """Return the record of a finished hand as text, with a sentence after each move.

    The text is empty if the hand is not finished, or the sheets of the earlier hands not stored.
    """
    hand, game, play = table.hand, table.game, table.play
    if table.to_move is not None or hand.earlier_sheets is None:
        return ""
    without_moves = Record(
        game=hand.game,
        mode=hand.mode,
        options=game.house_rules(hand.options),
        players=table.names.seats,
        first_dealer=hand.first_dealer,
        before=tuple(hand.earlier_sheets),
        dealer=table.session.dealer,
        packs=shuffled(play, table.session, Random(hand.seed)),
    )
    sentences = [table.describe_step(index) for index in range(len(table.steps))]
    return write(with_steps(without_moves, play, table.steps, table.state), remarks=sentences)


def seat_draw(game: AnyGame, mode: Mode, options: Options, seed: int) -> SeatDraw | None:
    """Return who drew which seat; ``None`` unless the house rules let people draw for seats."""
    if game.draw_seats is None:
        return None
    return game.draw_seats(mode, options, Random(f"{seed}/places"))


def draw_sentences(table: PracticeTable) -> tuple[str, ...]:
    """Return sentences on how seats and the first dealer were drawn; none after the first hand."""
    hand, session = table.hand, table.session
    if hand.number > 1:
        return ()
    draw = seat_draw(table.game, session.mode, session.options, hand.seed)
    people = Names(tuple(seat_names(hand.name, session.mode.seats)), ())
    sentences = [say(text, people) for text in draw.story] if draw else []
    # Where cards decide who deals, the layout of the first state says who has turned which card.
    if table.game.first_dealer is FirstDealer.DRAWN:
        words = [
            {"who": table.names.at(seat), "what": say(text, table.names)}
            for seat, spot in enumerate(table.layout_of(table.dealt).spots)
            for text in spot.says
        ]
        return (*sentences, *(gettext("%(who)s %(what)s.") % params for params in words))
    who = table.names.at(hand.first_dealer)
    return (*sentences, gettext("%(who)s was drawn to deal first.") % {"who": who})


def seat_names(name: str, seats: int) -> list[str]:
    """Return a name for each seat: the person's own, then those of bots.

    >>> seat_names("Juma", 3)
    ['Juma', 'Neema', 'Baraka']
    """
    return [name, *(other for other in _OPPONENTS if other != name)][:seats]
