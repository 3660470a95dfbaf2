"""Kernel: a game in whole numbers, to play thousands of games out in a second.

For the search's playouts; the readable rules stay the reference, and a test holds both
to the same answer. Of each hand ``least[k]`` is a set of bits, one for every value held
at least *k* times: so the answers to a play are found without looking card by card.
Places of the playing order stand for the seats.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Protocol

from games.dalmuti.cards import HIGHEST
from games.dalmuti.play.state import OpenGame, SeatTurn, Skip
from games.dalmuti.play.view import View

ANY = HIGHEST + 1  # the value to beat where nothing lies on the table
BELOW = [(1 << value) - 1 for value in range(ANY + 1)]  # the bits of all lower values


class CardCounts:
    """The cards of one place."""

    __slots__ = ("cards", "counts", "least")

    def __init__(self, cards: Iterable[int] = ()) -> None:
        self.counts = [0] * ANY
        self.least = [0] * (ANY + 1)
        self.cards = 0
        for value in cards:
            self.counts[value] += 1
            self.least[self.counts[value]] |= 1 << value
            self.cards += 1

    def copy(self) -> "CardCounts":
        other = CardCounts.__new__(CardCounts)
        other.counts, other.least = self.counts[:], self.least[:]
        other.cards = self.cards
        return other

    def lay(self, count: int, value: int) -> None:
        """Take so many cards of this value out of the hand."""
        had = self.counts[value]
        for times in range(had, had - count, -1):
            self.least[times] ^= 1 << value
        self.counts[value] = had - count
        self.cards -= count


class Policy(Protocol):
    """What a place does when it has a choice."""

    def lead(self, hand: CardCounts, /) -> tuple[int, int]:
        """Return the number of cards to lead and their value."""

    def answer(self, hand: CardCounts, count: int, able: int, /) -> int:
        """Return which of the values *able*, held so often, to play; 0 to skip."""


@dataclass(slots=True)
class GamePosition:
    """A game in the middle of play, everything open. It changes as cards are played."""

    hands: list[CardCounts]
    turn: int
    sticky: bool  # whoever skips waits for the next trick (D-6)
    holders: int  # the bits of the places that hold cards
    out: list[int]  # the places without cards, first out first
    value: int = ANY  # of the cards to beat
    count: int = 0  # how many they are; 0 where somebody leads
    owner: int = 0  # the place that played them
    asked: int = 0  # how many are still to answer them
    waiting: int = 0  # the bits of the places that skipped and wait for the next trick

    def copy(self) -> "GamePosition":
        return GamePosition(
            [hand.copy() for hand in self.hands],
            self.turn,
            self.sticky,
            self.holders,
            self.out[:],
            self.value,
            self.count,
            self.owner,
            self.asked,
            self.waiting,
        )

    @property
    def over(self) -> bool:
        return len(self.out) >= len(self.hands) - 1

    def play(self, count: int, value: int) -> None:
        """Let the place to move play so many cards of this value, or skip with 0 of any."""
        mine = 1 << self.turn
        if count:
            hand = self.hands[self.turn]
            hand.lay(count, value)
            if not hand.cards:
                self.out.append(self.turn)
                self.holders ^= mine
            self.owner, self.count, self.value = self.turn, count, value
            # Nothing beats all of a value: nobody is asked (D-8).
            others = self.holders & ~self.waiting & ~mine
            self.asked = others.bit_count() if count < value else 0
        else:
            self.asked -= 1
            if self.sticky:
                self.waiting |= mine
        # The turn goes to the next player who may answer; if there is none, the cards are cleared.
        places = len(self.hands)
        if self.asked:
            self.turn = (self.turn + 1) % places
        else:
            self.turn, self.count, self.value, self.waiting = self.owner, 0, ANY, 0
        able = self.holders & ~self.waiting
        while not able >> self.turn & 1:
            self.turn = (self.turn + 1) % places

    def play_out(self, policy: Policy) -> list[int]:
        """Play to the end by this policy; return the places in the order of going out.

        The position is used up.
        """
        # As ``play`` does, turn by turn, with names that are quicker to reach.
        hands, holders, sticky, out = self.hands, self.holders, self.sticky, self.out
        value, count, owner, asked = self.value, self.count, self.owner, self.asked
        turn, waiting, lead, answer = self.turn, self.waiting, policy.lead, policy.answer
        after = [*range(1, len(hands)), 0]
        while holders & holders - 1:
            hand = hands[turn]
            if not count:
                count, chosen = lead(hand)
            elif able := hand.least[count] & BELOW[value]:
                chosen = answer(hand, count, able)
            else:
                chosen = 0
            if chosen:
                hand.lay(count, chosen)
                if not hand.cards:
                    out.append(turn)
                    holders ^= 1 << turn
                owner, value = turn, chosen
                others = holders & ~waiting & ~(1 << turn)
                asked = others.bit_count() if count < value else 0
            else:
                asked -= 1
                if sticky:
                    waiting |= 1 << turn
            if asked:
                turn = after[turn]
            else:
                turn, count, value, waiting = owner, 0, ANY, 0
            able = holders & ~waiting
            while not able >> turn & 1:
                turn = after[turn]
        return [*out, holders.bit_length() - 1]


def lay_out(table: OpenGame, turn: int, hands: Sequence[CardCounts]) -> GamePosition:
    """Return the position with this seat to move and these hands, one a place."""
    places = {seat: place for place, seat in enumerate(table.order)}
    position = GamePosition(
        hands=list(hands),
        turn=places[turn],
        sticky=bool(table.options["sticky_skip"]),
        holders=_bits(place for place, hand in enumerate(hands) if hand.cards),
        out=[places[seat] for seat in table.out],
    )
    if table.last:
        owner, top = table.last
        position.owner, position.count, position.value = places[owner], top.count, top.value
        since = table.trick[table.trick.index(SeatTurn(owner, top)) + 1 :]
        silent = _bits(
            places[turn.seat]
            for turn in (table.trick if position.sticky else since)
            if turn.move == Skip()
        )
        position.waiting = silent if position.sticky else 0
        position.asked = (position.holders & ~silent & ~(1 << position.owner)).bit_count()
    return position


def _bits(places: Iterable[int]) -> int:
    return sum(1 << place for place in {*places})


class Determinizer:
    """What one seat knows of a game: its own cards, and how many each of the others holds."""

    def __init__(self, view: View) -> None:
        self._unseen = view.unseen()
        self._held = [0 if seat == view.seat else view.held[seat] for seat in view.order]
        self._mine = CardCounts(view.hand)
        self._place = view.order.index(view.seat)
        # Which cards they are does not matter yet, only who holds some.
        any_cards = [CardCounts(self._unseen[: bool(view.held[seat])]) for seat in view.order]
        self._table = lay_out(view, view.seat, any_cards)

    def world(self, rng: Random) -> GamePosition:
        """Return one of the ways the hidden cards may lie, all of them equally likely."""
        cards = rng.sample(self._unseen, len(self._unseen))
        position = self._table.copy()
        hands, start = [], 0
        for held in self._held:
            hands.append(CardCounts(cards[start : start + held]))
            start += held
        hands[self._place] = self._mine.copy()
        position.hands = hands
        return position
