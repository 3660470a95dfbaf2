"""Layout: a hand as cards to draw and to tap; in the bidding a tap bids a card, then it plays one."""

from games.albastini.cards import PACK, Card, Suit
from games.albastini.scoring import Session
from games.albastini.state import Bid, Move, Pass, PlayCard, move_code
from games.albastini.view import View
from games.errors import gettext_noop
from games.play.layout import (
    Countable,
    Face,
    Held,
    Layout,
    Offer,
    Pile,
    Pip,
    Spot,
    taken_so_far,
    turn_of,
)
from games.play.tricks import by_suit, points, round_from
from games.wording import Text, listed, then

_PIPS = {
    Suit.SPADES: Pip.SPADE,
    Suit.HEARTS: Pip.HEART,
    Suit.DIAMONDS: Pip.DIAMOND,
    Suit.CLUBS: Pip.CLUBS,
}


def face(card: Card) -> Face:
    """Return how a card is drawn."""
    return Face(
        code=str(card),
        rank=card.rank,
        name=Text(card.name),
        pip=_PIPS[card.suit],
        points=card.value,
    )


def layout(view: View) -> Layout:
    """Return the table as this seat sees it."""
    cleared = not view.trick and bool(view.tricks)
    trump = view.trump and Text(view.trump.label)
    return Layout(
        dealer=view.dealer,
        spots=_spots(view, cleared=cleared),
        piles=_piles(view),
        hand=tuple(Held(face(card), _taps(view, card)) for card in by_suit(view.hand)),
        says=(
            *([Text(gettext_noop("Trumps: %(trump)s"), {"trump": trump})] if trump else []),
            *taken_so_far(points(view.mode, view.tricks) if view.face_up is not None else ()),
        ),
        asks=_asks(view),
        offers=tuple(
            Offer(move_code(move), Text(gettext_noop("Pass: bid nothing")))
            for move in view.legal
            if isinstance(move, Pass)
        ),
        cleared=cleared,
        taker=view.tricks[-1].winner if cleared else None,
        trump=None if view.trump is None else _PIPS[view.trump],
    )


def countable(_session: Session) -> Countable:
    """Return the cards a side counts (R2)."""
    return Countable("eaten", tuple(face(card) for card in PACK if card.value))


def _spots(view: View, *, cleared: bool) -> tuple[Spot, ...]:
    if view.face_up is None:
        played = {seat: bid for seat, bid in enumerate(view.bids) if bid is not None}
    else:
        leader, cards = view.leader, view.trick
        if cleared:  # between two tricks the last one is shown
            leader, cards = view.tricks[-1].leader, view.tricks[-1].cards
        played = dict(zip(round_from(leader, view.mode.seats), cards, strict=False))
    return tuple(
        Spot(
            held=held,
            played=(face(played[seat]),) if seat in played else (),
            known=tuple(map(face, by_suit(view.known[seat])))
            if view.face_up is not None and seat != view.seat
            else (),
        )
        for seat, held in enumerate(view.held)
    )


def _piles(view: View) -> tuple[Pile, ...]:
    stock = Text(gettext_noop("Stock"))
    if view.face_up is None:
        return (Pile(says=stock, hidden=view.stock),)
    if not view.stock:
        return ()
    return (Pile(says=stock, faces=(face(view.face_up),), hidden=view.stock - 1),)


def _taps(view: View, card: Card) -> tuple[Offer, ...]:
    if view.to_move != view.seat:
        return ()
    move: Move = Bid(card) if view.to_bid else PlayCard(card)
    template = gettext_noop("bid %(card)s") if view.to_bid else gettext_noop("play %(card)s")
    says = Text(template, {"card": card.label})
    return (Offer(move_code(move), says, legal=move in view.legal),)


def _asks(view: View) -> Text | None:
    if view.to_move is None:
        return None
    if view.to_move != view.seat:
        return turn_of(view.to_move)
    if view.to_bid:
        bid = Text(
            gettext_noop("Bid a low card of the trumps you hope for, or pass. You may lose it.")
        )
        taken = [Text(card.suit.label) for card in view.bids if card is not None]
        others = Text(gettext_noop("Taken: %(suits)s."), {"suits": listed(taken)})
        return then(bid, others) if taken else bid
    if not view.trick and view.tricks:
        return Text(
            gettext_noop("You ate it: %(points)d points. You lead: tap a card."),
            {"points": view.tricks[-1].value},
        )
    play = Text(gettext_noop("Tap a card to play it."))
    about = None if view.tricks else _own_bid(view)
    return play if about is None else then(about, play)


def _own_bid(view: View) -> Text | None:
    """Say what has become of one's own bid, or why one had none."""
    if view.exchanged == view.seat and view.indicator and view.face_up:
        return Text(
            gettext_noop("Your suit is trumps: you took %(card)s and left %(bid)s in its place."),
            {"card": view.indicator.label, "bid": view.face_up.label},
        )
    if view.seat == view.dealer:
        return Text(gettext_noop("You deal, so you do not bid."))
    if view.mode.side_of(view.seat) == view.mode.side_of(view.dealer):
        return Text(gettext_noop("Your partner deals, so you do not bid."))
    return None
