"""Albastini and Briscola by lot, compiled by Numba: whole batches of hands in one call.

Imported only where Numba is there and asked for. ``check`` holds every hand of a batch to
the readable rules.
"""

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from games.albastini.play.kernel import KERNEL as ALBASTINI
from games.albastini.play.rules import HAND_SIZE as ALBASTINI_HAND
from games.bots.determinization import sides_of
from games.briscola.cards import NUMBERS
from games.briscola.play.kernel import KERNEL as BRISCOLA
from games.briscola.play.rules import HAND_SIZE as BRISCOLA_HAND
from games.play.tricks import round_from
from tests.benchmarks.random_hands import Fold, check
from tests.lab.random_playout.tricks import TrickPlayout, rows_by_trump

KEPT = 256  # hands of a batch whose cards and moves are kept, the later ones in the earlier's place
MOST_MOVES = 48
NOTHING = np.uint8(255)  # a pass; in Briscola a swap

_13, _7, _17, _32 = (np.uint64(bits) for bits in (13, 7, 17, 32))


@njit(inline="always")
def rolled(dice: Any) -> Any:
    """Return the dice after another roll (Marsaglia's xorshift)."""
    dice ^= dice << _13
    dice ^= dice >> _7
    return dice ^ dice << _17


@njit(inline="always")
def way(dice: Any, ways: Any) -> Any:
    """Return one of so many ways as the dice lie."""
    # Numba need not ask of an unsigned place whether it counts from the end.
    return np.uint32(((dice >> _32) * np.uint64(ways)) >> _32)


@njit(inline="always")
def shuffle(order: Any, dice: Any) -> Any:
    """Lay these cards in an order by lot; return the dice."""
    for last in range(len(order) - 1, 0, -1):
        dice = rolled(dice)
        place = way(dice, last + 1)
        order[last], order[place] = order[place], order[last]
    return dice


class Rules(NamedTuple):
    """What does not change from hand to hand."""

    pack: Any
    size: int  # cards in a hand
    first: int  # the seat that plays first
    to_bid: Any
    suits: Any  # by card
    values: Any
    rows: Any  # by trumps, and the card that leads a trick: which cards take it
    sides: Any  # by seat
    swapping: int  # the place in its suit of the trump that is swapped; negative for none


class Room(NamedTuple):
    """The cards of the hand that is being played."""

    hands: Any
    draws: Any
    bids: Any
    places: Any  # by seat, of the card played from its hand


class Kept(NamedTuple):
    """The last hands played: pack, points by side, moves and how many these are."""

    orders: Any
    points: Any
    moves: Any
    noted: Any


@njit(inline="always")
def bid(rules: Any, room: Any, moves: Any, dice: Any) -> Any:
    """Let all who may bid a card of a new suit or pass (Albastini, R5); return the dice."""
    taken = 0
    for number in range(len(rules.to_bid)):
        seat = rules.to_bid[number]
        ways = 1
        for card in room.hands[seat]:
            ways += 1 - (taken >> rules.suits[card] & 1)
        dice = rolled(dice)
        lot = way(dice, ways)
        bid = NOTHING
        for card in room.hands[seat]:
            if not taken >> rules.suits[card] & 1:
                if lot == 0:
                    bid = card
                lot -= 1
        room.bids[seat] = moves[number] = bid
        if bid != NOTHING:
            taken |= 1 << rules.suits[bid]
    return dice


@njit(inline="always")
def exchange(rules: Any, room: Any, turned_up: Any) -> Any:
    """Give the card turned up for the bid in its suit; return what lies face up (R6)."""
    for seat, bid in enumerate(room.bids):
        if bid != NOTHING and rules.suits[bid] == rules.suits[turned_up]:
            for place in range(rules.size):
                if room.hands[seat, place] == bid:
                    room.hands[seat, place] = turned_up
            return bid
    return turned_up


@njit(inline="always")
def swap(room: Any, seat: Any, swapping: Any, dice: Any) -> Any:
    """Let this seat swap by lot, if it holds the card; say whether it did (Briscola, R10)."""
    size = room.hands.shape[1]
    for place in range(size):
        if room.hands[seat, place] == swapping:
            dice = rolled(dice)
            if way(dice, size + 1) == 0:
                room.hands[seat, place], room.draws[-1] = room.draws[-1], swapping
                return True, dice
    return False, dice


@njit(inline="always")
def play_tricks(rules: Any, room: Any, record: Any, row: Any, dice: Any) -> Any:
    """Play a hand to its last card; return the dice."""
    seats, tricks = len(rules.sides), len(room.draws) // len(rules.sides)
    trump = rules.suits[room.draws[-1]]
    rows, points, moves = rules.rows[trump], record.points[row], record.moves[row]
    swapping = trump * (len(rules.values) // 4) + rules.swapping
    noted, winners, drawn, able, held = len(rules.to_bid), 0, 0, rules.swapping >= 0, rules.size
    leader = rules.first
    for trick in range(tricks + rules.size):
        best, pile, owner = np.uint8(len(rules.values)), 0, leader
        for step in range(seats):
            seat = leader + step if leader + step < seats else leader + step - seats
            if able and trick < tricks and winners >> seat & 1:
                swapped, dice = swap(room, seat, swapping, dice)
                if swapped:
                    moves[noted] = NOTHING
                    noted += 1
                    able = False
            dice = rolled(dice)
            place = room.places[seat] = way(dice, held)
            card = moves[noted] = room.hands[seat, place]
            noted += 1
            able = able and card != swapping
            pile += rules.values[card]
            if rows[best, card]:
                best, owner = card, seat
        points[rules.sides[owner]] += pile
        winners |= 1 << owner
        leader = owner
        held -= trick >= tricks
        for step in range(seats):
            seat = leader + step if leader + step < seats else leader + step - seats
            if trick < tricks:
                room.hands[seat, room.places[seat]] = room.draws[drawn]
                drawn += 1
            else:
                room.hands[seat, room.places[seat]] = room.hands[seat, held]
    record.noted[row] = noted
    return dice


@njit
def play_batch(rules: Any, record: Any, wanted: Any, dice: Any) -> Any:
    """Play so many hands, and keep the last of them; return their moves' number, and the dice."""
    seats, size, first, all_moves, row = len(rules.sides), rules.size, rules.first, 0, 0
    room = Room(
        np.empty((seats, size), np.uint8),
        np.empty(len(rules.pack) - seats * size, np.uint8),
        np.full(seats, NOTHING, np.uint8),
        np.empty(seats, np.uint8),
    )
    for _ in range(wanted):
        order = record.orders[row]
        for place in range(len(order)):  # Numba is quicker by steps than by slices
            order[place] = rules.pack[place]
        dice = shuffle(order, dice)
        for step in range(seats):
            seat = first + step if first + step < seats else first + step - seats
            for place in range(size):
                room.hands[seat, place] = order[place * seats + step]
        for place in range(len(room.draws) - 1):
            room.draws[place] = order[seats * size + 1 + place]
        dice = bid(rules, room, record.moves[row], dice)
        room.draws[-1] = exchange(rules, room, order[seats * size])
        for side in range(record.points.shape[1]):
            record.points[row, side] = 0
        dice = play_tricks(rules, room, record, row, dice)
        all_moves += record.noted[row]
        row = row + 1 if row + 1 < len(record.orders) else 0
    return all_moves, dice


class Batch:
    """The next hand of a session of Albastini, or of Briscola in a usual house, many times over."""

    def __init__(self, fold: Fold) -> None:
        mode = fold.session.mode
        briscola = fold.game.slug == "briscola"
        kernel, size = (BRISCOLA, BRISCOLA_HAND) if briscola else (ALBASTINI, ALBASTINI_HAND)
        deck = kernel.deck
        own_side = mode.sides[mode.side_of(fold.session.dealer)]
        first = mode.after(fold.session.dealer)
        to_bid = [seat for seat in round_from(first, mode.seats) if seat not in own_side]
        pack = len(fold.play.pack(fold.session))
        if pack != deck.none:
            raise ValueError("Only for games played with a whole pack.")
        self._fold = fold
        self._rules = Rules(
            pack=np.arange(pack, dtype=np.uint8),
            size=size,
            first=first,
            to_bid=np.array([] if briscola else to_bid, np.uint8),
            suits=np.arange(pack, dtype=np.uint8) // deck.ranks,
            values=np.array(deck.values, np.uint8),
            rows=np.array(rows_by_trump(deck)),
            sides=np.array(sides_of(mode), np.uint8),
            swapping=NUMBERS.index(7) if briscola else -pack,
        )
        self._kept = Kept(
            orders=np.zeros((KEPT, pack), np.uint8),
            points=np.zeros((KEPT, len(mode.sides)), np.int64),
            moves=np.zeros((KEPT, MOST_MOVES), np.uint8),
            noted=np.zeros(KEPT, np.int64),
        )
        self._dice = np.uint64(88172645463325252)

    def play(self, wanted: int) -> int:
        """Play so many hands; return how many moves they took."""
        moves, dice = play_batch(self._rules, self._kept, wanted, self._dice)
        self._dice = np.uint64(dice)
        return int(moves)

    def check(self) -> None:
        """Hold the hands kept to the readable rules.

        :raises AssertionError: if they do not come to the same.
        """
        columns = [each.tolist() for each in self._kept]
        for order, points, moves, noted in zip(*columns, strict=True):
            readable = [-1 if move == NOTHING else move for move in moves[:noted]]
            check(self._fold, TrickPlayout(order, [], iter(()), 0, [], points, readable))
