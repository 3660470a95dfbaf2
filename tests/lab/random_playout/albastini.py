"""Random playouts of Albastini: whole hands in whole numbers, on ``tricks``."""

from games.albastini.cards import PACK, Suit
from games.albastini.play.kernel import KERNEL
from games.albastini.play.rules import HAND_SIZE
from games.albastini.play.state import Bid, Move, Pass
from games.albastini.scoring import Session
from games.play.playing import Pack
from games.play.tricks import PlayCard, round_from
from games.sheet import Sheet
from tests.lab.dice import Dice, shuffle
from tests.lab.random_playout.tricks import TrickPlayout, Tricks, draws, rows_by_trump

PASS = -1
DECK, _NUMBERS = KERNEL.deck, KERNEL.numbers[next(iter(Suit))]
_CARDS = _NUMBERS.of(PACK)
_ROWS = rows_by_trump(DECK)


class RandomPlayout:
    """The next hand of one session, played by lot as often as it is asked for."""

    def __init__(self, session: Session) -> None:
        mode = session.mode
        self._tricks = Tricks(mode, DECK, HAND_SIZE)
        self._first = mode.after(session.dealer)
        own_side = mode.sides[mode.side_of(session.dealer)]
        seats = round_from(self._first, mode.seats)
        self._to_bid = tuple(seat for seat in seats if seat not in own_side)
        self._places = [(seat - self._first) % mode.seats for seat in range(mode.seats)]
        self._points = [0] * len(mode.sides)

    def play(self, dice: Dice) -> TrickPlayout:
        """Play a hand from the deal to its last card."""
        order = shuffle(_CARDS, DECK.none, dice)
        seats = len(self._places)
        dealt = seats * HAND_SIZE
        hands = [order[place:dealt:seats] for place in self._places]
        moves, bids = self._bid(hands, dice)
        indicator = under = order[dealt]
        trump = indicator // DECK.ranks
        for seat, bid in bids:
            if bid // DECK.ranks == trump:
                hands[seat][hands[seat].index(bid)] = indicator
                under = bid
        drawn = draws([*order[dealt + 1 :], under], seats)
        table = TrickPlayout(order, hands, drawn, self._first, _ROWS[trump], self._points[:], moves)
        self._tricks.play_drawing(table, dice)
        self._tricks.play_last(table, dice)
        return table

    def _bid(self, hands: list[list[int]], dice: Dice) -> tuple[list[int], list[tuple[int, int]]]:
        """Return what everybody did in the bidding, and who bid which card (R5)."""
        moves, bids, taken = [], [], set[int]()
        for seat in self._to_bid:
            open_to = [card for card in hands[seat] if card // DECK.ranks not in taken]
            lot = int(dice() * (len(open_to) + 1))
            if lot == len(open_to):
                moves.append(PASS)
                continue
            bid = open_to[lot]
            taken.add(bid // DECK.ranks)
            moves.append(bid)
            bids.append((seat, bid))
        return moves, bids

    def readable(self, table: TrickPlayout) -> tuple[tuple[Pack, ...], list[Move]]:
        """Return the pack and the moves of a hand as the readable rules have them."""
        bids = len(self._to_bid)
        moves: list[Move] = [
            Pass() if move == PASS else Bid(_NUMBERS.card(move)) for move in table.moves[:bids]
        ]
        moves += [PlayCard(_NUMBERS.card(move)) for move in table.moves[bids:]]
        return (tuple(str(_NUMBERS.card(card)) for card in table.order),), moves

    def sheet(self, table: TrickPlayout) -> Sheet:
        """Return what a sheet says of how it came out."""
        return {"eaten": table.points}
