"""Layout: a deal as cards to draw and to tap; a tap plays a card, the swap is offered beside them."""

from games.briscola.cards import Card
from games.briscola.play.state import SwapTrump, move_code
from games.briscola.play.view import View
from games.play.layout import Layout, Offer
from games.play.trick_table import trick_layout
from games.play.tricks import PlayCard
from games.wording import Text, _


def layout(view: View) -> Layout:
    def taps(card: Card) -> tuple[Offer, ...]:
        says = _("play the %(card)s", card=Text(card.label))
        own_turn = view.to_move == view.seat
        return (Offer(move_code(PlayCard(card)), says),) if own_turn else ()

    return trick_layout(
        view,
        taps=taps,
        offers=tuple(
            Offer(
                move_code(move),
                _(
                    "Swap your %(number)d of trumps for the %(card)s",
                    number=move.number,
                    card=Text(view.face_up.label),
                ),
            )
            for move in view.legal
            if isinstance(move, SwapTrump)
        ),
        own_turn=_own_turn,
        to_right=True,
    )


def _own_turn(view: View) -> Text:
    if not view.trick and view.tricks:
        return _(
            "You took it: %(points)d points. You lead: tap a card.", points=view.tricks[-1].value
        )
    return _("Tap a card to play it.")
