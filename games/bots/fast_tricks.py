"""Fast tricks: games of tricks in whole numbers, to play thousands of hands out in a second.

For the search's playouts; the readable rules of each game stay the reference, and a
test holds both to the same answer. A card is ``suit * ranks + strength``, the trumps
being suit 0. The stock is drawn from its *end*, so the face-up card is its first.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random


class Deck:
    """The tables of one pack: ``values`` and ``beats`` by card.

    ``beats[best][card]`` says whether *card* takes the trick that *best* is leading;
    ``beats[none]`` is the row of an empty trick.
    """

    def __init__(self, worth: Sequence[int], suits: int = 4) -> None:
        """Make the pack whose every suit has these values, the weakest card first."""
        self.ranks = len(worth)
        self.values = [*worth] * suits
        self.none = len(self.values)
        self.beats = [
            [
                card > best if card // self.ranks == best // self.ranks else card < self.ranks
                for card in range(self.none)
            ]
            for best in range(self.none)
        ]
        self.beats.append([True] * self.none)


@dataclass(slots=True)
class Position:
    """A hand in the middle of play, everything open. It changes as cards are played."""

    deck: Deck
    hands: list[list[int]]
    stock: list[int]
    turn: int  # the seat to play next
    sides: Sequence[int]  # the side of each seat
    points: list[int]  # by side
    best: int  # the card that leads the trick; ``deck.none`` before the first
    owner: int = 0  # the seat that played it
    pile: int = 0  # what the trick is worth so far
    missing: int = field(default=0)  # cards the trick still lacks

    def __post_init__(self) -> None:
        self.missing = self.missing or len(self.hands)

    def copy(self) -> "Position":
        return Position(
            self.deck,
            [hand[:] for hand in self.hands],
            self.stock[:],
            self.turn,
            self.sides,
            self.points[:],
            self.best,
            self.owner,
            self.pile,
            self.missing,
        )

    def play(self, card: int) -> None:
        """Let the seat to move play this card; a full trick is taken, and all draw."""
        seats = len(self.hands)
        self.hands[self.turn].remove(card)
        self.pile += self.deck.values[card]
        if self.deck.beats[self.best][card]:
            self.best, self.owner = card, self.turn
        self.missing -= 1
        self.turn = (self.turn + 1) % seats
        if self.missing == 0:
            self.points[self.sides[self.owner]] += self.pile
            self.turn = self.owner
            self.best, self.pile, self.missing = self.deck.none, 0, seats
            if len(self.stock) >= seats:
                for step in range(seats):
                    self.hands[(self.owner + step) % seats].append(self.stock.pop())


def rounds(seats: int) -> list[list[int]]:
    """List the seats in the direction of play, from each of them."""
    return [[(first + step) % seats for step in range(seats)] for first in range(seats)]


def shuffle_out(unseen: list[int], wanted: Sequence[int], rng: Random) -> list[list[int]]:
    """Deal *unseen* out by lot: as many as *wanted* to each, in one list for each."""
    cards = rng.sample(unseen, len(unseen))
    dealt = []
    for number in wanted:
        dealt.append(cards[:number])
        cards = cards[number:]
    return dealt
