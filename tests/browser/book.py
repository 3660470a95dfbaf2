"""A book kept with a pencil beside the site: points, standings, and whose turn it is to deal.

It knows the rule book and the pages' promises, and nothing of the code under test.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from tests.browser.packs import ALBASTINI, Count, Way

ALL = 120


@dataclass(frozen=True, slots=True)
class Written:
    """One hand: who dealt it, and what was counted; or only which side won, if any did."""

    dealer: str
    count: Count | None
    winner: int | None


@dataclass(slots=True)
class Table:
    """The people round one table in one round, by place."""

    book: "Book" = field(repr=False)
    round: int
    number: int
    way: Way
    people: tuple[str, ...]
    first: str
    hands: list[Written] = field(default_factory=list)
    chosen: str | None = None  # "Asha instead": for the coming hand alone
    disputed: dict[int, Count] = field(default_factory=dict)  # what a hand really was

    def side_of(self, name: str) -> int:
        place = self.people.index(name)
        return next(side for side, places in enumerate(self.way.sides) if place in places)

    def of(self, side: int) -> tuple[str, ...]:
        return tuple(self.people[place] for place in self.way.sides[side])

    def called(self, side: int) -> str:
        """Return what a side is called: by its people."""
        *others, last = self.of(side)
        return f"{', '.join(others)} & {last}" if others else last

    @property
    def deals(self) -> str:
        """Return who deals the coming hand: the one the table chose, or whose turn it is."""
        if self.chosen:
            return self.chosen
        if not self.hands:
            return self.first
        return self._next_after(self.hands[-1].dealer, self.hands[-1].winner)

    @property
    def leads(self) -> str:
        """Return who leads the first trick: the dealer's left (R7)."""
        return self.people[(self.people.index(self.deals) + 1) % len(self.people)]

    def may_deal(self) -> tuple[str, ...]:
        """Return everybody who may deal the coming hand (R11)."""
        winner = self.hands[-1].winner if self.hands else None
        return (self.deals,) if winner is None else self.of(winner)

    def deals_if(self, winner: int | None) -> str:
        """Return who would deal after the coming hand if that side won it, or nobody."""
        dealer = self.deals
        # Written down for a moment, so that the memory holds this deal as well.
        self.hands.append(Written(dealer, None, winner))
        try:
            return self._next_after(dealer, winner)
        finally:
            self.hands.pop()

    def write(self, count: Count) -> None:
        """Write down a counted hand."""
        self._add(Written(self.deals, count, count.top))

    def write_winner(self, winner: int | None) -> None:
        """Write down a hand of which nobody knows more than who won it."""
        self._add(Written(self.deals, None, winner))

    def give_seat(self, name: str, other: str) -> None:
        """Let somebody else take a seat before the first hand; what falls to the seat stays there."""
        self.people = tuple(other if person == name else person for person in self.people)
        self.first = other if self.first == name else self.first

    def amend(self, number: int, count: Count) -> None:
        """Write another count into a hand; who dealt which hand stays as it was."""
        self.hands[number - 1] = Written(self.hands[number - 1].dealer, count, count.top)

    def points(self, hand: Written) -> int:
        """Return what the winner of a hand gets (R10)."""
        if hand.winner is None:
            return 0
        short = hand.count is not None and min(hand.count.eaten) < self.way.threshold
        return 2 if short else 1

    def _add(self, hand: Written) -> None:
        self.hands.append(hand)
        self.chosen = None

    def _next_after(self, dealer: str, winner: int | None) -> str:
        """Say who deals next: of the winners who dealt longest ago; after a tie the same (A-13)."""
        if winner is None:
            return dealer

        def turn(name: str) -> tuple[tuple[int, int], int]:
            on = (self.people.index(name) - self.people.index(dealer)) % len(self.people)
            return self.book.last_dealt(name), on or len(self.people)

        return min(self.of(winner), key=turn)


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One player of the standings."""

    place: str
    name: str
    points: Fraction
    hands: int
    won: int
    twos: int
    share: Fraction
    opened: int
    dealt: int


@dataclass(slots=True)
class Book:
    """A tournament of changing partners; who rests is credited with their own average."""

    tables: list[Table] = field(default_factory=list)
    hands: int = 8  # in a round
    rested: list[str] = field(default_factory=list)  # once for every round

    def sit(self, round_: int, number: int, way: Way, people: Sequence[str]) -> Table:
        """Open a page for a table; of those who opened least whoever dealt least, then longest ago."""
        first = min(
            people, key=lambda name: (self.opened(name), self.dealt(name), self.last_dealt(name))
        )
        table = Table(self, round_, number, way, tuple(people), first)
        self.tables.append(table)
        return table

    def opened(self, name: str) -> int:
        return sum(bool(table.hands) and table.hands[0].dealer == name for table in self.tables)

    def dealt(self, name: str) -> int:
        return sum(hand.dealer == name for table in self.tables for hand in table.hands)

    def last_dealt(self, name: str) -> tuple[int, int]:
        """Return the last round and hand this player dealt; never comes before any."""
        return max(
            (
                (table.round, number)
                for table in self.tables
                for number, hand in enumerate(table.hands, start=1)
                if hand.dealer == name
            ),
            default=(0, 0),
        )

    def standing(self) -> list[Line]:
        """Rank by points; among equals by hands won, those by 2, the share eaten (pages.md)."""
        names = dict.fromkeys(name for table in self.tables for name in table.people)
        drafts = [self._line(name) for name in names]

        def merit(line: Line) -> tuple[Fraction, int, int, Fraction]:
            return line.points, line.won, line.twos, line.share

        merits = [merit(line) for line in drafts]
        lines = []
        for line in sorted(drafts, key=merit, reverse=True):
            better = sum(other > merit(line) for other in merits)
            level = merits.count(merit(line)) > 1
            place = f"{better + 1}{'=' if level else ''}"
            lines.append(replace(line, place=place))
        return lines

    def _line(self, name: str) -> Line:
        points = hands = won = twos = eaten = there = dealt = 0
        for table in self.tables:
            if name not in table.people:
                continue
            side = table.side_of(name)
            for hand in table.hands:
                hands += 1
                dealt += hand.dealer == name
                if hand.winner == side:
                    won += 1
                    points += table.points(hand)
                    twos += table.points(hand) == 2
                if hand.count:
                    eaten += hand.count.eaten[side]
                    there += ALL - ALBASTINI.get(hand.count.left_over or "", 0)
        rests = self.rested.count(name)
        return Line(
            place="",
            name=name,
            points=points + Fraction(rests * self.hands * points, hands or 1),
            hands=hands,
            won=won,
            twos=twos,
            share=Fraction(eaten, there) if there else Fraction(0),
            opened=self.opened(name),
            dealt=dealt,
        )
