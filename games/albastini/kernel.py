"""A hand of Albastini as the fast kernel plays it: cards as numbers, trumps first.

``Guess`` deals out what a view does not see, as often as it is asked; ``of_state``
is the same position from the readable rules, which a test holds the kernel to.
"""

from collections.abc import Iterable
from random import Random

from games.albastini.cards import RANKS, VALUES, Card, Suit
from games.albastini.state import State, points
from games.albastini.view import View
from games.mode import Mode
from games.swift import Deck, Position, shuffle_out
from games.tricks import winning_place

DECK = Deck([VALUES.get(rank, 0) for rank in RANKS])
_SUITS = tuple(Suit)


class Numbers:
    """Cards as the kernel numbers them under one trump suit, there and back."""

    def __init__(self, trump: Suit) -> None:
        suits = sorted(_SUITS, key=lambda suit: suit is not trump)
        self._cards = [Card(rank, suit) for suit in suits for rank in RANKS]
        self._numbers = {card: number for number, card in enumerate(self._cards)}

    def of(self, cards: Iterable[Card]) -> list[int]:
        return [self._numbers[card] for card in cards]

    def number(self, card: Card) -> int:
        return self._numbers[card]

    def card(self, number: int) -> Card:
        return self._cards[number]


NUMBERS = {suit: Numbers(suit) for suit in Suit}


def lay_out(table: State | View, trump: Suit, hands: list[list[int]], stock: list[int]) -> Position:
    """Return the position with these hands and this stock, its last card on top."""
    mode, trick = table.mode, table.trick
    position = Position(
        DECK,
        hands,
        stock,
        mode.after(table.leader, len(trick)),
        sides_of(mode),
        list(points(mode, table.tricks)),
        DECK.none,
        missing=mode.seats - len(trick),
    )
    if trick:
        place = winning_place(trick, trump)
        position.best = NUMBERS[trump].number(trick[place])
        position.owner = mode.after(table.leader, place)
        position.pile = sum(card.value for card in trick)
    return position


def of_state(state: State, trump: Suit) -> Position:
    """Return a state after the bidding as the kernel sees it."""
    numbers = NUMBERS[trump]
    return lay_out(
        state,
        trump,
        [numbers.of(hand) for hand in state.hands],
        numbers.of(reversed(state.stock)),
    )


def sides_of(mode: Mode) -> list[int]:
    return [mode.side_of(seat) for seat in range(mode.seats)]


class Guess:
    """What one seat knows of a hand after the bidding, to deal out the rest by lot."""

    def __init__(self, view: View, trump: Suit) -> None:
        numbers = NUMBERS[trump]
        self.numbers = numbers
        self._known = [
            numbers.of(view.hand if seat == view.seat else cards)
            for seat, cards in enumerate(view.shown)
        ]
        self._unseen = numbers.of(view.unseen())
        self._under = numbers.of([view.face_up] if view.stock and view.face_up else [])
        self._wanted = [
            held - len(known) for held, known in zip(view.held, self._known, strict=True)
        ]
        self._wanted.append(view.stock - len(self._under))
        self._table = lay_out(view, trump, [], [])

    def world(self, rng: Random) -> Position:
        """Return one of the ways the hidden cards may lie, all of them equally likely."""
        *dealt, stock = shuffle_out(self._unseen, self._wanted, rng)
        position = self._table.copy()
        position.hands = [known + more for known, more in zip(self._known, dealt, strict=True)]
        position.stock = self._under + stock
        return position
