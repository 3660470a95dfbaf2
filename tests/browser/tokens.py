"""Games of Mambassa to the last player, and what the other games' scores come to."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from random import Random

START = 3  # four, less the one that goes into the pool at once (R2)


@dataclass(frozen=True, slots=True)
class Deal:
    """How a deal ended: what was declared and by whom, and who pays."""

    event: str
    declarer: str | None
    payers: tuple[str, ...]


@dataclass(slots=True)
class Game:
    """A game of Mambassa: what everybody holds, and in which groups people went out."""

    people: Sequence[str]
    dealer: str
    tokens: Counter[str] = field(init=False)
    pool: int = field(init=False)
    out: list[list[str]] = field(default_factory=list)
    winner: str | None = None

    def __post_init__(self) -> None:
        self.tokens = Counter(dict.fromkeys(self.people, START))
        self.pool = len(self.people)

    @property
    def playing(self) -> list[str]:
        return [name for name in self.people if self.tokens[name] > 0]

    def deals(self, rng: Random) -> Iterator[Deal]:
        """Play until one is left; every kind of deal comes up early."""
        kinds = ["normal", "quarantuna", "tied", "mambassa"]
        while self.winner is None:
            kind = kinds.pop(0) if kinds else rng.choice(["normal", "normal", "quarantuna"])
            deal = self._deal(kind, rng)
            yield deal
            self._pay(deal)

    def outlasted(self) -> dict[str, Fraction]:
        """Return a point for each player outlasted, and half for each who left together."""
        points: dict[str, Fraction] = {}
        behind = 0
        for group in [*self.out, [self.winner or ""]]:
            for name in group:
                points[name] = behind + Fraction(len(group) - 1, 2)
            behind += len(group)
        return points

    def _deal(self, kind: str, rng: Random) -> Deal:
        playing = self.playing
        match kind:
            case "mambassa":  # all pay, the declarer too (M-17)
                return Deal(kind, rng.choice(playing), tuple(playing))
            case "quarantuna":
                declarer, *others = rng.sample(playing, len(playing))
                return Deal(kind, declarer, (others[0],))
            case "tied":
                return Deal("normal", None, tuple(rng.sample(playing, 2)))
            case _:
                return Deal("normal", None, (rng.choice(playing),))

    def _pay(self, deal: Deal) -> None:
        """Pay first, then take (M-18); whoever holds nothing is out, and the deal passes on."""
        before = self.playing
        for name in deal.payers:
            self.tokens[name] -= 1
            self.pool += 1
        if deal.event == "quarantuna" and deal.declarer:
            self.tokens[deal.declarer] += 1
            self.pool -= 1
        if gone := [name for name in before if self.tokens[name] == 0]:
            self.out.append(gone)
        playing = self.playing
        if len(playing) == 1:
            (self.winner,) = playing
        elif not playing:  # the dealer, always one of them, wins (R9)
            self.winner = self.dealer
            self.out[-1].remove(self.dealer)
        else:
            self.dealer = self._next_in()

    def _next_in(self) -> str:
        """Return the next still in, counted from the old dealer's seat (R10)."""
        start = self.people.index(self.dealer)
        onwards = [*self.people[start + 1 :], *self.people[: start + 1]]
        return next(name for name in onwards if self.tokens[name] > 0)


def statuses(orders: Sequence[Sequence[str]]) -> list[tuple[str, int, int, int]]:
    """Rank players of the Great Dalmuti: name, times Dalmuti, Trader, last (R8, D-12).

    Most Dalmuti first, then fewest last, then the better last game.
    """
    table = []
    for name in orders[-1]:
        places = [order.index(name) + 1 for order in orders]
        first, last = places.count(1), places.count(len(orders[0]))
        table.append((name, first, len(places) - first - last, last))
    return sorted(table, key=lambda row: (-row[1], row[3], orders[-1].index(row[0])))
