"""All 91,390 hands there are: how many of each class, and which of them can tie."""

from collections import Counter, defaultdict
from functools import cache
from itertools import combinations

import pytest

from games.mambassa import GAME
from games.mambassa.cards import PACK
from games.mambassa.hand_ranking import HandClass, Strength, strength, weakest


@cache
def all_strengths(ace_low: bool) -> dict[Strength, list[int]]:
    """Return the hands of every strength, each as a number with one bit a card."""
    options = GAME.complete_options({"ace_low_sequence": ace_low})
    bits = {card: 1 << place for place, card in enumerate(PACK)}
    hands: dict[Strength, list[int]] = defaultdict(list)
    for hand in combinations(PACK, 4):
        hands[strength(hand, options)].append(sum(bits[card] for card in hand))
    return hands


# In a suit of ten, four in order can stand in seven ways, one of them A-K-H-J; three in
# order in eight, and their fourth card is any of 37 but those that make it four in order.
# With the ace below the 2 as well there is one way more of each.
@pytest.mark.parametrize(
    ("ace_low", "long_ways", "short_ways"),
    [(False, 4 * 6, 4 * (2 * 36 + 6 * 35)), (True, 4 * 7, 4 * (2 * 36 + 7 * 35))],
)
def test_there_are_so_many_hands_of_each_class(
    ace_low: bool, long_ways: int, short_ways: int
) -> None:
    counts: Counter[int] = Counter()
    for held, hands in all_strengths(ace_low).items():
        counts[held[0]] += len(hands)
    combined = {
        HandClass.MAMBASSA: 1,
        HandClass.QUARANTUNA: 4,
        HandClass.QUARTINA: 9,
        HandClass.LONG_SEQUENCE: long_ways,
        HandClass.TRIS: 10 * 4 * 36,
        HandClass.SHORT_SEQUENCE: short_ways,
    }
    assert counts == {**combined, HandClass.POINTS: 91_390 - sum(combined.values())}


@pytest.mark.parametrize("ace_low", [False, True])
def test_only_hands_of_points_can_tie(ace_low: bool) -> None:
    """M-14: others as good as each other share a card, so no deal holds both."""
    for held, hands in all_strengths(ace_low).items():
        if held[0] != HandClass.POINTS:
            assert all(hand & other for hand, other in combinations(hands, 2))


def test_points_go_from_3_to_38() -> None:
    points = {held[1] for held in all_strengths(False) if held[0] == HandClass.POINTS}
    assert (min(points), max(points)) == (3, 38)


def test_weakest_are_all_who_share_the_lowest() -> None:
    assert weakest({3: (1, 12), 0: (1, 12), 2: (1, 13)}) == [0, 3]
