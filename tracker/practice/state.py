"""A hand of practice: all it is made of, written into an address and read from it again.

Nothing of it is stored. The address is signed, so that nobody hands in another hand
than the one that was played, and an older one is simply the hand some moves ago. Once
it is over it can be taken away as a record.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
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
from games.play.playing import AnyPlay, Pack, Step, shuffled
from games.records.format import Record, write
from games.records.replayer import with_steps
from games.sheet import Sheet
from tracker.common.wording import Names, names_of, say

ME = 0  # the seat of whoever practises
LONGEST = 12_000  # letters of an address that is read at all
REMEMBERED = 40  # hands of a table whose sheets its address has room for
_SALT = "kula.practice."
# So many that a table of twenty is never short of one.
_OPPONENTS = (
    *(
        "Neema",
        "Juma",
        "Baraka",
        "Zuwena",
        "Omari",
        "Asha",
        "Rehema",
        "Said",
        "Tatu",
        "Upendo",
    ),
    *("Hamisi", "Zawadi", "Salim", "Amina", "Rashid", "Saida", "Idi", "Mwanaidi", "Ali", "Halima"),
)


class UnreadableHand(RuleError):
    """An address that no hand of practice ever had, or had before the rules were changed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PracticeHand:
    """One hand as it was dealt, and every move made in it, by its code.

    ``sums`` are the marks that each seat has gathered in the hands before, and ``before``
    the sheets of these; it is ``None`` once they are too many. ``drawn`` says by seat which
    of the people who came sits there, where they drew for their places.
    """

    game: str
    mode: str
    options: Mapping[str, OptionValue]
    session: Mapping[str, Any]  # as ``Game.save_session`` leaves it
    seed: int
    strength: str
    name: str
    number: int = 1
    sums: tuple[Mapping[str, int], ...] = ()
    first_dealer: int = 0
    before: Sequence[Sheet] | None = None
    drawn: Sequence[int] = ()
    codes: tuple[str, ...] = ()

    def written(self) -> str:
        """Return the hand as a signed string for an address."""
        state = [
            *(self.game, self.mode, dict(self.options), dict(self.session), self.seed),
            *(self.strength, self.name, self.number, list(self.sums)),
            *(self.first_dealer, self.before, list(self.drawn), " ".join(self.codes)),
        ]
        return signing.dumps(state, salt=_SALT + self.game, compress=True)

    def sums_with(self, marks: Sequence[Mapping[str, int]] | None) -> tuple[Mapping[str, int], ...]:
        """Return what each seat has gathered with the marks of this hand, if it gives any."""
        if not marks:
            return self.sums
        return tuple(
            {key: before[key] + own[key] for key in before}
            for before, own in zip(self.sums, marks, strict=True)
        )

    def back_to(self, moves: int) -> "PracticeHand":
        """Return the hand as it stood after so many moves."""
        return replace(self, codes=self.codes[:moves])


@dataclass(frozen=True, slots=True, kw_only=True)
class PracticeTable:
    """A hand on the table: the state that was dealt, and every move made since."""

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
        return self.play.seat_to_move(self.state)

    @property
    def mine(self) -> tuple[int, ...]:
        """Return which of the moves were one's own."""
        return tuple(place for place, step in enumerate(self.steps) if step.seat == ME)

    def at(self, moves: int) -> "PracticeTable":
        """Return the table as it stood after so many moves."""
        return replace(self, hand=self.hand.back_to(moves), steps=self.steps[:moves])

    def laid(self, state: Any) -> Layout:
        """Return the layout of a state as the person who practises sees it."""
        assert self.play.layout is not None  # noqa: S101 - only such games are practised
        laid: Layout = self.play.layout(self.play.view(state, ME))
        return laid

    def told(self, place: int) -> str:
        """Say what happened in this move."""
        step = self.steps[place]
        return say(self.play.describe_move(step.before, step.move), self.names)


def practisable() -> tuple[AnyGame, ...]:
    """Return the games that can be practised."""
    return tuple(game for game in catalogue.GAMES.values() if game.play and game.play.layout)


def read(text: str, game: str) -> PracticeTable:
    """Return the hand of this game that was written into an address.

    :raises Unreadable: if it never was.
    """
    try:
        state = signing.loads(text[:LONGEST], salt=_SALT + game)
        hand = PracticeHand(
            **dict(zip(PracticeHand.__slots__, state[:-1], strict=False)),
            codes=tuple(state[-1].split()),
        )
        return replay(hand)
    # Whatever was signed fitted the rules then; they may have been changed since.
    except (signing.BadSignature, ValueError, TypeError, LookupError) as error:
        raise UnreadableHand(
            "practice-unreadable",
            gettext_noop("That hand cannot be read any more. Deal another one."),
        ) from error


def replay(hand: PracticeHand) -> PracticeTable:
    """Play a hand again, move by move.

    :raises RuleError: if the rules do not know it.
    """
    game = catalogue.GAMES[hand.game]
    if game.play is None:
        raise LookupError(hand.game)
    play = game.play
    options = game.complete_options(hand.options)
    mode = game.mode(hand.mode, options)
    session = game.resume_session(mode, options, hand.session)
    state = dealt = play.deal(session, _packs(hand, play, session))
    steps = []
    for code in hand.codes:
        seat, move = play.seat_to_move(state), play.parse_move(code)
        after = play.play(state, move)
        assert seat is not None  # noqa: S101 - nobody may move once the hand is over
        steps.append(Step(state, seat, move, after))
        state = after
    came = people(hand.name, mode.seats)
    return PracticeTable(
        hand=hand,
        game=game,
        play=play,
        session=session,
        names=names_of(mode, [came[place] for place in hand.drawn] or came),
        dealt=dealt,
        steps=tuple(steps),
    )


def record_of(table: PracticeTable) -> str:
    """Return the record of a hand that is over, with what happened behind every move.

    It is empty before, and where nobody remembers the hands before this one.
    """
    hand, game, play = table.hand, table.game, table.play
    if table.to_move is not None or hand.before is None:
        return ""
    begun = Record(
        game=hand.game,
        mode=hand.mode,
        options=game.house_rules(hand.options),
        players=table.names.seats,
        first_dealer=hand.first_dealer,
        before=tuple(hand.before),
        dealer=table.session.dealer,
        packs=_packs(hand, play, table.session),
    )
    sentences = [table.told(place) for place in range(len(table.steps))]
    return write(with_steps(begun, play, table.steps, table.state), remarks=sentences)


def _packs(hand: PracticeHand, play: AnyPlay, session: Any) -> tuple[Pack, ...]:
    return shuffled(play, session, Random(hand.seed))


def seat_draw(game: AnyGame, mode: Mode, options: Options, seed: int) -> SeatDraw | None:
    """Return who drew which place, where the house rules say that people draw for them."""
    return game.draw_seats and game.draw_seats(mode, options, Random(f"{seed}/places"))


def opening(table: PracticeTable) -> tuple[str, ...]:
    """Say how places and the first dealer were found, before the first hand of a table."""
    hand, session = table.hand, table.session
    if hand.number > 1:
        return ()
    draw = seat_draw(table.game, session.mode, session.options, hand.seed)
    came = Names(tuple(people(hand.name, session.mode.seats)), ())
    sentences = [say(text, came) for text in draw.story] if draw else []
    if table.game.first_dealer is FirstDealer.DRAWN:
        # What each seat has shown before the first card.
        shown = [
            {"who": table.names.at(seat), "what": say(text, table.names)}
            for seat, spot in enumerate(table.laid(table.dealt).spots)
            for text in spot.says
        ]
        return (*sentences, *(gettext("%(who)s %(what)s.") % each for each in shown))
    who = table.names.at(hand.first_dealer)
    return (*sentences, gettext("%(who)s was drawn to deal first.") % {"who": who})


def people(name: str, seats: int) -> list[str]:
    """Return the names at all seats, the person's own first.

    >>> people("Juma", 3)
    ['Juma', 'Neema', 'Baraka']
    """
    return [name, *(other for other in _OPPONENTS if other != name)][:seats]
