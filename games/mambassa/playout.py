"""A way to take turns by tables of numbers, quick enough to play thousands of deals out.

A hand has a chance: how often it is not the lowest at the end. The rule goes for the
cards, of its hand and the monte, that promise most, a card of the stock counted at its
average; with a chance that is good enough it stands.
"""

from games.mambassa.kernel import NOBODY, Position
from games.mambassa.worth import RANKS, SUIT, Ranks, bits_of

Plan = tuple[float, int, bool]  # what it promises, which cards to hold on to, whether to draw


class Rule:
    """The rule for one house, with the numbers of one size of table."""

    def __init__(self, ranks: Ranks, chances: list[float], enough: float) -> None:
        """Take the chance of every hand by its worth, and the chance with which to stand."""
        self._worth, self._chances, self._enough = ranks.worth, chances, enough
        self._plans = (
            [_plans(ranks, suit, chances, draw=False) for suit in range(4)],
            [_plans(ranks, suit, chances, draw=True) for suit in range(4)],
        )
        self._same: dict[tuple[int, bool], Plan] = {}
        for bit in bits_of(SUIT):
            row = sum(bit << RANKS * suit for suit in range(4))
            for draw in (False, True):
                self._same[row, draw] = chances[ranks.of_four[bit]], row, False
                for gone in bits_of(row):
                    self._same[row ^ gone, draw] = chances[ranks.of_three[bit]], row ^ gone, draw

    def chance(self, hand: int) -> float:
        """Return how often this hand is not the lowest at the end."""
        return self._chances[self._worth(hand)]

    def plan(self, cards: int, *, draw: bool) -> Plan:
        """Return what to hold on to of these cards, and whether to draw if one may."""
        one, two = cards & SUIT, cards >> 10 & SUIT
        three, four = cards >> 20 & SUIT, cards >> 30
        by_suit = self._plans[draw]
        best = max(by_suit[0][one], by_suit[1][two], by_suit[2][three], by_suit[3][four])
        if same := one & two & (three | four) | three & four & (one | two):
            for bit in bits_of(same):
                row = cards & (bit | bit << 10 | bit << 20 | bit << 30)
                best = max(best, self._same[row, draw])
        return best

    def take_turn(self, position: Position) -> None:
        """Let whoever is to move take a whole turn."""
        hand, monte = position.hands[position.turn], position.monte
        if position.knocker == NOBODY:
            if self.chance(hand) >= self._enough:
                position.end_turn(knock=True)
                return
            if position.must_knock:
                self._must_knock(position)
                return
        _, keep, draw = self.plan(hand | monte, draw=position.may_draw)
        take = keep & monte
        if take == monte:
            position.take_monte()
            return
        if take:
            position.swap(_some(hand & ~keep, take.bit_count()), take)
        self._finish(position, keep, draw=draw, changed=bool(take))

    def finish_turn(self, position: Position) -> None:
        """Let whoever has swapped draw and end the turn."""
        hand = position.hands[position.turn]
        draw = position.may_draw
        if draw:
            _, keep, draw = self.plan(hand, draw=True)
        self._finish(position, keep if draw else hand, draw=draw, changed=True)

    def _finish(self, position: Position, keep: int, *, draw: bool, changed: bool) -> None:
        if draw and not position.over:
            position.draw(_some(position.hands[position.turn] & ~keep, 1))
        self.end_turn(position, changed=changed or draw)

    def end_turn(self, position: Position, *, changed: bool) -> None:
        """Let whoever is to move end the turn, with a knock if it must be or should be one."""
        able = position.house.knocks and not position.over
        should = able and self.chance(position.hands[position.turn]) >= self._enough
        position.end_turn(knock=should or not changed)

    def _must_knock(self, position: Position) -> None:
        if self._worth(position.monte) > self._worth(position.hands[position.turn]):
            position.take_monte()
        else:
            position.end_turn(knock=True)

    def play_out(self, position: Position) -> Position:
        """Play to the end with everybody at the table following the rule; it is used up."""
        while not position.over:
            self.take_turn(position)
        return position


def _plans(ranks: Ranks, suit: int, chances: list[float], *, draw: bool) -> list[Plan]:
    """Return the best plan for every set of cards of one suit."""
    worth = ranks.of_suit[suit]
    plans: list[Plan] = []
    for cards in range(SUIT + 1):
        ways = [plans[cards ^ bit] for bit in bits_of(cards)] if cards.bit_count() > 3 else []
        if cards.bit_count() <= 4:
            ways.append((chances[worth[cards]], cards << RANKS * suit, False))
        if draw and cards.bit_count() <= 3:
            others = bits_of(SUIT ^ cards)
            sure = (4 * RANKS - RANKS) * chances[worth[cards]]
            promise = sure + sum(chances[worth[cards | bit]] for bit in others)
            promise /= 4 * RANKS - cards.bit_count()
            ways.append((promise, cards << RANKS * suit, True))
        plans.append(max(ways))
    return plans


def _some(cards: int, number: int) -> int:
    """Return so many of these cards, the lowest bits first."""
    some = 0
    for _ in range(number):
        some |= cards & -cards
        cards &= cards - 1
    return some
