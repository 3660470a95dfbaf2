"""Determinization: the ways hidden cards may lie, as positions of ``fast_tricks``."""

from collections.abc import Iterable
from random import Random
from typing import Any, Generic

from games.bots.fast_tricks import Deck, Position, shuffle_out
from games.cards import CardSuit
from games.mode import Mode
from games.play.tricks import StockTable, StockView, TrickCardT, points, winning_place


class CardNumbers(Generic[TrickCardT]):
    """The cards of a pack as the kernel numbers them under one trump suit, there and back."""

    def __init__(self, pack: Iterable[TrickCardT], trump: CardSuit) -> None:
        suits = [trump, *(suit for suit in type(trump) if suit is not trump)]
        self._cards = sorted(pack, key=lambda card: (suits.index(card.suit), card.strength))
        self._numbers = {card: number for number, card in enumerate(self._cards)}

    def of(self, cards: Iterable[TrickCardT]) -> list[int]:
        return [self._numbers[card] for card in cards]

    def number(self, card: TrickCardT) -> int:
        return self._numbers[card]

    def card(self, number: int) -> TrickCardT:
        return self._cards[number]


def lay_out(
    deck: Deck,
    table: StockTable[TrickCardT],
    numbers: CardNumbers[TrickCardT],
    hands: list[list[int]],
    stock: list[int],
) -> Position:
    """Return the position with these hands and this stock, its last card on top."""
    mode, trick = table.mode, table.trick
    position = Position(
        deck,
        hands,
        stock,
        mode.after(table.leader, len(trick)),
        sides_of(mode),
        list(points(mode, table.tricks)),
        deck.none,
        missing=mode.seats - len(trick),
    )
    if trick:
        place = winning_place(trick, table.trump)
        position.best = numbers.number(trick[place])
        position.owner = mode.after(table.leader, place)
        position.pile = sum(card.value for card in trick)
    return position


def sides_of(mode: Mode) -> list[int]:
    return [mode.side_of(seat) for seat in range(mode.seats)]


class Determinizer(Generic[TrickCardT]):
    """What one seat knows of a hand, to deal out the rest by lot."""

    def __init__(
        self,
        deck: Deck,
        view: StockView[TrickCardT, Any],
        numbers: CardNumbers[TrickCardT],
    ) -> None:
        self.numbers = numbers
        self.hand = numbers.of(view.hand)
        self._known = [numbers.of(cards) for cards in view.known]
        self._unseen = numbers.of(view.unseen())
        self._under = numbers.of([view.face_up] if view.stock and view.face_up else [])
        self._wanted = [
            held - len(cards) for held, cards in zip(view.held, self._known, strict=True)
        ]
        self._wanted.append(view.stock - len(self._under))
        self._table = lay_out(deck, view, numbers, [], [])

    def world(self, rng: Random) -> Position:
        """Return one of the ways the hidden cards may lie, all of them equally likely."""
        *dealt, stock = shuffle_out(self._unseen, self._wanted, rng)
        position = self._table.copy()
        position.hands = [known + more for known, more in zip(self._known, dealt, strict=True)]
        position.stock = self._under + stock
        return position
