"""Random playouts of Briscola: whole deals in whole numbers, on ``tricks``."""

from games.briscola.cards import NUMBERS as RANKS, Suit
from games.briscola.options import cards_for
from games.briscola.play.kernel import KERNEL
from games.briscola.play.rules import HAND_SIZE, swapping_number
from games.briscola.play.state import Move, SwapTrump
from games.briscola.scoring import Session
from games.play.playing import Pack
from games.play.tricks import PlayCard
from games.sheet import Sheet
from tests.lab.dice import Dice, shuffle
from tests.lab.random_playout.tricks import TrickPlayout, Tricks, draws, rows_by_trump

SWAP = -1
DECK, _NUMBERS = KERNEL.deck, KERNEL.numbers[next(iter(Suit))]
_ROWS = rows_by_trump(DECK)


class RandomPlayout:
    """The next deal of one session, played by lot as often as it is asked for."""

    def __init__(self, session: Session) -> None:
        mode, options = session.mode, session.options
        self._tricks = Tricks(mode, DECK, HAND_SIZE)
        self._first = session.leader
        self._places = [(seat - self._first) % mode.seats for seat in range(mode.seats)]
        self._points = [0] * len(mode.sides)
        self._cards = _NUMBERS.of(cards_for(mode, options))
        self._swaps = swapping_number(options)
        self._drawn_only = options["seven_swap"] == "drawn_only"
        by_side = options["swap_trick"] == "side"
        # By seat, the bits of all whose tricks let it swap the 7.
        self._able = [
            sum(1 << friend for friend in (mode.sides[mode.side_of(seat)] if by_side else [seat]))
            for seat in range(mode.seats)
        ]

    def play(self, dice: Dice) -> TrickPlayout:
        """Play a deal to its last card."""
        order = shuffle(self._cards, DECK.none, dice)
        seats = len(self._places)
        dealt = seats * HAND_SIZE
        hands = [order[place:dealt:seats] for place in self._places]
        stock = [*order[dealt + 1 :], order[dealt]]
        trump = stock[-1] // DECK.ranks
        drawn = draws(stock, seats)
        table = TrickPlayout(order, hands, drawn, self._first, _ROWS[trump], self._points[:])
        swapped = self._swap_by_lot(table, stock, dice)
        self._tricks.play_drawing(table, dice)
        self._tricks.play_last(table, dice)
        if swapped:
            table.moves.insert(swapped[0], SWAP)
        return table

    def _swap_by_lot(self, table: TrickPlayout, stock: list[int], dice: Dice) -> list[int]:
        """Play as long as somebody may swap; return the place among the moves where one did."""
        swapped: list[int] = []
        if self._swaps is None:
            return swapped
        card = stock[-1] // DECK.ranks * DECK.ranks + RANKS.index(self._swaps)
        first = self._first_trick(table.order, card)
        if first is None:
            return swapped
        play, tricks = self._tricks.play_drawing, len(stock) // len(table.hands)
        play(table, dice, tricks=first)
        holder = next(seat for seat, hand in enumerate(table.hands) if card in hand)
        hand, able = table.hands[holder], self._able[holder]

        def no_more(winners: int, leader: int) -> bool:
            """Swap if the lot says so; say whether the card is out of the hand."""
            if (
                card in hand
                and (winners & able or self._swaps == 2)
                and dice() * (len(hand) + 1) < 1
            ):
                swapped.append(len(table.moves) + (holder - leader) % len(table.hands))
                hand[hand.index(card)], stock[-1] = stock[-1], card
            return card not in hand

        if not no_more(table.winners, table.leader) and self._swaps == 7:
            play(table, dice, tricks=tricks - 1 - first, until=no_more)
        return swapped

    def _first_trick(self, order: list[int], card: int) -> int | None:
        """Return before which trick this card can first be swapped, if it ever can."""
        seats = len(self._places)
        drawn = order.index(card) - seats * HAND_SIZE if card in self._cards else 0
        if drawn < 0:
            return None if self._swaps == 7 and self._drawn_only else 0  # B-7
        first = -(-drawn // seats)
        late = first * seats >= len(order) - seats * HAND_SIZE
        return None if not drawn or late or self._swaps == 2 else first  # B-9

    def readable(self, table: TrickPlayout) -> tuple[tuple[Pack, ...], list[Move]]:
        """Return the pack and the moves of a deal as the readable rules have them."""
        moves: list[Move] = [
            SwapTrump(self._swaps or 0) if move == SWAP else PlayCard(_NUMBERS.card(move))
            for move in table.moves
        ]
        return (tuple(str(_NUMBERS.card(card)) for card in table.order),), moves

    def sheet(self, table: TrickPlayout) -> Sheet:
        """Return what a sheet says of how it came out."""
        return {"points": table.points}
