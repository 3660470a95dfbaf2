"""Layout: a hand as cards to draw and to tap; in the bidding a tap bids a card, then it plays one."""

from games.albastini.cards import Card
from games.albastini.play.state import Bid, Move, Pass, move_code
from games.albastini.play.view import View
from games.play.layout import Layout, Offer
from games.play.trick_table import trick_layout
from games.play.tricks import PlayCard
from games.wording import Text, _, listed, then


def layout(view: View) -> Layout:
    def taps(card: Card) -> tuple[Offer, ...]:
        if view.to_move != view.seat:
            return ()
        move: Move = Bid(card) if view.to_bid else PlayCard(card)
        bids, plays = _("bid %(card)s", card=card.label), _("play %(card)s", card=card.label)
        says = bids if view.to_bid else plays
        return (Offer(move_code(move), says, legal=move in view.legal),)

    return trick_layout(
        view,
        taps=taps,
        offers=tuple(
            Offer(move_code(move), _("Pass: bid nothing"))
            for move in view.legal
            if isinstance(move, Pass)
        ),
        own_turn=_own_turn,
        bids={seat: bid for seat, bid in enumerate(view.bids) if bid is not None},
    )


def _own_turn(view: View) -> Text:
    if view.to_bid:
        bid = _("Bid a low card of the trumps you hope for, or pass. You may lose it.")
        taken = [Text(card.suit.label) for card in view.bids if card is not None]
        others = _("Taken: %(suits)s.", suits=listed(taken))
        return then(bid, others) if taken else bid
    if not view.trick and view.tricks:
        return _(
            "You ate it: %(points)d points. You lead: tap a card.", points=view.tricks[-1].value
        )
    play = _("Tap a card to play it.")
    about = None if view.tricks else _own_bid(view)
    return play if about is None else then(about, play)


def _own_bid(view: View) -> Text | None:
    """Say what has become of one's own bid, or why one had none."""
    if view.exchanged == view.seat and view.turned_up and view.face_up:
        return _(
            "Your suit is trumps: you took %(card)s and left %(bid)s in its place.",
            card=view.turned_up.label,
            bid=view.face_up.label,
        )
    if view.seat == view.dealer:
        return _("You deal, so you do not bid.")
    if view.mode.side_of(view.seat) == view.mode.side_of(view.dealer):
        return _("Your partner deals, so you do not bid.")
    return None
