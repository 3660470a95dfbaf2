"""Random playouts of tricks: whole hands, as fast as the standard library plays them.

Every move is one of the legal ones, all of them equally likely. A card is
``suit * ranks + strength`` whatever trumps are. The moves of a hand are kept in the order
made, so that a test can hold it to the readable rules.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice, product

from games.bots.determinization import sides_of
from games.bots.fast_tricks import Deck, Position, rounds
from games.mode import Mode
from tests.lab.dice import Dice

Rows = list[list[bool]]  # by the card that leads a trick: which cards take it


def rows_by_trump(deck: Deck) -> list[Rows]:
    """Return, for every suit as trumps, which cards take a trick that a card is leading.

    The last row of each is that of an empty trick.
    """
    suits = deck.none // deck.ranks
    return [_rows(deck, trump) for trump in range(suits)]


def _rows(deck: Deck, trump: int) -> Rows:
    """Exchange the trump suit and the deck's own, which is suit 0."""
    exchanged = {0: trump, trump: 0}
    numbers = [
        exchanged.get(suit, suit) * deck.ranks + strength
        for suit, strength in (divmod(card, deck.ranks) for card in range(deck.none))
    ]
    rows = [[deck.beats[best][card] for card in numbers] for best in numbers]
    return [*rows, deck.beats[deck.none]]


@dataclass(slots=True)
class TrickPlayout:
    """A hand being played by lot."""

    order: list[int]  # the pack as it was dealt
    hands: list[list[int]]
    draws: Iterator[tuple[int, ...]]  # of the stock, what all draw after a trick
    leader: int
    rows: Rows
    points: list[int]  # by side
    moves: list[int] = field(default_factory=list)
    winners: int = 0  # the bits of the seats that have taken a trick while cards were drawn


def draws(stock: Iterable[int], seats: int) -> Iterator[tuple[int, ...]]:
    """Yield what all draw, trick by trick; what is not enough for all stays where it is."""
    return zip(*[iter(stock)] * seats, strict=False)


class Tricks:
    """What does not change from hand to hand at one table.

    Which card of its hand each seat plays is drawn for a whole trick at once: the lots list
    all the ways there are, of seats and places in their hands, by the seat that leads.
    """

    def __init__(self, mode: Mode, deck: Deck, size: int) -> None:
        self._sides = sides_of(mode)
        self._values = deck.values
        by_cards = [
            [_lots(order, held) for order in rounds(mode.seats)] for held in range(size + 1)
        ]
        self._drawing = by_cards[size]
        self._last = by_cards[:0:-1]

    def play_drawing(
        self,
        table: TrickPlayout,
        dice: Dice,
        *,
        tricks: int | None = None,
        until: Callable[[int, int], bool] | None = None,
    ) -> None:
        """Play tricks after which all draw: so many, or until the stock is gone.

        After each of them *until* is told the winners so far and who leads next; when it
        says so this is the last.
        """
        sides, values, hands, points = self._sides, self._values, table.hands, table.points
        rows, note, lots = table.rows, table.moves.append, self._drawing
        leader, winners, empty, ways = table.leader, table.winners, rows[-1], len(lots[0])
        for drawn in islice(table.draws, tricks):
            turns = lots[leader][int(dice() * ways)]
            takes, pile = empty, 0
            for seat, place in turns:
                card = hands[seat][place]
                note(card)
                pile += values[card]
                if takes[card]:
                    takes, leader = rows[card], seat
            points[sides[leader]] += pile
            winners |= 1 << leader
            for seat, place in turns:
                hands[seat][place] = drawn[seat - leader]  # a place below 0 counts from the end
            if until is not None and until(winners, leader):
                break
        table.leader, table.winners = leader, winners

    def play_last(self, table: TrickPlayout, dice: Dice) -> None:
        """Play the cards left in hand, with nothing more to draw."""
        sides, values, hands, points = self._sides, self._values, table.hands, table.points
        rows, note, leader = table.rows, table.moves.append, table.leader
        for lots in self._last:
            ways = lots[leader]
            takes, pile = rows[-1], 0
            for seat, place in ways[int(dice() * len(ways))]:
                card = hands[seat].pop(place)
                note(card)
                pile += values[card]
                if takes[card]:
                    takes, leader = rows[card], seat
            points[sides[leader]] += pile
        table.leader = leader


def _lots(order: Sequence[int], held: int) -> list[tuple[tuple[int, int], ...]]:
    return list(product(*([(seat, place) for place in range(held)] for seat in order)))


def play_randomly(position: Position, dice: Dice) -> list[int]:
    """Play to the end, each card drawn by lot, and return the points by side.

    The position is used up.
    """
    seats = len(position.hands)
    while position.missing != seats and position.hands[position.turn]:
        hand = position.hands[position.turn]
        position.play(hand[int(dice() * len(hand))])

    # From here on whole tricks: names of this function's own are quicker to reach.
    hands, stock, points = position.hands, position.stock, position.points
    sides, values, beats = position.sides, position.deck.values, position.deck.beats
    orders = rounds(seats)
    winner, none, draw = position.turn, position.deck.none, stock.pop
    held = len(hands[winner])
    while held:
        best, pile = none, 0
        for seat in orders[winner]:
            card = hands[seat].pop(int(dice() * held))
            pile += values[card]
            if beats[best][card]:
                best, owner = card, seat
        winner = owner
        points[sides[winner]] += pile
        if len(stock) >= seats:
            for seat in orders[winner]:
                hands[seat].append(draw())
        else:
            held -= 1
    return points
