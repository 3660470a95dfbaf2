"""Playout policy: turns taken by tables of weights, quick enough for thousands of deals.

A hand has a chance: how often it is not the lowest at the end. The policy goes for the
cards, of its hand and the monte, that promise most, a card of the stock counted at its
average; with a chance that is good enough it stands.
"""

from functools import cache

from games.mambassa.play.hand_values import (
    QUARANTUNA,
    RANKS,
    SUIT,
    HandValues,
    bits_of,
    hand_values,
)
from games.mambassa.play.kernel import NOBODY, DealPosition
from games.option import Options

Plan = tuple[float, int, bool]  # what it promises, which cards to hold on to, whether to draw


class TurnPolicy:
    """The policy for one house, with the weights of one size of table."""

    def __init__(self, values: HandValues, chances: list[float], enough: float) -> None:
        """Take the chance of every hand by its value, and the chance with which to stand."""
        self._value, self._chances, self._enough = values.of, chances, enough
        self._plans = (
            [_plans(values, suit, chances, draw=False) for suit in range(4)],
            [_plans(values, suit, chances, draw=True) for suit in range(4)],
        )
        self._same: dict[tuple[int, bool], Plan] = {}
        for bit in bits_of(SUIT):
            row = sum(bit << RANKS * suit for suit in range(4))
            for draw in (False, True):
                self._same[row, draw] = chances[values.of_four[bit]], row, False
                for gone in bits_of(row):
                    three = row ^ gone
                    self._same[three, draw] = chances[values.of_three[bit]], three, draw

    def chance(self, hand: int) -> float:
        """Return how often this hand is not the lowest at the end."""
        return self._chances[self._value(hand)]

    def plan(self, cards: int, *, draw: bool) -> Plan:
        """Return what to hold on to of these cards, and whether to draw if one may."""
        batons, cups = cards & SUIT, cards >> 10 & SUIT
        swords, coins = cards >> 20 & SUIT, cards >> 30
        first, second, third, fourth = self._plans[draw]
        best = max(first[batons], second[cups], third[swords], fourth[coins])
        if same := batons & cups & (swords | coins) | swords & coins & (batons | cups):
            for bit in bits_of(same):
                row = cards & (bit | bit << 10 | bit << 20 | bit << 30)
                best = max(best, self._same[row, draw])
        return best

    def take_turn(self, position: DealPosition) -> None:
        """Play a whole turn for the player to move."""
        hand, monte = position.hands[position.turn], position.monte
        if position.knocker == NOBODY:
            if self.chance(hand) >= self._enough:
                position.end_turn(knock=True)
                return
            if position.must_knock:
                if self._value(monte) > self._value(hand):
                    position.take_monte()
                else:
                    position.end_turn(knock=True)
                return
        _, keep, draw = self.plan(hand | monte, draw=position.may_draw)
        take = keep & monte
        if take == monte:
            position.take_monte()
            return
        if take:
            position.swap(_some(hand & ~keep, take.bit_count()), take)
        self._finish(position, keep, draw=draw, changed=bool(take))

    def finish_turn(self, position: DealPosition) -> None:
        """Draw, if that is the plan, and end the turn of a player who has swapped."""
        hand = position.hands[position.turn]
        draw = position.may_draw
        if draw:
            _, keep, draw = self.plan(hand, draw=True)
        self._finish(position, keep if draw else hand, draw=draw, changed=True)

    def _finish(self, position: DealPosition, keep: int, *, draw: bool, changed: bool) -> None:
        if draw and not position.over:
            position.draw(_some(position.hands[position.turn] & ~keep, 1))
        self.end_turn(position, changed=changed or draw)

    def end_turn(self, position: DealPosition, *, changed: bool) -> None:
        """End the turn of the player to move, with a knock if it must or should be one."""
        able = position.house.knocks and not position.over
        should = able and self.chance(position.hands[position.turn]) >= self._enough
        position.end_turn(knock=should or not changed)

    def play_out(self, position: DealPosition) -> DealPosition:
        """Play to the end, with every player following the policy; the position is used up."""
        while not position.over:
            self.take_turn(position)
        return position


def _plans(values: HandValues, suit: int, chances: list[float], *, draw: bool) -> list[Plan]:
    """Return the best plan for every set of cards of one suit."""
    value = values.of_suit[suit]
    plans: list[Plan] = []
    for cards in range(SUIT + 1):
        ways = [plans[cards ^ bit] for bit in bits_of(cards)] if cards.bit_count() > 3 else []
        if cards.bit_count() <= 4:
            ways.append((chances[value[cards]], cards << RANKS * suit, False))
        if draw and cards.bit_count() <= 3:
            others = bits_of(SUIT ^ cards)
            sure = (4 * RANKS - RANKS) * chances[value[cards]]
            promise = sure + sum(chances[value[cards | bit]] for bit in others)
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


# The weights were counted over deals in which everybody at the table went by them; three at
# a table or eight make little difference.
_ENOUGH = 0.93  # the chance with which playouts stand
# How often another hand is lower at the end, by points, from 0 to 38.
_POINTS = (
    0.000, 0.000, 0.000, 0.000, 0.000, 0.000, 0.000, 0.000, 0.001, 0.001,
    0.001, 0.002, 0.003, 0.004, 0.005, 0.007, 0.009, 0.013, 0.019, 0.025,
    0.033, 0.046, 0.062, 0.075, 0.096, 0.118, 0.142, 0.171, 0.200, 0.226,
    0.251, 0.279, 0.315, 0.341, 0.362, 0.377, 0.382, 0.390, 0.402,
)  # fmt: skip
# By class above the points: its lowest hand, its highest, and how many steps lie between.
_ABOVE = ((0.41, 0.60, 40), (0.61, 0.86, 10), (0.87, 0.955, 40), (0.955, 0.98, 9))


def playout_policy(options: Options, players: int) -> TurnPolicy:
    """Return the policy by which playouts of this house, for so many, are played."""
    return _policy(hand_values(options), players)


@cache
def _policy(values: HandValues, players: int) -> TurnPolicy:
    return TurnPolicy(values, chances(players), _ENOUGH)


@cache
def chances(players: int) -> list[float]:
    """Return by its value how often a hand is not the lowest of so many."""
    lower = [*_POINTS, *[_POINTS[-1]] * (100 - len(_POINTS))]
    for least, most, steps in _ABOVE:
        lower += [least + (most - least) * min(step / steps, 1.0) for step in range(100)]
    lower += [1.0] * (200 + QUARANTUNA - len(lower))
    return [1 - (1 - share) ** (players - 1) for share in lower]
