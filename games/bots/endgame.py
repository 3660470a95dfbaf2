"""Endgame: the last cards of a game for two, everything open, played out perfectly.

Whoever has to play plays for the most points; as the points of both always make the
same sum, that is best for whatever the points are good for in the end.
"""

from collections.abc import Iterator

from games.bots.fast_tricks import Position
from games.bots.monte_carlo import equity
from games.play.playing import Prospect


def best_card(position: Position) -> int:
    """Return the best card for the player to move; among equals the one worth least."""
    values, ranks = position.deck.values, position.deck.ranks

    def merit(card: int) -> tuple[int, int, bool, int]:
        return gain(position, card), -values[card], card >= ranks, -(card % ranks)

    return max(position.hands[position.turn], key=merit)


def gain(position: Position, card: int) -> int:
    """Return the points the player to move wins from here with *card*, less the opponent's.

    The trick on the table counts in full, to whoever takes it.
    """
    solver = _Solver(position)
    me = position.turn
    mine, theirs = _heap(position.hands[me]), _heap(position.hands[1 - me])
    left = len(position.stock)
    if position.missing == 1:
        return -solver.trick(position.best, card, theirs, mine ^ 1 << card, left)
    replies = position.hands[1 - me]
    return min(
        solver.trick(card, reply, mine ^ 1 << card, theirs ^ 1 << reply, left) for reply in replies
    )


def prospect(position: Position, card: int) -> Prospect:
    """Return what this card leads to if both play their best from here, the amount in points."""
    side = position.sides[position.turn]
    ahead = position.points[side] - position.points[1 - side] + gain(position, card)
    total = sum(position.deck.values)
    mine = (total + ahead) / 2
    return Prospect(equity((mine, total - mine), 0), mine)


class _Solver:
    """What every remaining situation is worth to its leader; a hand is a set of bits."""

    def __init__(self, position: Position) -> None:
        self._stock = position.stock
        self._values = position.deck.values
        self._beats = position.deck.beats
        self._known: dict[tuple[int, int], int] = {}

    def trick(self, led: int, reply: int, mine: int, theirs: int, left: int) -> int:
        """Return what the leader gains from this trick on; the hands are those after it."""
        points = self._values[led] + self._values[reply]
        lost = self._beats[led][reply]
        if left >= 2:
            first, second = 1 << self._stock[left - 1], 1 << self._stock[left - 2]
            mine |= second if lost else first
            theirs |= first if lost else second
            left -= 2
        return (
            -points - self._lead(theirs, mine, left)
            if lost
            else (points + self._lead(mine, theirs, left))
        )

    def _lead(self, mine: int, theirs: int, left: int) -> int:
        """Return what the leader gains, with best play by both."""
        if not mine:
            return 0
        # The hands tell what is drawn: one pair of hands never meets two stocks.
        key = (mine, theirs)
        if key in self._known:
            return self._known[key]
        replies = list(_cards(theirs))
        best = -1000
        for led in _cards(mine):
            worst = 1000
            for reply in replies:
                worst = min(
                    worst, self.trick(led, reply, mine ^ 1 << led, theirs ^ 1 << reply, left)
                )
                if worst <= best:
                    break
            best = max(best, worst)
        self._known[key] = best
        return best


def _heap(cards: list[int]) -> int:
    return sum(1 << card for card in cards)


def _cards(heap: int) -> Iterator[int]:
    while heap:
        lowest = heap & -heap
        yield lowest.bit_length() - 1
        heap ^= lowest
