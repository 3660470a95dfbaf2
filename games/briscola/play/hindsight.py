"""Hindsight: a strong bot's review of a player's cards after the deal, for ``Critic``."""

from collections.abc import Sequence
from random import Random

from games.bots.trick_kernel import usual_worlds
from games.briscola.cards import Card
from games.briscola.play.bots import playout_for
from games.briscola.play.kernel import KERNEL
from games.briscola.play.state import Move, State
from games.briscola.play.view import View
from games.errors import gettext_noop
from games.play.lapses import Lapse, card_played, well_done, worth_more
from games.play.playing import Decision, Prospect
from games.play.tricks import PlayCard
from games.wording import Text

LEAST = 3  # card points

_PLAYED = {
    Lapse.LED: gettext_noop("You led the %(card)s to trick %(number)d."),
    Lapse.GAVE: gettext_noop("In trick %(number)d %(who)s took your %(card)s."),
    Lapse.MISSED: gettext_noop(
        "You played the %(card)s to trick %(number)d, and %(who)s took %(points)d."
    ),
    Lapse.SPENT: gettext_noop("In trick %(number)d you spent the %(card)s, a trump."),
    Lapse.PLAYED: gettext_noop("You played the %(card)s to trick %(number)d."),
}

cost = well_done


def worlds(view: View) -> int:
    return usual_worlds(view, len(view.hand))


def moves(view: View, _made: Move) -> Sequence[Move]:
    """Return the cards to play: a swap only brings a better card, and is no choice."""
    return [move for move in view.legal if isinstance(move, PlayCard)]


def weigh(view: View, moves: Sequence[Move], rng: Random, worlds: int) -> list[Prospect]:
    return KERNEL.weigh(view, [*map(_card, moves)], rng, worlds, playout_for(view))


def better(decision: Decision[State, Move]) -> Text:
    other = gettext_noop("A strong player would have played the %(card)s there.")
    return worth_more(decision, Text(other, {"card": Text(_card(decision.other).label)}))


def made(decision: Decision[State, Move]) -> Text:
    card = _card(decision.move)
    return card_played(decision, card, _card(decision.other), _PLAYED, Text(card.label))


def _card(move: Move) -> Card:
    assert isinstance(move, PlayCard)  # noqa: S101 - nothing else is weighed
    return move.card
