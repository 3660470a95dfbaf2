"""Narration: what a seat sees, line by line, and what a move does, in sentences for people."""

from collections.abc import Iterable
from typing import assert_never

from games.briscola.cards import Card
from games.briscola.play.rules import play
from games.briscola.play.state import Move, State, SwapTrump
from games.briscola.play.view import View, partners_look
from games.errors import gettext_noop
from games.play.trick_table import TrickWords
from games.play.tricks import PlayCard, by_suit
from games.play.views import turn_lines
from games.wording import AtSeat, Text, _, listed, then


def names(cards: Iterable[Card]) -> Text:
    """List cards by suit, the strongest first, as people hold them."""
    return listed(Text(card.label) for card in by_suit(cards))


_WORDS: TrickWords[Card] = TrickWords(
    card=lambda card: Text(card.label),
    cards=names,
    played=gettext_noop("%(who)s the %(card)s"),
    lies=gettext_noop("%(who)s has played the %(card)s."),
    took=gettext_noop("%(who)s took it: %(points)d."),
    takes=gettext_noop("%(who)s takes the trick: %(points)d."),
    draws=gettext_noop("You draw the %(card)s."),
    has=gettext_noop("%(side)s has taken %(points)d."),
    have=gettext_noop("%(side)s have taken %(points)d."),
    face_up=gettext_noop(
        "Trumps: %(trump)s. The %(card)s is face up; %(number)d cards left to draw."
    ),
)
last_trick, learns = _WORDS.last_trick, _WORDS.learns


def describe(view: View) -> tuple[Text, ...]:
    """Say what this seat sees: who deals, trumps, the trick, its own cards, who has what."""
    return (
        *_WORDS.table(view),
        _WORDS.hand(view),
        *_partners(view),
        *_WORDS.so_far(view),
        *_turn(view),
    )


def prompt(view: View) -> tuple[Text, ...]:
    return (*_WORDS.stock(view), _WORDS.hand(view), *_partners(view), *_turn(view))


def describe_move(state: State, move: Move) -> Text:
    who = AtSeat(state.turn)
    after = play(state, move)
    match move:
        case SwapTrump():
            return _(
                "%(who)s takes the %(card)s and leaves the %(left)s in its place.",
                who=who,
                card=Text(state.face_up.label),
                left=Text(after.face_up.label),
            )
        case PlayCard(card):
            done = _("%(who)s plays the %(card)s.", who=who, card=Text(card.label))
        case _:
            assert_never(move)
    told = _WORDS.with_taker(done, state, after)
    if state.mode.individual or partners_look(state) or not partners_look(after):
        return told
    return then(told, _("Partners now show each other their cards."))


def _partners(view: View) -> list[Text]:
    """Show what this seat knows of other hands: a partner's (R11), or a card taken face up."""
    return [
        _("%(who)s holds: %(cards)s", who=AtSeat(seat), cards=names(cards))
        for seat, cards in enumerate(view.known)
        if cards and seat != view.seat
    ]


def _turn(view: View) -> tuple[Text, ...]:
    lines = [_("Your turn to play.")]
    if any(isinstance(move, SwapTrump) for move in view.legal):
        lines.append(
            _("First you may swap a small trump for the %(card)s.", card=Text(view.face_up.label))
        )
    return turn_lines(view, *lines)
