"""Kernel: a deal in whole numbers, to play thousands of them out in a second.

For the search's playouts; the readable rules stay the reference, and a test holds both
to the same answer. Heaps of cards are numbers as ``hand_values`` has them.
"""

from dataclasses import dataclass

from games.mambassa.play.hand_values import MAMBASSA, QUARANTUNA, HandValues, hand_values
from games.mambassa.play.state import OpenDeal
from games.mambassa.stakes import next_in
from games.option import Options

NOBODY = -1


@dataclass(frozen=True, slots=True)
class House:
    """What does not change in a deal: the seats in turn, and the rules of the house."""

    values: HandValues
    playing: tuple[int, ...]
    after: tuple[int, ...]  # by seat, the next one still in
    last_draws: bool  # the stock is there after a knock too
    knocks: bool  # any turn may end with a knock
    most_turns: int  # then somebody must knock
    spares: bool  # Mambassa costs its declarer nothing


@dataclass(slots=True)
class DealPosition:
    """A deal, everything open. It changes with every move.

    Until the dealer's choice the four cards the dealer looks at lie in the monte.
    """

    house: House
    hands: list[int]
    monte: int
    stock: list[int]  # card by card, the top at its end
    turn: int
    turns: int = 0
    knocker: int = NOBODY
    declarer: int = NOBODY
    over: bool = False
    fresh: bool = True  # nothing is changed in this turn yet

    def copy(self) -> "DealPosition":
        return DealPosition(
            self.house,
            self.hands[:],
            self.monte,
            self.stock[:],
            self.turn,
            self.turns,
            self.knocker,
            self.declarer,
            self.over,
            self.fresh,
        )

    @property
    def may_draw(self) -> bool:
        return bool(self.stock) and (self.knocker == NOBODY or self.house.last_draws)

    @property
    def must_knock(self) -> bool:
        return self.knocker == NOBODY and self.turns >= self.house.most_turns

    def choose(self, *, keep: bool) -> None:
        """Let the dealer keep the four new cards, a knock, or leave them (R3)."""
        if keep:
            self.knocker = self.turn
            self.hands[self.turn], self.monte = self.monte, self.hands[self.turn]
        value_of, hands = self.house.values.of, self.hands
        best = max(self.house.playing, key=lambda seat: value_of(hands[seat]))
        if value_of(hands[best]) >= QUARANTUNA:
            self.declarer, self.over = best, True
        else:
            self.turn = self.house.after[self.turn]

    def swap(self, give: int, take: int) -> None:
        """Lay cards in the monte and take as many; the turn goes on."""
        self.hands[self.turn] ^= give | take
        self.monte ^= give | take
        self._look()

    def draw(self, discard: int) -> None:
        """Discard a card and draw one; the turn goes on."""
        self.hands[self.turn] ^= discard | self.stock.pop()
        self._look()

    def take_monte(self) -> None:
        """Give the whole hand for the whole monte, and knock."""
        self.swap(self.hands[self.turn], self.monte)
        self.end_turn(knock=True)

    def end_turn(self, *, knock: bool) -> None:
        """Pass the turn on, unless the deal is over; when it comes to the knocker it is."""
        if self.over:
            return
        if knock and self.knocker == NOBODY:
            self.knocker = self.turn
        self.turns += 1
        self.fresh = True
        self.turn = self.house.after[self.turn]
        self.over = self.turn == self.knocker

    def _look(self) -> None:
        """End the deal if the player to move must declare their hand (R6)."""
        self.fresh = False
        if self.house.values.of(self.hands[self.turn]) >= QUARANTUNA:
            self.declarer, self.over = self.turn, True

    def payers(self) -> list[int]:
        """Return who pays, when all show what they hold now (R8)."""
        value_of, declarer = self.house.values.of, self.declarer
        if declarer != NOBODY and value_of(self.hands[declarer]) >= MAMBASSA:
            return [
                seat for seat in self.house.playing if seat != declarer or not self.house.spares
            ]
        shown = [(value_of(self.hands[seat]), seat) for seat in self.house.playing]
        # As no hand is better than that which ends a deal, its holder never pays.
        lowest = min(shown)[0]
        return [seat for held, seat in shown if held == lowest]


def house_for(seats: int, options: Options, playing: tuple[int, ...]) -> House:
    """Return what does not change in a deal by these *options* among those still *playing*."""
    return House(
        values=hand_values(options),
        playing=playing,
        after=tuple(next_in(seat, playing, seats) for seat in range(seats)),
        last_draws=bool(options["last_turn_stock"]),
        knocks=bool(options["voluntary_knock"]),
        most_turns=int(options["max_orbits"]) * len(playing),
        spares=bool(options["mambassa_spares_declarer"]),
    )


def lay_out(
    table: OpenDeal, turn: int, hands: list[int], monte: int, stock: list[int]
) -> DealPosition:
    """Return the position with these hands, this monte and this stock, its top at the end."""
    knocker = NOBODY if table.knocker is None else table.knocker
    house = house_for(table.mode.seats, table.options, table.playing)
    return DealPosition(house, hands, monte, stock, turn, table.turns, knocker)
