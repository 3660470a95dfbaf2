"""Heuristics: tricks played by the rules of thumb of a club.

Lead what is worth least, and no trump. Last in the trick, take it with the dearest
card of the suit led that does; trump it only if it is worth a ten or an eleven. Put
points on a partner's trick that is safe. Otherwise throw the cheapest card, trumps last.
"""

from collections.abc import Iterable
from random import Random
from typing import Any

from games.cards import CardSuit
from games.play.tricks import (
    PlayCard,
    StockView,
    TrickCardT,
    round_from,
    takes,
    winning_place,
)
from games.play.views import MoveT

WORTH_A_TRUMP = 10
_ACE = 11  # what the one card is worth that no card of its suit beats


def beginners_move(view: StockView[TrickCardT, MoveT], rng: Random) -> MoveT:
    """Mostly take with the first card that does; otherwise anything will do."""
    taking = [
        move
        for move in view.legal
        if isinstance(move, PlayCard) and view.trick and takes(view.trick, move.card, view.trump)
    ]
    return rng.choice(taking if taking and rng.random() < 0.7 else view.legal)


def heuristic_card(view: StockView[TrickCardT, Any]) -> TrickCardT:
    """Return the card to play from this hand by rules of thumb, once trumps are known."""
    trump = view.trump
    if not view.trick:
        return _cheapest(view.hand, trump)
    place = winning_place(view.trick, trump)
    owner = round_from(view.leader, view.mode.seats)[place]
    last = len(view.trick) == view.mode.seats - 1
    if view.mode.side_of(owner) == view.mode.side_of(view.seat) and (
        last or view.trick[place].suit is trump
    ):
        # The card of most points; a trump only where nothing else has any.
        return max(view.hand, key=lambda card: (card.suit is not trump, card.value, -card.strength))
    taking = [card for card in view.hand if takes(view.trick, card, trump)]
    plain = [card for card in taking if card.suit is not trump]
    if plain and (last or max(plain, key=_strength).value == _ACE):
        return max(plain, key=_strength)
    trumps = [card for card in taking if card.suit is trump]
    if trumps and sum(card.value for card in view.trick) >= WORTH_A_TRUMP:
        return min(trumps, key=_strength)
    return _cheapest(view.hand, trump)


def cost(value: int, strength: int, trump: bool) -> int:
    """Return how dear a card is to throw away: by its points, then by its strength below 16."""
    return 16 * (value + 5 * trump) + strength


def _cheapest(cards: Iterable[TrickCardT], trump: CardSuit | None) -> TrickCardT:
    return min(cards, key=lambda card: cost(card.value, card.strength, card.suit is trump))


def _strength(card: TrickCardT) -> int:
    return card.strength
