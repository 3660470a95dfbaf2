"""A steady player of the club, by rules of thumb.

Bid a worthless card of your shortest suit. Lead what is worth least, and no trump.
Last in the trick, take it with the dearest card of the suit led that does; trump it
only if it is worth a seven or an ace. Put points on a partner's trick that is safe.
Otherwise throw the cheapest card, trumps last.
"""

from collections import Counter
from collections.abc import Collection, Iterable
from random import Random

from games.albastini.cards import Card, Suit
from games.albastini.moves import Bid, Move, Pass, PlayCard
from games.albastini.view import View
from games.playing import Budget
from games.tricks import round_from, winning_place

WORTH_A_TRUMP = 10


def steady(view: View, _rng: Random, _budget: Budget) -> Move:
    """Move by the rules of thumb; nothing is left to chance."""
    if view.trump is None:
        card = offer(view.hand, {bid.suit for bid in view.bids if bid})
        return Bid(card) if card else Pass()
    if not view.trick:
        return PlayCard(_cheapest(view.hand, view.trump))
    return PlayCard(_follow(view, view.trump))


def offer(hand: Iterable[Card], taken: Collection[Suit]) -> Card | None:
    """Return the card to bid: a worthless one of the shortest suit that nobody has bid.

    Most of the shortest suit is still to be turned up.
    """
    held = list(hand)
    lengths = Counter(card.suit for card in held)
    offers = [card for card in held if not card.value and card.suit not in taken]
    return min(offers, key=lambda card: (lengths[card.suit], card.strength), default=None)


def _follow(view: View, trump: Suit) -> Card:
    place = winning_place(view.trick, trump)
    owner = round_from(view.leader, view.mode.seats)[place]
    last = len(view.trick) == view.mode.seats - 1
    if view.mode.side_of(owner) == view.mode.side_of(view.seat) and (
        last or view.trick[place].suit is trump
    ):
        return _dearest(view.hand, trump)
    eating = [card for card in view.hand if _eats(view.trick, card, trump)]
    plain = [card for card in eating if card.suit is not trump]
    if plain and (last or max(plain, key=_strength).rank == "A"):
        return max(plain, key=_strength)
    trumps = [card for card in eating if card.suit is trump]
    if trumps and sum(card.value for card in view.trick) >= WORTH_A_TRUMP:
        return min(trumps, key=_strength)
    return _cheapest(view.hand, trump)


def _eats(trick: tuple[Card, ...], card: Card, trump: Suit) -> bool:
    return winning_place((*trick, card), trump) == len(trick)


def _cheapest(cards: Iterable[Card], trump: Suit) -> Card:
    return min(cards, key=lambda card: (card.value + 5 * (card.suit is trump), card.strength))


def _dearest(cards: Iterable[Card], trump: Suit) -> Card:
    """Return the card of most points; a trump only where nothing else has any."""
    return max(cards, key=lambda card: (card.suit is not trump, card.value, -card.strength))


def _strength(card: Card) -> int:
    return card.strength
