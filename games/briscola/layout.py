"""Layout: a deal as cards to draw and to tap; a tap plays a card, the swap is offered beside them."""

from games.briscola.cards import Card
from games.briscola.options import cards_for
from games.briscola.scoring import Session
from games.briscola.state import PlayCard, Swap, move_code
from games.briscola.view import View
from games.errors import gettext_noop
from games.play.italian_pack import PIPS, corner
from games.play.layout import (
    Countable,
    Face,
    Held,
    Layout,
    Offer,
    Pile,
    Spot,
    taken_so_far,
    turn_of,
)
from games.play.tricks import by_suit, points, round_from
from games.wording import Text


def face(card: Card) -> Face:
    """Return how a card is drawn."""
    return Face(
        code=str(card),
        rank=corner(card.number),
        name=Text(card.label),
        pip=PIPS[card.suit.value],
        points=card.value,
    )


def layout(view: View) -> Layout:
    """Return the table as this seat sees it."""
    cleared = not view.trick and bool(view.tricks)
    stock = Text(gettext_noop("Stock"))
    return Layout(
        dealer=view.dealer,
        spots=_spots(view, cleared=cleared),
        piles=(Pile(says=stock, faces=(face(view.face_up),), hidden=view.stock - 1),)
        if view.stock
        else (),
        hand=tuple(Held(face(card), _taps(view, card)) for card in by_suit(view.hand)),
        says=(
            Text(gettext_noop("Trumps: %(trump)s"), {"trump": Text(view.trump.label)}),
            *taken_so_far(points(view.mode, view.tricks)),
        ),
        asks=_asks(view),
        offers=tuple(
            Offer(
                move_code(move),
                Text(
                    gettext_noop("Swap your %(number)d of trumps for the %(card)s"),
                    {"number": move.number, "card": Text(view.face_up.label)},
                ),
            )
            for move in view.legal
            if isinstance(move, Swap)
        ),
        cleared=cleared,
        taker=view.tricks[-1].winner if cleared else None,
        trump=PIPS[view.trump.value],
        to_right=True,
    )


def countable(session: Session) -> Countable:
    """Return the cards a side counts (R7)."""
    cards = cards_for(session.mode, session.options)
    return Countable("points", tuple(face(card) for card in cards if card.value))


def _spots(view: View, *, cleared: bool) -> tuple[Spot, ...]:
    leader, cards = view.leader, view.trick
    if cleared:  # between two tricks the last one is shown
        leader, cards = view.tricks[-1].leader, view.tricks[-1].cards
    played = dict(zip(round_from(leader, view.mode.seats), cards, strict=False))
    return tuple(
        Spot(
            held=held,
            played=(face(played[seat]),) if seat in played else (),
            known=tuple(map(face, by_suit(view.known[seat]))) if seat != view.seat else (),
        )
        for seat, held in enumerate(view.held)
    )


def _taps(view: View, card: Card) -> tuple[Offer, ...]:
    if view.to_move != view.seat:
        return ()
    says = Text(gettext_noop("play the %(card)s"), {"card": Text(card.label)})
    return (Offer(move_code(PlayCard(card)), says),)


def _asks(view: View) -> Text | None:
    if view.to_move is None:
        return None
    if view.to_move != view.seat:
        return turn_of(view.to_move)
    if not view.trick and view.tricks:
        return Text(
            gettext_noop("You took it: %(points)d points. You lead: tap a card."),
            {"points": view.tricks[-1].value},
        )
    return Text(gettext_noop("Tap a card to play it."))
