"""Narration: what a seat sees, line by line, and what a move does, in sentences for people."""

from typing import assert_never

from games.albastini.cards import Card
from games.albastini.play.rules import play
from games.albastini.play.state import Bid, Move, Pass, State
from games.albastini.play.view import View
from games.errors import gettext_noop
from games.play.trick_table import TrickWords
from games.play.tricks import PlayCard, by_suit
from games.play.views import turn_lines
from games.wording import AtSeat, Text, _, then

_WORDS: TrickWords[Card] = TrickWords(
    card=lambda card: card.label,
    cards=lambda cards: " ".join(card.label for card in by_suit(cards)),
    played=gettext_noop("%(who)s %(card)s"),
    lies=gettext_noop("%(who)s has played %(card)s."),
    took=gettext_noop("%(who)s ate it: %(points)d."),
    takes=gettext_noop("%(who)s eats the trick: %(points)d."),
    draws=gettext_noop("You draw %(card)s."),
    has=gettext_noop("%(side)s has eaten %(points)d."),
    have=gettext_noop("%(side)s have eaten %(points)d."),
    face_up=gettext_noop("Trumps: %(trump)s. %(card)s is face up; %(number)d cards left to draw."),
)
last_trick, learns = _WORDS.last_trick, _WORDS.learns


def describe(view: View) -> tuple[Text, ...]:
    """Say what this seat sees: who deals, the bids or the trick, its own cards, who has what."""
    bids = () if view.turned_up else view.bids
    return (
        *_WORDS.table(view),
        *(_bids(seat, bid) for seat, bid in enumerate(bids) if bid),
        _WORDS.hand(view),
        *_WORDS.so_far(view),
        *_turn(view),
    )


def prompt(view: View) -> tuple[Text, ...]:
    return (*_WORDS.stock(view), _WORDS.hand(view), *_turn(view))


def describe_move(state: State, move: Move) -> Text:
    who, after = AtSeat(state.turn), play(state, move)
    match move:
        case Pass():
            done = _("%(who)s does not bid.", who=who)
        case Bid(card):
            done = _bids(state.turn, card)
        case PlayCard(card):
            done = _("%(who)s plays %(card)s.", who=who, card=card.label)
        case _:
            assert_never(move)
    if after.turned_up and after.face_up and not state.turned_up:
        return then(done, _turned_up(after.turned_up, after.face_up, after.exchanged))
    return _WORDS.with_taker(done, state, after)


def _bids(seat: int, card: Card) -> Text:
    return _("%(who)s bids %(card)s.", who=AtSeat(seat), card=card.label)


def _turned_up(card: Card, face_up: Card, exchanged: int | None) -> Text:
    """Say which card was turned up, and who took it for the bid in its suit, which is now face up (R6)."""
    trump = Text(card.suit.label)
    if exchanged is None:
        return _("%(card)s is turned up: trumps are %(trump)s.", card=card.label, trump=trump)
    return _(
        "%(card)s is turned up: trumps are %(trump)s. "
        "%(who)s takes it and leaves %(bid)s in its place.",
        card=card.label,
        trump=trump,
        who=AtSeat(exchanged),
        bid=face_up.label,
    )


def _turn(view: View) -> tuple[Text, ...]:
    bid, play = _("Your turn to bid, or to pass."), _("Your turn to play.")
    return turn_lines(view, bid if view.to_bid else play)
