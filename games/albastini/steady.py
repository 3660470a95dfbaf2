"""A steady player of the club, by rules of thumb.

Bid a worthless card of your shortest suit; then play as any club player does.
"""

from collections import Counter
from collections.abc import Collection, Iterable
from random import Random

from games.albastini.cards import Card, Suit
from games.albastini.moves import Bid, Move, Pass, PlayCard
from games.albastini.view import View
from games.playing import Budget
from games.thumbs import thumb_card


def steady(view: View, _rng: Random, _budget: Budget) -> Move:
    """Move by the rules of thumb; nothing is left to chance."""
    if view.trump is None:
        card = offer(view.hand, {bid.suit for bid in view.bids if bid})
        return Bid(card) if card else Pass()
    return PlayCard(thumb_card(view, view.trump))


def offer(hand: Iterable[Card], taken: Collection[Suit]) -> Card | None:
    """Return the card to bid: a worthless one of the shortest suit that nobody has bid.

    Most of the shortest suit is still to be turned up.
    """
    held = list(hand)
    lengths = Counter(card.suit for card in held)
    offers = [card for card in held if not card.value and card.suit not in taken]
    return min(offers, key=lambda card: (lengths[card.suit], card.strength), default=None)
