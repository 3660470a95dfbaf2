"""Narration: what a seat sees, line by line, and what a move does, in sentences for people."""

from collections.abc import Iterable
from typing import assert_never

from games.albastini.cards import Card
from games.albastini.play.rules import play
from games.albastini.play.state import Bid, Move, Pass, State
from games.albastini.play.view import View
from games.errors import gettext_noop
from games.play.layout import turn_lines
from games.play.trick_table import TrickWords
from games.play.tricks import PlayCard, by_suit, round_from
from games.wording import AtSeat, Text, _, then

_TRICKS: TrickWords[Card] = TrickWords(
    card=lambda card: card.label,
    played=gettext_noop("%(who)s %(card)s"),
    took=gettext_noop("%(who)s ate it: %(points)d."),
    takes=gettext_noop("%(who)s eats the trick: %(points)d."),
    draws=gettext_noop("You draw %(card)s."),
    has=gettext_noop("%(side)s has eaten %(points)d."),
    have=gettext_noop("%(side)s have eaten %(points)d."),
)
last_trick, learns = _TRICKS.last_trick, _TRICKS.learns


def describe(view: View) -> tuple[Text, ...]:
    """Say what this seat sees: who deals, the bids or the trick, its own cards, who has what."""
    lines = [_("%(who)s dealt.", who=AtSeat(view.dealer))]
    played: Iterable[tuple[int, Card]]
    if view.face_up:
        lines.append(_stock(view, view.face_up))
        played = zip(round_from(view.leader, view.mode.seats), view.trick, strict=False)
        template = gettext_noop("%(who)s has played %(card)s.")
    else:
        played = ((seat, bid) for seat, bid in enumerate(view.bids) if bid)
        template = gettext_noop("%(who)s bids %(card)s.")
    lines += [Text(template, {"who": AtSeat(seat), "card": card.label}) for seat, card in played]
    return (*lines, _hand(view), *_TRICKS.so_far(view), *_turn(view))


def prompt(view: View) -> tuple[Text, ...]:
    """Return what the player to move needs to know, having followed every move so far."""
    lines = [_stock(view, view.face_up)] if view.face_up else []
    return (*lines, _hand(view), *_turn(view))


def describe_move(state: State, move: Move) -> Text:
    """Return what all players see when this move is made."""
    params: dict[str, object] = {"who": AtSeat(state.turn)}
    after = play(state, move)
    match move:
        case Pass():
            done = _("%(who)s does not bid.", **params)
        case Bid(card):
            done = _("%(who)s bids %(card)s.", **params, card=card.label)
        case PlayCard(card):
            done = _("%(who)s plays %(card)s.", **params, card=card.label)
        case _:
            assert_never(move)
    if after.turned_up and after.face_up and not state.turned_up:
        params = {"card": after.turned_up.label, "trump": Text(after.turned_up.suit.label)}
        turned_up = gettext_noop("%(card)s is turned up: trumps are %(trump)s.")
        if after.exchanged is not None:  # for the bid in its suit (R6)
            params |= {"who": AtSeat(after.exchanged), "bid": after.face_up.label}
            turned_up = gettext_noop(
                "%(card)s is turned up: trumps are %(trump)s. "
                "%(who)s takes it and leaves %(bid)s in its place."
            )
        return then(done, Text(turned_up, params))
    return _TRICKS.with_taker(done, state, after)


def _hand(view: View) -> Text:
    cards = " ".join(card.label for card in by_suit(view.hand))
    return _("In your hand: %(cards)s", cards=cards)


def _turn(view: View) -> tuple[Text, ...]:
    bid, play = gettext_noop("Your turn to bid, or to pass."), gettext_noop("Your turn to play.")
    return turn_lines(view.seat, view.to_move, Text(bid if view.to_bid else play))


def _stock(view: View, face_up: Card) -> Text:
    # The face-up card is always a trump (R6).
    params = {"trump": Text(face_up.suit.label), "card": face_up.label, "number": view.stock}
    if view.stock:
        return Text(
            gettext_noop("Trumps: %(trump)s. %(card)s is face up; %(number)d cards left to draw.")
            if view.stock >= view.mode.seats
            else gettext_noop("Trumps are %(trump)s. %(card)s is left over."),
            params,
        )
    return _("Trumps are %(trump)s. Nothing is left to draw.", **params)
